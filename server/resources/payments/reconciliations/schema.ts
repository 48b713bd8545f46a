import { exactNumber } from '../../../base/exact_number.ts';
import { Type } from '../../../base/schema.ts';
import { isDay } from '../../../ledger/posting.ts';
import { type ComparedFilter, equals } from '../../../operations/compared_filter.ts';
import { apiError } from '../../../operations/errors.ts';
import { MaybeReference } from '../../../operations/references.ts';
import {
  Created,
  Currency,
  MaybeMoment,
  MaybeText,
  Moment,
  OneOf,
  OptionalChoice,
  OptionalId,
  Parameters,
  Personal,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import {
  type ComparedDay,
  differenceStatuses,
  differenceWords,
  type ReconciliationDifference,
  reconciliationStatuses,
  statusOf,
} from './reconciliation.ts';

const day = 'A day in UTC, such as `2027-01-31`.';
const ProcessorAccount = MaybeText(
  'The id of the account at the processor; absent for a connector without accounts, such as the simulator.',
);

const Totals = Type.Object(
  {
    currency: Currency,
    fees: Whole('What the processor has kept of the lines of the day.'),
    net: Whole(
      'What is left of them after fees: payments and won disputes less refunds and disputes. It can be below 0.',
    ),
    paid_out: Whole(
      'What the processor has paid out on this day, money of earlier days included. Below 0: it has collected from you.',
    ),
  },
  { title: 'StatementTotals', description: 'What the statement of a processor says about a day in a currency.' },
);

export const ReconciliationOutput = Shown(
  'Reconciliation',
  'reconciliation',
  'A day of the ledger that was compared with the statement of a processor.',
  {
    date: Text(`The day that was compared. ${day}`),
    connector: Text('The connector that reaches the processor.'),
    processor_account: ProcessorAccount,
    status: OneOf(
      reconciliationStatuses,
      '`matched`: the books agree. `open`: there are differences that nobody has accepted. `accepted`: all differences were accepted.',
    ),
    matched: Whole('How many lines are the same in the ledger and in the statement.'),
    matched_on_another_day: Whole('How many of these are on different days: the answer of the processor was late.'),
    differences: Whole('How many differences were found. The first 1,000 of them are stored.'),
    open_differences: Whole('How many of them nobody has accepted.'),
    totals: Type.Array(Totals, {
      description: 'Fees, net and payouts as the statement has them, by currency. Sums can exceed 2^53.',
    }),
    compared_at: Moment('When the day was compared last.'),
    created: Moment('When the day that was compared began.'),
  },
);

export const serializeReconciliation = serializer<ComparedDay, typeof ReconciliationOutput>(ReconciliationOutput, {
  date: 'day',
  status: from(['differences', 'open_differences'], statusOf),
  totals: from(['totals'], ({ totals }) =>
    totals.map(({ currency, fees, net, paid_out }) => ({
      currency,
      fees: exactNumber(fees),
      net: exactNumber(net),
      paid_out: exactNumber(paid_out),
    })),
  ),
  created: timeInId,
});

/** In `ledger` and in `processor`. */
const Side = Type.Optional(
  Type.Object(
    { amount: Whole('In the smallest unit of the currency.'), currency: Currency },
    { title: 'ComparedAmount', description: 'What one of the two books has. Absent if it has no such line.' },
  ),
);

const Booked = Type.Object(
  {
    gross: Whole('What it adds to the balance at the processor before fees; below 0 it takes away.'),
    fee: Whole('What the processor has kept.'),
    net: Whole('What the processor says is left.'),
  },
  { title: 'BookedAmounts', description: 'What the processor has booked, of `gross_differs` and `net_differs`.' },
);

const DecidedBy = Type.Object(
  {
    user: MaybeText('The id of the person; absent for an API key and for the operator.'),
    api_key: MaybeText('The id of the API key; absent for a person and for the operator.'),
    name: Text('The email of the person, the name of the key, or that of the operator, at that time.'),
  },
  { title: 'DecidedBy', description: 'Who has decided the status: a person, an API key, or the operator.' },
);

const whatWords = Object.entries(differenceWords)
  .map(([what, words]) => `\`${what}\`: ${words}.`)
  .join(' ');
const statusWords =
  '`open`: nobody has decided about it. `following_up`: somebody is looking into it. `accepted`: it is explained, and stays as it is.';

export const DifferenceOutput = Shown(
  'ReconciliationDifference',
  'reconciliation_difference',
  'A line that differs between the ledger and the statement of a processor.',
  {
    reconciliation: MaybeReference('reconciliations', 'The comparison that has found it.'),
    date: Text(`The day that was compared. ${day}`),
    connector: Text('The connector that reaches the processor.'),
    processor_account: ProcessorAccount,
    what: OneOf(Object.keys(differenceWords), whatWords),
    kind: Text('What the line is about, such as `payment`, `refund` or `dispute`.'),
    reference: Text('By what both sides know the line: an attempt, or the reference of the processor.'),
    payment: MaybeReference('payments', 'The payment that the line is about, if it is known here.'),
    ledger: Side,
    processor: Side,
    booked: Type.Optional(Booked),
    status: OneOf(differenceStatuses, statusWords),
    note: MaybeText('What was written down about the status.'),
    changed_by: Type.Optional(DecidedBy),
    changed_at: MaybeMoment('When the status was decided.'),
    created: Created,
  },
);

export const serializeDifference = serializer<ReconciliationDifference, typeof DifferenceOutput>(DifferenceOutput, {
  date: 'day',
  created: timeInId,
});

const noteMax = 1_000;

export const AcceptInput = Parameters({
  note: Personal({
    maxLength: noteMax,
    description: 'Why it is accepted, up to 1,000 characters. It must not be blank.',
  }),
});
export const FollowUpInput = Parameters({
  note: Type.Optional(
    Personal({ maxLength: noteMax, description: 'What is being done about it, up to 1,000 characters.' }),
  ),
});

const DateFilter = Type.Optional(Type.String({ maxLength: 10, description: `Only those of this day. ${day}` }));

function checkDate({ date }: Readonly<Record<string, string | undefined>>): void {
  if (date !== undefined && !isDay(date))
    throw apiError('parameter_invalid', { param: 'date', reason: 'it must be a day such as 2027-01-31' });
}

/** A tenant has one row a day for each account at a processor: no filter needs an index. */
const byDay: ComparedFilter = {
  name: 'date',
  columns: ['day'],
  condition: (value, bind) => `day = ${bind(value, 'date')}`,
};

const conditions: Readonly<Record<string, string>> = {
  matched: 'differences = 0',
  open: 'open_differences > 0',
  accepted: 'differences > 0 and open_differences = 0',
};
const byStatus: ComparedFilter = {
  name: 'status',
  columns: ['differences', 'open_differences'],
  condition: (value) => conditions[String(value)]!,
};

export const reconciliationFilters = {
  date: DateFilter,
  connector: Type.Optional(Type.String({ maxLength: 64, description: 'Only those with this connector.' })),
  processor_account: OptionalId('Only those with this account at a processor.'),
  status: OptionalChoice(reconciliationStatuses, 'Only those in this status.'),
};
export const reconciliationListOptions = {
  check: checkDate,
  compared: [byDay, equals('connector'), equals('processor_account'), byStatus],
};

export const differenceFilters = {
  reconciliation: OptionalId('Only those that this comparison has found.'),
  payment: OptionalId('Only those about this payment.'),
  date: DateFilter,
  status: OptionalChoice(differenceStatuses, 'Only those in this status.'),
};
export const differenceListOptions = { check: checkDate, compared: [equals('payment'), byDay, equals('status')] };
