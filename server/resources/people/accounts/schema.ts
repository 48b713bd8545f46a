import type { Static } from 'typebox';
import { Type } from '../../../base/schema.ts';
import {
  Created,
  MaybeFlag,
  MaybeWhole,
  OneOf,
  ParameterObject,
  Parameters,
  Shown,
  ShownOnce,
  Text,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { type Account, accountStatuses, dunningEnds, percentOf, testSettlements, tiers } from './account.ts';
import { limitsWith } from './card_testing.ts';
import { switchesWith } from './mail_kinds.ts';

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

const limitMax = 10_000;

const Limit = (description: string) =>
  Type.Integer({ minimum: 0, maximum: limitMax, description: `${description} 0 switches the limit off.` });

const cardTestingLimits = {
  declines_per_session: Limit('Declines after which a checkout session expires.'),
  declines_per_address: Limit('Declines of one address in an hour, after which its tries are refused.'),
  sessions_per_card: Limit('Checkout sessions in which one card may be tried in an hour.'),
  sessions_per_link_address: Limit('Sessions of one payment link that one address may begin in ten minutes.'),
  decline_share: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      'Per cent. When of at least 50 tries in ten minutes more are declined, the account needs attention, and every card is to be authenticated for an hour. 0 switches this off.',
  }),
  in_test_mode: Type.Boolean({
    description: 'Whether all limits apply in test mode too. Otherwise only the limit of each session does.',
  }),
};

const aboutCardTesting = 'Limits against the testing of stolen cards at the checkout.';

/** A change names only the limits that change. */
const CardTestingInput = ParameterObject(
  `${aboutCardTesting} Limits that are not named stay as they are. Only owners change them.`,
  {
    declines_per_session: Type.Optional(cardTestingLimits.declines_per_session),
    declines_per_address: Type.Optional(cardTestingLimits.declines_per_address),
    sessions_per_card: Type.Optional(cardTestingLimits.sessions_per_card),
    sessions_per_link_address: Type.Optional(cardTestingLimits.sessions_per_link_address),
    decline_share: Type.Optional(cardTestingLimits.decline_share),
    in_test_mode: Type.Optional(cardTestingLimits.in_test_mode),
  },
);

const Switch = (when: string) => Type.Boolean({ description: `Whether customers get a mail ${when}.` });

const mailSwitches = {
  receipt: Switch('when a payment has succeeded'),
  refund: Switch('when a refund has succeeded'),
  invoice: Switch('when an invoice is finalized'),
  payment_failed: Switch('when the payment of an invoice has failed, which says when it is tried again'),
  action_required: Switch('when the payment of an invoice needs an authentication'),
  card_expiring: Switch('two weeks before a saved card expires'),
  trial_ending: Switch('a few days before a trial ends'),
  subscription_canceled: Switch('when a subscription has ended'),
};

const aboutMail = 'Which mails your customers get. All are off until an owner switches them on.';

/** A change names only the kinds that change. */
const MailInput = ParameterObject(`${aboutMail} Kinds that are not named stay as they are.`, {
  receipt: Type.Optional(mailSwitches.receipt),
  refund: Type.Optional(mailSwitches.refund),
  invoice: Type.Optional(mailSwitches.invoice),
  payment_failed: Type.Optional(mailSwitches.payment_failed),
  action_required: Type.Optional(mailSwitches.action_required),
  card_expiring: Type.Optional(mailSwitches.card_expiring),
  trial_ending: Type.Optional(mailSwitches.trial_ending),
  subscription_canceled: Type.Optional(mailSwitches.subscription_canceled),
});

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
  mail: Type.Optional(MailInput),
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
  card_testing: Type.Optional(CardTestingInput),
  mail: Type.Optional(MailInput),
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
  card_testing: Type.Object(cardTestingLimits, { title: 'CardTestingLimits', description: aboutCardTesting }),
  mail: Type.Object(mailSwitches, { title: 'MailSwitches', description: aboutMail }),
  created: Created,
};

export const AccountOutput = Shown('Account', 'account', 'Who uses the gateway.', account);
export type ShownAccount = Static<typeof AccountOutput>;

export const serializeAccount = serializer<Account, typeof AccountOutput>(AccountOutput, {
  fee_percent: from(['fee_ppm'], ({ fee_ppm }) => percentOf(fee_ppm)),
  totp_required: from(['totp_required'], ({ totp_required }) => totp_required || null),
  card_testing: from(['card_testing'], ({ card_testing }) => limitsWith(card_testing)),
  mail: from(['mail'], ({ mail }) => switchesWith(mail)),
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
