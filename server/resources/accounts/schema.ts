import type { Static } from 'typebox';
import { Type } from '../../base/schema.ts';
import { Created, Parameters, Shown } from '../shapes.ts';
import { accountStatuses, dunningEnds, testSettlements, tiers } from './account.ts';

const nameMax = 200;
const rateLimitMax = 999_999_999;
const ppmMax = 1_000_000;
const feeFixedMax = 999_999_999_999;
const settlementDaysMax = 90;
const dunningDayMax = 90;
const dunningDaysMax = 10;

const name = Type.String({ minLength: 1, maxLength: nameMax });
const tier = Type.Unsafe<(typeof tiers)[number]>(Type.String({ enum: [...tiers] }));
const settlement = Type.Integer({ minimum: 0, maximum: settlementDaysMax });
const testSettlement = Type.Unsafe<(typeof testSettlements)[number]>(Type.String({ enum: [...testSettlements] }));
const dunningDays = Type.Array(Type.Integer({ minimum: 1, maximum: dunningDayMax }), {
  minItems: 1,
  maxItems: dunningDaysMax,
  description: 'Days after the first failure of a charge on which it is tried again, ascending',
});
const dunningEnd = Type.Unsafe<(typeof dunningEnds)[number]>(Type.String({ enum: [...dunningEnds] }));

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

const account = {
  name,
  tier,
  rate_limit: Type.Optional(Type.Integer({ description: 'Of the enterprise tier' })),
  status: Type.String({ enum: [...accountStatuses] }),
  fee_percent: Type.String({ description: 'Of the amount received, such as 2.9' }),
  fee_fixed: Type.Record(Type.String(), Type.Integer()),
  settlement_days: settlement,
  test_settlement: testSettlement,
  dunning_days: dunningDays,
  dunning_end: dunningEnd,
  created: Created,
};

export const AccountOutput = Shown('Account', 'account', 'Who uses the gateway.', account);
export type ShownAccount = Static<typeof AccountOutput>;

const key = Type.String({ description: 'It is not shown again.' });
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
