import type { Posting } from '../../../ledger/posting.ts';
import { csvPageRows, csvPieceRowsMax, momentOf } from '../../../operations/csv.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Range, rangeOf } from '../../../operations/range.ts';
import type { ScanResult } from '../../../operations/scan.ts';
import type { ListInput } from '../../../operations/schemas.ts';
import { findPostings, type TransactionFilter } from './store.ts';
import { serializeTransaction, type Transaction } from './transaction.ts';

const lineEnd = '\r\n'; // RFC 4180
const header = 'id,created,type,amount,currency,source,payment,status,available_on';

/** All transactions of a filter, newest first. They are read page by page, with no transaction open in between. */
export async function* transactionsCsv(
  { reads, tenant }: Context,
  filter: TransactionFilter & Pick<ListInput, 'created'>,
  today: string,
): AsyncGenerator<string, void> {
  const whole: Range = { ...rangeOf(filter, 'txn'), limit: csvPageRows };
  let text = header + lineEnd;
  for (let range: Range | undefined = whole; range !== undefined; ) {
    const found: ScanResult<Posting> = await findPostings(reads, tenant, filter, range, { rowsMax: csvPieceRowsMax });
    const page = found.rows.slice(0, csvPageRows);
    for (const row of page) text += lineOf(serializeTransaction(row, today)!, row.available_on);
    yield text;
    text = '';
    const last = found.searchedTo ?? (found.rows.length > csvPageRows ? page.at(-1)!.id : undefined);
    range = last === undefined ? undefined : { ...whole, bounds: [...whole.bounds, ['<', last]] };
  }
}

/** Ids, words, numbers and times: nothing in it has to be quoted. */
function lineOf(transaction: Transaction, day: string): string {
  const { id, created, type, amount, currency, source, payment, status } = transaction;
  return `${id},${momentOf(created)},${type},${amount},${currency},${source},${payment},${status},${day}${lineEnd}`;
}
