// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Listing } from '../../listing.ts';
import type { RequestOptions } from '../../options.ts';
import { path } from '../../path.ts';
import { Resource } from '../../resource.ts';
import type {
  CreditTransaction,
  Customer,
  CustomersCreateParameters,
  CustomersListCreditTransactionsParameters,
  CustomersListParameters,
  CustomersListPaymentMethodsParameters,
  CustomersUpdateParameters,
  DeletedCustomer,
} from '../types/customers.ts';
import type { PaymentMethod } from '../types/payment_methods.ts';

export class CustomersResource extends Resource {
  /**
   * Create a customer.
   *
   * `POST /v1/customers` · scope `customers:write`
   */
  create(params?: CustomersCreateParameters, options?: RequestOptions): Promise<Customer> {
    return this.transport.send('POST', '/v1/customers', params, options);
  }

  /**
   * List customers.
   *
   * `GET /v1/customers` · scope `customers:read`
   */
  list(params?: CustomersListParameters, options?: RequestOptions): Listing<Customer> {
    return this.transport.list('/v1/customers', params, options);
  }

  /**
   * Retrieve a customer.
   *
   * `GET /v1/customers/{id}` · scope `customers:read`
   */
  retrieve(id: string, options?: RequestOptions): Promise<Customer> {
    return this.transport.send('GET', path`/v1/customers/${id}`, undefined, options);
  }

  /**
   * Update a customer.
   *
   * `POST /v1/customers/{id}` · scope `customers:write`
   */
  update(id: string, params?: CustomersUpdateParameters, options?: RequestOptions): Promise<Customer> {
    return this.transport.send('POST', path`/v1/customers/${id}`, params, options);
  }

  /**
   * Delete a customer.
   *
   * `DELETE /v1/customers/{id}` · scope `customers:write`
   */
  delete(id: string, options?: RequestOptions): Promise<DeletedCustomer> {
    return this.transport.send('DELETE', path`/v1/customers/${id}`, undefined, options);
  }

  /**
   * List the changes of the credit of a customer.
   *
   * `GET /v1/customers/{id}/credit_transactions` · scope `customers:read`
   */
  listCreditTransactions(
    id: string,
    params?: CustomersListCreditTransactionsParameters,
    options?: RequestOptions,
  ): Listing<CreditTransaction> {
    return this.transport.list(path`/v1/customers/${id}/credit_transactions`, params, options);
  }

  /**
   * List the payment methods of a customer.
   *
   * `GET /v1/customers/{id}/payment_methods` · scope `payment_methods:read`
   */
  listPaymentMethods(
    id: string,
    params?: CustomersListPaymentMethodsParameters,
    options?: RequestOptions,
  ): Listing<PaymentMethod> {
    return this.transport.list(path`/v1/customers/${id}/payment_methods`, params, options);
  }
}
