import type { Posting } from '../../../ledger/posting.ts';
import { csvOf } from '../../../operations/csv.ts';
import type { Context } from '../../../operations/operation.ts';
import type { ListInput } from '../../../operations/schemas.ts';
import { findPostings, type TransactionFilter } from './store.ts';
import { serializeTransaction } from './transaction.ts';

/** All transactions of a filter. In a CSV, `available_on` is a day. */
export function transactionsCsv(
  { reads, tenant }: Context,
  filter: TransactionFilter & Pick<ListInput, 'created'>,
  today: string,
): AsyncGenerator<string, void> {
  return csvOf<Posting>(filter, {
    prefix: 'txn',
    csv: 'id created type amount currency source payment status available_on',
    serialize: (row) => ({ ...serializeTransaction(row, today), available_on: row.available_on }),
    read: (range, limits) => findPostings(reads, tenant, filter, range, limits),
  });
}
