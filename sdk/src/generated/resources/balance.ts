// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  Balance,
  BalanceBreakdown,
  BalanceListTransactionsParameters,
  BalanceTransaction,
} from '../types/balance.ts';

/** How much money there is in each currency, and the movements that add up to it. */
export class BalanceResource extends Resource {
  /**
   * Retrieve the balance.
   *
   * The balance is exact at the time of the request. Each list has one entry for each currency in which money has
   * ever moved. Sums can exceed 2^53, and are written with all their digits.
   *
   * `GET /v1/balance` · scope `balance:read`
   */
  retrieve(options?: RequestOptions): Promise<Balance> {
    return this.transport.send('GET', '/v1/balance', undefined, options);
  }

  /**
   * Retrieve what the balance is made of.
   *
   * Says why the balance is what it is: what was available 30 days ago, what has moved it since then, and when
   * what is pending becomes available. Refunds and disputes are deducted immediately, and payments are added days
   * later: what is available can therefore be below 0, and `covered_on` says until when.
   *
   * `GET /v1/balance/breakdown` · scope `balance:read`
   */
  retrieveBreakdown(options?: RequestOptions): Promise<BalanceBreakdown> {
    return this.transport.send('GET', '/v1/balance/breakdown', undefined, options);
  }

  /**
   * List balance transactions.
   *
   * Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all
   * transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/balance/transactions` · scope `balance:read`
   */
  listTransactions<const Path extends PathsOf<BalanceTransaction> = never>(
    params?: BalanceListTransactionsParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<BalanceTransaction, Path>> {
    return this.transport.list('/v1/balance/transactions', params, options);
  }

  /**
   * List balance transactions.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns every movement of the balance, newest first. With `Accept: text/csv` the answer is one file with all
   * transactions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
   * `columns` chooses its columns.
   *
   * `GET /v1/balance/transactions` · scope `balance:read`
   */
  listTransactionsCsv(
    params?: BalanceListTransactionsParameters,
    options?: RequestOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/balance/transactions', params, options, 'text/csv');
  }

  /**
   * Retrieve a balance transaction.
   *
   * Returns one movement of the balance. Only its `status` ever changes, on the day of `available_on`.
   *
   * `GET /v1/balance/transactions/{id}` · scope `balance:read`
   */
  retrieveTransaction<const Path extends PathsOf<BalanceTransaction> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<BalanceTransaction, Path>> {
    return this.transport.send('GET', path`/v1/balance/transactions/${id}`, expandIn(options), options);
  }
}
