// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Expanded, Expanding, PathsOf } from '../../expanding.ts';
import { expandIn } from '../../expanding.ts';
import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  CreditTransaction,
  Customer,
  CustomerSummary,
  CustomersCreateParameters,
  CustomersListCreditTransactionsParameters,
  CustomersListParameters,
  CustomersListPaymentMethodsParameters,
  CustomersUpdateParameters,
  DeletedCustomer,
} from '../types/customers.ts';
import type { PaymentMethod } from '../types/payment_methods.ts';

/** The people and companies that pay you, with their payment methods and their credit. */
export class CustomersResource extends Resource {
  /**
   * Create a customer.
   *
   * All parameters are optional. With `test_clock` the customer lives in the time of that clock.
   *
   * `POST /v1/customers` · scope `customers:write`
   */
  create<const Path extends PathsOf<Customer> = never>(
    params?: CustomersCreateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Customer, Path>> {
    return this.transport.send('POST', '/v1/customers', params, options);
  }

  /**
   * List customers.
   *
   * Returns customers in pages, newest first. With `Accept: text/csv` the answer is one file with all customers
   * that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/customers` · scope `customers:read`
   */
  list<const Path extends PathsOf<Customer> = never>(
    params?: CustomersListParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<Customer, Path>> {
    return this.transport.list('/v1/customers', params, options);
  }

  /**
   * List customers.
   * As `text/csv`, all of them: a stream of any length.
   *
   * Returns customers in pages, newest first. With `Accept: text/csv` the answer is one file with all customers
   * that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
   * columns.
   *
   * `GET /v1/customers` · scope `customers:read`
   */
  listCsv(params?: CustomersListParameters, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.transport.text('/v1/customers', params, options, 'text/csv');
  }

  /**
   * Retrieve a customer.
   *
   * Returns the customer as it is now. A customer that was deleted is not found.
   *
   * `GET /v1/customers/{id}` · scope `customers:read`
   */
  retrieve<const Path extends PathsOf<Customer> = never>(
    id: string,
    options?: RequestOptions & Expanding<Path>,
  ): Promise<Expanded<Customer, Path>> {
    return this.transport.send('GET', path`/v1/customers/${id}`, expandIn(options), options);
  }

  /**
   * Update a customer.
   *
   * Changes only what it names. An update that changes nothing creates no event. Null or an empty string removes a
   * field. Another default payment method is tried immediately for open invoices that have failed.
   *
   * `POST /v1/customers/{id}` · scope `customers:write`
   */
  update<const Path extends PathsOf<Customer> = never>(
    id: string,
    params?: CustomersUpdateParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Promise<Expanded<Customer, Path>> {
    return this.transport.send('POST', path`/v1/customers/${id}`, params, options);
  }

  /**
   * Delete a customer.
   *
   * Erases the email address, name, phone number, address, tax id and metadata; finalized invoices keep the name,
   * address and tax id that they were made with, as bookkeeping law asks for. Payment methods are detached,
   * subscriptions canceled without credit, open checkout sessions expired, what was typed into any of them erased,
   * open invoices voided, waiting invoice items deleted, and with them the notes on the customer and on its
   * payments, disputes and subscriptions; credit is forfeited. Payments stay as they are. Retrieving the customer
   * afterwards is refused with 404.
   *
   * `DELETE /v1/customers/{id}` · scope `customers:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedCustomer> {
    return this.transport.send('DELETE', path`/v1/customers/${id}`, undefined, options);
  }

  /**
   * List the changes of the credit of a customer.
   *
   * Returns every change of the credit, newest first. An invoice with a total below 0 adds credit, and later ones
   * use it before anything is charged.
   *
   * `GET /v1/customers/{id}/credit_transactions` · scope `customers:read`
   */
  listCreditTransactions<const Path extends PathsOf<CreditTransaction> = never>(
    id: string,
    params?: CustomersListCreditTransactionsParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<CreditTransaction, Path>> {
    return this.transport.list(path`/v1/customers/${id}/credit_transactions`, params, options);
  }

  /**
   * Retrieve what a customer has paid and owes.
   *
   * Adds up the payments, disputes and open invoices of a customer, as the lists have them now, and the credit.
   * Members about objects that the key may not read are absent. Of each status the newest 10,000 are added up;
   * `is_complete` says whether that was all.
   *
   * `GET /v1/customers/{id}/summary` · scope `customers:read`
   */
  retrieveSummary(id: string, options?: RequestOptions): Promise<CustomerSummary> {
    return this.transport.send('GET', path`/v1/customers/${id}/summary`, undefined, options);
  }

  /**
   * List the payment methods of a customer.
   *
   * Returns the payment methods that are attached to the customer, newest first.
   *
   * `GET /v1/customers/{id}/payment_methods` · scope `payment_methods:read`
   */
  listPaymentMethods<const Path extends PathsOf<PaymentMethod> = never>(
    id: string,
    params?: CustomersListPaymentMethodsParameters & Expanding<Path>,
    options?: RequestOptions,
  ): Listing<Expanded<PaymentMethod, Path>> {
    return this.transport.list(path`/v1/customers/${id}/payment_methods`, params, options);
  }
}
