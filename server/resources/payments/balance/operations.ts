import { exactNumber } from '../../../base/exact_number.ts';
import { isId } from '../../../base/id.ts';
import { balanceOf, type CurrencyBalance } from '../../../ledger/balance.ts';
import { type BalanceParts, balancePartsOf } from '../../../ledger/breakdown.ts';
import { dayOf, type Posting, postingsTable } from '../../../ledger/posting.ts';
import { csvOf, refusePages } from '../../../operations/csv.ts';
import type { CsvContext } from '../../../operations/csv_columns.ts';
import { requireFound } from '../../../operations/descriptor.ts';
import { pageOf } from '../../../operations/list.ts';
import { type Context, operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { csvMedia, type ListInput, ListOf } from '../../../operations/schemas.ts';
import { BalanceOutput, BreakdownOutput, TransactionOutput, TransactionsInput } from './schema.ts';
import { findPostings, type TransactionFilter } from './store.ts';
import { serializeTransaction } from './transaction.ts';

const transactionColumns = 'id created type amount currency source payment status available_on amount_decimal';

/** All transactions of a filter. In a CSV, `available_on` is a day. */
export function transactionsCsv(
  context: CsvContext,
  filter: TransactionFilter & Pick<ListInput, 'created'>,
  today: string,
): AsyncGenerator<string, void> {
  const { reads, tenant } = context;
  return csvOf<Posting>(context, filter, {
    prefix: 'txn',
    output: TransactionOutput,
    csv: transactionColumns,
    serialize: (row) => ({ ...serializeTransaction(row, today), available_on: row.available_on }),
    read: (range, limits) => findPostings(reads, tenant, filter, range, limits),
  });
}

/** The balance as the API shows it: each list has every currency that ever moved, in the order of the sums. */
export function serializeBalance(sums: readonly CurrencyBalance[]): object {
  const amounts = (of: 'available' | 'pending' | 'disputed') =>
    sums.map(({ currency, ...sum }) => ({ amount: exactNumber(sum[of]), currency }));
  return {
    object: 'balance',
    available: amounts('available'),
    pending: amounts('pending'),
    disputed: amounts('disputed'),
  };
}

const url = '/v1/balance/transactions';

const retrieve = operation({
  name: 'balance.retrieve',
  summary: 'Retrieve the balance',
  description:
    'The balance is exact at the time of the request. Each list has one entry for each currency in which money has ever moved. Sums can exceed 2^53, and are written with all their digits.',
  route: 'GET /balance',
  callers: ['key', 'operator'],
  output: BalanceOutput,
  async run({ reads, tenant, now }) {
    return { result: serializeBalance(await balanceOf(reads, tenant, dayOf(now))) };
  },
});

/** The movements of so many days are listed separately; what was before them is one sum. */
const daysApart = 30;

/** The parts of a balance as the API shows them, with what is available after each later day. */
export function serializeParts(sums: BalanceParts): object {
  const { currency, opening, payments, fees, refunds, disputes, disputed, upcoming } = sums;
  const available = [opening, payments, fees, refunds, disputes].reduce((sum, part) => sum + BigInt(part), 0n);
  let after = available;
  const days = upcoming.map(({ day, amount }) => {
    after += BigInt(amount);
    return { day: Date.parse(day) / 1_000, amount, after };
  });
  const covered = available < 0n ? days.find((one) => one.after >= 0n) : undefined;
  return {
    currency,
    available: exactNumber(String(available)),
    opening: exactNumber(opening),
    payments: exactNumber(payments),
    fees: exactNumber(fees),
    refunds: exactNumber(refunds),
    disputes: exactNumber(disputes),
    pending: exactNumber(String(after - available)),
    disputed: exactNumber(disputed),
    upcoming: days.map((one) => ({
      available_on: one.day,
      amount: exactNumber(one.amount),
      available_after: exactNumber(String(one.after)),
    })),
    ...(covered && { covered_on: covered.day }),
  };
}

const retrieveBreakdown = operation({
  name: 'balance.retrieve_breakdown',
  summary: 'Retrieve what the balance is made of',
  description:
    'Says why the balance is what it is: what was available 30 days ago, what has moved it since then, and when what is pending becomes available. Refunds and disputes are deducted immediately, and payments are added days later: what is available can therefore be below 0, and `covered_on` says until when.',
  route: 'GET /balance/breakdown',
  callers: ['key', 'operator'],
  output: BreakdownOutput,
  async run({ reads, tenant, now }) {
    const from = dayOf(now, -daysApart);
    const parts = await balancePartsOf(reads, tenant, { from, to: dayOf(now) });
    return {
      result: { object: 'balance_breakdown', since: Date.parse(from) / 1_000, data: parts.map(serializeParts) },
    };
  },
});

const listTransactions = operation({
  name: 'balance.list_transactions',
  summary: 'List balance transactions',
  description:
    'Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.',
  route: 'GET /balance/transactions',
  input: TransactionsInput,
  output: ListOf(TransactionOutput),
  offers: [csvMedia],
  csv: transactionColumns,
  async run(context, input) {
    const { reads, tenant, now, media, isLate } = context;
    const today = dayOf(now);
    if (media !== undefined) {
      refusePages(input);
      return { stream: transactionsCsv(context, input, today) };
    }
    const range = rangeOf(input, 'txn');
    const { rows } = await findPostings(reads, tenant, input, range, { isLate });
    return { result: pageOf(range, rows, { url, serialize: (row: Posting) => serializeTransaction(row, today)! }) };
  },
});

/** As the API shows it. Postings that do not move the balance are no transactions. */
const requireTransaction = requireFound(
  'balance transaction',
  'balance:read',
  async ({ reads, tenant, now }: Context, id) => {
    const posting = isId('txn', id) ? await reads.one(postingsTable, tenant, id) : undefined;
    return posting && serializeTransaction(posting, dayOf(now));
  },
);

const retrieveTransaction = operation({
  name: 'balance.retrieve_transaction',
  summary: 'Retrieve a balance transaction',
  description: 'Returns one movement of the balance. Only its `status` ever changes, on the day of `available_on`.',
  route: 'GET /balance/transactions/:id',
  output: TransactionOutput,
  async run(context) {
    const result = await requireTransaction(context);
    return { result, objectId: result.id };
  },
});

export const balanceOperations = [retrieve, retrieveBreakdown, listTransactions, retrieveTransaction];
