import { isId } from '../../../base/id.ts';
import { balanceOf } from '../../../ledger/balance.ts';
import { dayOf, type Posting, postingsTable } from '../../../ledger/posting.ts';
import { csvMedia, refusePages } from '../../../operations/csv.ts';
import { apiError } from '../../../operations/errors.ts';
import { pageOf } from '../../../operations/list.ts';
import { operation } from '../../../operations/operation.ts';
import { rangeOf } from '../../../operations/range.ts';
import { ListOf } from '../../../operations/schemas.ts';
import { serializeBalance } from './balance.ts';
import { transactionsCsv } from './csv.ts';
import { BalanceOutput, TransactionOutput, TransactionsInput } from './schema.ts';
import { findPostings } from './store.ts';
import { serializeTransaction } from './transaction.ts';

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

const listTransactions = operation({
  name: 'balance.list_transactions',
  summary: 'List balance transactions',
  description:
    'Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.',
  route: 'GET /balance/transactions',
  input: TransactionsInput,
  output: ListOf(TransactionOutput),
  offers: [csvMedia],
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

const retrieveTransaction = operation({
  name: 'balance.retrieve_transaction',
  summary: 'Retrieve a balance transaction',
  description: 'Returns one movement of the balance. Only its `status` ever changes, on the day of `available_on`.',
  route: 'GET /balance/transactions/:id',
  output: TransactionOutput,
  async run({ reads, tenant, id, now }) {
    const posting = isId('txn', id) ? await reads.one(postingsTable, tenant, id) : undefined;
    const result = posting && serializeTransaction(posting, dayOf(now));
    if (result === undefined) throw apiError('resource_missing', { param: 'id', resource: 'balance transaction' });
    return { result, objectId: result.id };
  },
});

export const balanceOperations = [retrieve, listTransactions, retrieveTransaction];
