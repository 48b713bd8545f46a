import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  MaybeFlag,
  MaybeWhole,
  OneOf,
  Parameters,
  Shown,
  ShownOnce,
  Text,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { type Account, accountStatuses, dunningEnds, percentOf, testSettlements, tiers } from './account.ts';

const nameMax = 200;
const rateLimitMax = 999_999_999;
const ppmMax = 1_000_000;
const feeFixedMax = 999_999_999_999;
const settlementDaysMax = 90;
const dunningDayMax = 90;
const dunningDaysMax = 10;

const name = Type.String({ minLength: 1, maxLength: nameMax, description: 'The name of the account.' });
const tier = Type.Unsafe<(typeof tiers)[number]>(
  Type.String({ enum: [...tiers], description: 'Decides how many requests a minute the account can send.' }),
);
const settlement = Type.Integer({
  minimum: 0,
  maximum: settlementDaysMax,
  description: 'Days after which the money of a payment becomes available.',
});
const testSettlement = Type.Unsafe<(typeof testSettlements)[number]>(
  Type.String({
    enum: [...testSettlements],
    description: 'In test mode, money becomes available after as many days as in live mode, or immediately.',
  }),
);
const dunningDays = Type.Array(Type.Integer({ minimum: 1, maximum: dunningDayMax, description: 'A number of days.' }), {
  minItems: 1,
  maxItems: dunningDaysMax,
  description: 'Days after the first failure of a charge on which it is tried again, ascending.',
});
const dunningEnd = Type.Unsafe<(typeof dunningEnds)[number]>(
  Type.String({
    enum: [...dunningEnds],
    description: 'What becomes of a subscription when the last attempt to charge an invoice has failed.',
  }),
);

const tierParameters = {
  tier: Type.Optional(tier),
  rate_limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: rateLimitMax, description: 'Requests per minute, for the enterprise tier' }),
  ),
};

export const NewAccountInput = Parameters({ name, ...tierParameters });

export const AccountInput = Parameters({
  ...tierParameters,
  fee_ppm: Type.Optional(
    Type.Integer({ minimum: 0, maximum: ppmMax, description: 'Of the amount received, in millionths: 29000 is 2.9%' }),
  ),
  fee_fixed: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: feeFixedMax }), {
      description: 'In addition, by currency, in its smallest unit. It replaces all fixed fees',
    }),
  ),
  settlement_days: Type.Optional(settlement),
  test_settlement: Type.Optional(testSettlement),
  dunning_days: Type.Optional(dunningDays),
  dunning_end: Type.Optional(dunningEnd),
});

/** What an account decides for itself. The operator decides about its tier, its fees and its settlement. */
export const OwnAccountInput = Parameters({
  name: Type.Optional(name),
  test_settlement: Type.Optional(testSettlement),
  dunning_days: Type.Optional(dunningDays),
  dunning_end: Type.Optional(dunningEnd),
  totp_required: Type.Optional(
    Type.Boolean({
      description:
        'Whether a member without an authenticator can do nothing but set one up. Only owners change it, and need one themselves.',
    }),
  ),
});

const account = {
  name,
  tier,
  rate_limit: MaybeWhole('Requests per minute, of the enterprise tier.'),
  status: OneOf(accountStatuses, 'Requests of a suspended account are refused.'),
  fee_percent: Text('What a payment costs, in per cent of the amount received, such as 2.9.'),
  fee_fixed: Type.Record(Type.String(), Type.Integer(), {
    title: 'FixedFees',
    description: 'What a payment costs in addition, by currency, in its smallest unit.',
  }),
  settlement_days: settlement,
  test_settlement: testSettlement,
  dunning_days: dunningDays,
  dunning_end: dunningEnd,
  totp_required: MaybeFlag('Present if everybody who works in the account needs an authenticator.'),
  created: Created,
};

export const AccountOutput = Shown('Account', 'account', 'Who uses the gateway.', account);
export type ShownAccount = Static<typeof AccountOutput>;

export const serializeAccount = serializer<Account, typeof AccountOutput>(AccountOutput, {
  fee_percent: from(['fee_ppm'], ({ fee_ppm }) => percentOf(fee_ppm)),
  totp_required: from(['totp_required'], ({ totp_required }) => totp_required || null),
  created: timeInId,
});

const key = ShownOnce('It is not shown again.');
export const AccountWithKeysOutput = Shown(
  'AccountWithKeys',
  'account',
  'An account that was just made, with its keys.',
  {
    ...account,
    test_secret_key: key,
    live_secret_key: key,
  },
);
export type AccountWithKeys = Static<typeof AccountWithKeysOutput>;
