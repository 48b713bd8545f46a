import { Type } from '../../../base/schema.ts';
import { earningsOf } from '../../../ledger/earnings.ts';
import { amountFilters, comparesMoney } from '../../../operations/amount_filters.ts';
import { type ComparedFilter, equals } from '../../../operations/compared_filter.ts';
import type { AddedColumns } from '../../../operations/csv_columns.ts';
import { OptionalChoices, OptionalCurrency, OptionalId, OptionalIds, Whole } from '../../../operations/schemas.ts';
import { brands } from '../payment_methods/by_kind.ts';
import { paymentStatuses } from './payment.ts';

/** What became of the money of a payment that has succeeded. Its status stays `succeeded`. */
export const sequels = {
  refunded: 'amount_refunded = amount_received',
  partly_refunded: 'amount_refunded > 0 and amount_refunded < amount_received',
  disputed: 'dispute is not null',
} as const;
type Sequel = keyof typeof sequels;
const isSequel = (status: string): status is Sequel => Object.hasOwn(sequels, status);

/** SQL: the value of a payment in the index `payments_by_sequel`; null without a sequel. It has to be written as there. */
const sequelSql = `case when status = 'succeeded' then nullif(
    case when amount_refunded = amount_received then 'refunded' when amount_refunded > 0 then 'partly_refunded' else '' end ||
    case when dispute is null then '' else '+disputed' end, '') end`;
/** The values in that index: each payment has one. */
const sequelValues: Readonly<Record<Sequel, readonly string[]>> = {
  refunded: ['refunded', 'refunded+disputed'],
  partly_refunded: ['partly_refunded', 'partly_refunded+disputed'],
  disputed: ['+disputed', 'refunded+disputed', 'partly_refunded+disputed'],
};

/** The customers whose payments one list can show: a range of an index is read for each, and each status. */
const customersMax = 10;

export const paymentFilters = {
  customer: OptionalIds(customersMax, `Only those of this customer, or of one of these: at most ${customersMax}.`),
  status: OptionalChoices(
    [...paymentStatuses, ...(Object.keys(sequels) as Sequel[])],
    'Only those in this status, or in one of these. `refunded`, `partly_refunded` and `disputed` are payments that have succeeded, and what came after.',
  ),
  invoice: OptionalId('Only those that were made for this invoice.'),
  checkout_session: OptionalId('Only the tries of this checkout session.'),
  currency: OptionalCurrency,
  ...amountFilters,
  card: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}$',
      description: 'Text of four digits: the last ones of the card that was charged',
    }),
  ),
  brand: OptionalChoices(brands, 'Only those by a card of this brand, or of one of these.'),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      normalize: (code: string) => code.toUpperCase(),
      description: 'Two-letter country code: of the billing address when the payment was made',
    }),
  ),
  decline_code: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "Only failed ones, by the reason: the processor's own, such as `insufficient_funds`, or the code, such as `card_declined`.",
    }),
  ),
  processor: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Only those of this processor: the id of a processor account, or the name of a connector, such as `stripe`.',
    }),
  ),
};

const compared: readonly ComparedFilter[] = [
  {
    name: 'sequel',
    columns: ['status', 'amount_received', 'amount_refunded', 'dispute'],
    condition: (wanted) => {
      const conditions = (wanted as Sequel[]).map((sequel) => `(${sequels[sequel]})`);
      return `(status <> 'succeeded' or ${conditions.join(' or ')})`;
    },
  },
  { name: 'card', columns: ['last4'], condition: (digits, bind) => `last4 = ${bind(digits)}` },
  ...['brand', 'country'].map(equals),
  {
    name: 'decline_code',
    columns: ['failure_code', 'failure_decline_code'],
    condition: (code, bind) => `${bind(code)} in (failure_decline_code, failure_code)`,
  },
  {
    name: 'processor',
    columns: ['processor', 'processor_account'],
    condition: (name, bind) =>
      `${String(name).startsWith('pa_') ? 'processor_account' : "processor->>'connector'"} = ${bind(name)}`,
  },
];

export const paymentListOptions = {
  merged: { column: 'status', values: paymentStatuses },
  narrow: ['invoice', 'checkout_session', sequelSql],
  ...comparesMoney,
  compared: [...comparesMoney.compared, ...compared],
  filtersOf,
};

/**
 * Sequels alone are read from their index. Otherwise these are the stored statuses to read, and what rows of `succeeded` are compared with.
 * Only failed payments have a decline code.
 */
function filtersOf(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { status, decline_code } = parameters as Record<string, string | string[] | undefined>;
  const wanted = status === undefined ? (decline_code === undefined ? [] : ['failed']) : [status].flat();
  if (wanted.length === 0) return parameters;
  const after = wanted.filter(isSequel);
  const isOfFew = ['customer', 'invoice', 'checkout_session'].some((name) => parameters[name] !== undefined);
  if (after.length === wanted.length && !isOfFew) {
    const values = new Set(after.flatMap((sequel) => sequelValues[sequel]));
    return { ...parameters, status: undefined, [sequelSql]: [...values] };
  }
  const stored = [...new Set(wanted.map((one) => (isSequel(one) ? 'succeeded' : one)))];
  const sequel = after.length === 0 || wanted.includes('succeeded') ? undefined : after;
  return { ...parameters, status: stored, sequel };
}

/** What exports can have of the ledger for each payment. */
export const earningColumns: AddedColumns = {
  properties: {
    fee: Whole('What was charged for it, as the ledger has it.'),
    net: Whole('What it has left in the balance: the payment less its fee, refunds and disputes.'),
  },
  scope: 'balance:read',
  read: ({ reads, tenant }, ids) => earningsOf(reads, tenant, ids),
};
