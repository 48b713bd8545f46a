import type { Posting } from '../../ledger/posting.ts';
import { refusal } from '../errors.ts';
import { type Range, rangeOf } from '../list.ts';
import type { Context } from '../operation.ts';
import type { ListInput } from '../shapes.ts';
import { findPostings, type TransactionFilter } from './store.ts';
import { presentTransaction, type Transaction } from './transaction.ts';

const pageRows = 1_000;
const lineEnd = '\r\n'; // RFC 4180
const header = 'id,created,type,amount,currency,source,payment,status,available_on';

/** An export has all rows: parameters that select a page are refused. */
export function refusePages(input: ListInput): void {
  for (const param of ['limit', 'starting_after', 'ending_before'] as const)
    if (input[param] !== undefined)
      throw refusal('parameter_invalid', { param, reason: 'text/csv has all rows; narrow it by created or a filter' });
}

/** All transactions of a filter, newest first. They are read page by page, with no transaction open in between. */
export async function* transactionsCsv(
  { reads, tenant }: Context,
  filter: TransactionFilter & Pick<ListInput, 'created'>,
  today: string,
): AsyncGenerator<string, void> {
  const whole: Range = { ...rangeOf(filter, 'txn'), limit: pageRows };
  let text = header + lineEnd;
  for (let range: Range | undefined = whole; range !== undefined; ) {
    const rows: Posting[] = await findPostings(reads, tenant, filter, range);
    const page = rows.slice(0, pageRows);
    for (const row of page) text += lineOf(presentTransaction(row, today)!, row.available_on);
    yield text;
    text = '';
    const last = page.at(-1)?.id;
    range = rows.length > pageRows ? { ...whole, bounds: [...whole.bounds, ['<', last!]] } : undefined;
  }
}

/** Ids, words, numbers and times: nothing in it has to be quoted. */
function lineOf(transaction: Transaction, day: string): string {
  const { id, created, type, amount, currency, source, payment, status } = transaction;
  return `${id},${momentOf(created)},${type},${amount},${currency},${source},${payment},${status},${day}${lineEnd}`;
}

/** ISO 8601 without the milliseconds, which are always zero. */
function momentOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}
