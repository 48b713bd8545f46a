import { Type } from '../../../base/schema.ts';
import { Reference } from '../../../operations/references.ts';
import {
  Created,
  Currency,
  listParameters,
  MaybeMoment,
  Moment,
  ObjectKind,
  OneOf,
  OptionalChoice,
  OptionalId,
  Parameters,
  Shown,
  Whole,
} from '../../../operations/schemas.ts';
import { transactionTypes } from './transaction.ts';

const Amount = Type.Object(
  { amount: Whole('In the smallest unit of the currency. It may exceed 2^53.'), currency: Currency },
  { title: 'BalanceAmount' },
);
const Amounts = (description: string) => Type.Array(Amount, { description });

export const BalanceOutput = Type.Object(
  {
    object: ObjectKind('balance'),
    available: Amounts('What is available today, by currency. It can be below 0.'),
    pending: Amounts('Payments less fees that become available on a later day, by currency.'),
    disputed: Amounts('What open disputes are about, by currency. It is not part of the other two.'),
  },
  { title: 'Balance' },
);

const sum = (description: string) => Whole(`${description} It may exceed 2^53.`);

const Upcoming = Type.Object(
  {
    available_on: Moment('Midnight of the day.'),
    amount: sum('What becomes available on this day.'),
    available_after: sum('What is available then, if nothing else happens.'),
  },
  { title: 'UpcomingBalance', description: 'What becomes available on a later day.' },
);

const Parts = Type.Object(
  {
    currency: Currency,
    available: sum('What is available today: the next five members together.'),
    opening: sum('What was available when the first day began.'),
    payments: sum('Payments that have become available since then.'),
    fees: sum('Their fees; below 0.'),
    refunds: sum('Refunds since then, less those that failed; below 0.'),
    disputes: sum('What disputes have withdrawn since then, less what was won back; below 0.'),
    pending: sum('Payments less fees that become available on a later day.'),
    disputed: sum('What open disputes are about.'),
    upcoming: Type.Array(Upcoming, { description: 'When what is pending becomes available, by day.' }),
    covered_on: MaybeMoment(
      'If less than nothing is available: midnight of the day from which on that is no longer so, if nothing else happens. Absent if pending payments do not cover it.',
    ),
  },
  { title: 'BalanceParts', description: 'What the balance of a currency is made of.' },
);

export const BreakdownOutput = Type.Object(
  {
    object: ObjectKind('balance_breakdown'),
    since: Moment('Midnight of the first day whose movements are listed separately: 30 days ago.'),
    data: Type.Array(Parts, { description: 'One entry for each currency in which money has ever moved.' }),
  },
  { title: 'BalanceBreakdown' },
);

export const TransactionsInput = Parameters({
  ...listParameters,
  type: OptionalChoice(transactionTypes, 'Only transactions of this type.'),
  source: OptionalId('The id of a payment, refund or dispute: only the transactions that it has caused.'),
  payment: OptionalId('The id of a payment: only its transactions, and those of its refunds and disputes.'),
});

export const TransactionOutput = Shown('BalanceTransaction', 'balance_transaction', 'One movement of the balance.', {
  amount: Whole('What it adds to the balance, in the smallest unit of the currency; below 0 it takes away.'),
  currency: Currency,
  type: OneOf(transactionTypes, 'What has moved the money.'),
  source: Reference(
    ['payments', 'refunds', 'disputes'],
    'The id of the payment, refund or dispute that has caused it.',
  ),
  payment: Reference('payments', 'The id of the payment: the source itself, or the one that was refunded or disputed.'),
  status: OneOf(['pending', 'available'], '`pending` until the day of `available_on` begins, then `available`.'),
  available_on: Moment('Midnight of the day on which the amount becomes available.'),
  created: Created,
});

export const RepairOutput = Type.Object({
  has_more: Type.Boolean(),
  data: Type.Array(
    Type.Object({
      kind: Type.String(),
      source: Type.String({
        description: 'The payment, refund, dispute or credit transaction that has no posting of this kind',
      }),
      payment: Type.Optional(Type.String()),
      amount: Type.Integer(),
      currency: Type.String(),
      available_on: Type.String({ description: 'A day in UTC' }),
    }),
  ),
});
