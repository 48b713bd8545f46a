# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.customers import (
        CreditTransaction,
        Customer,
        CustomerSummary,
        CustomersCreateParameters,
        CustomersListCreditTransactionsParameters,
        CustomersListParameters,
        CustomersListPaymentMethodsParameters,
        CustomersRetrieveParameters,
        CustomersUpdateParameters,
        DeletedCustomer,
    )
    from ..types.payment_methods import PaymentMethod


class CustomersResource(Resource):
    """The people and companies that pay you, with their payment methods and their credit."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersCreateParameters],
    ) -> Customer:
        """Create a customer.

        All parameters are optional. With `test_clock` the customer lives in the time of that clock.

        `POST /v1/customers` · scope `customers:write`
        """
        return self._transport.send("POST", "/v1/customers", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersListParameters],
    ) -> Listing[Customer]:
        """List customers.

        Returns customers in pages, newest first. With `Accept: text/csv` the answer is one file with all customers
        that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/customers` · scope `customers:read`
        """
        return self._transport.list("/v1/customers", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersListParameters],
    ) -> Iterator[bytes]:
        """List customers.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns customers in pages, newest first. With `Accept: text/csv` the answer is one file with all customers
        that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/customers` · scope `customers:read`
        """
        return self._transport.text("/v1/customers", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersRetrieveParameters],
    ) -> Customer:
        """Retrieve a customer.

        Returns the customer as it is now. A customer that was deleted is not found.

        `GET /v1/customers/{id}` · scope `customers:read`
        """
        return self._transport.send("GET", path("/v1/customers/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersUpdateParameters],
    ) -> Customer:
        """Update a customer.

        Changes only what it names. An update that changes nothing creates no event. Null or an empty string removes a
        field. Another default payment method is tried immediately for open invoices that have failed.

        `POST /v1/customers/{id}` · scope `customers:write`
        """
        return self._transport.send("POST", path("/v1/customers/{}", id), params, idempotency_key, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedCustomer:
        """Delete a customer.

        Erases the email address, name, phone number, address, tax id and metadata; finalized invoices keep the name,
        address and tax id that they were made with, as bookkeeping law asks for. Payment methods are detached,
        subscriptions canceled without credit, open checkout sessions expired, what was typed into any of them erased,
        open invoices voided, waiting invoice items deleted, and with them the notes on the customer and on its
        payments, disputes and subscriptions; credit is forfeited. Payments stay as they are. Retrieving the customer
        afterwards is refused with 404.

        `DELETE /v1/customers/{id}` · scope `customers:write`
        """
        return self._transport.send("DELETE", path("/v1/customers/{}", id), {}, idempotency_key, options)

    def list_credit_transactions(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersListCreditTransactionsParameters],
    ) -> Listing[CreditTransaction]:
        """List the changes of the credit of a customer.

        Returns every change of the credit, newest first. An invoice with a total below 0 adds credit, and later ones
        use it before anything is charged.

        `GET /v1/customers/{id}/credit_transactions` · scope `customers:read`
        """
        return self._transport.list(path("/v1/customers/{}/credit_transactions", id), params, options)

    def retrieve_summary(self, id: str, *, options: Optional[RequestOptions] = None) -> CustomerSummary:
        """Retrieve what a customer has paid and owes.

        Adds up the payments, disputes and open invoices of a customer, as the lists have them now, and the credit.
        Members about objects that the key may not read are absent. Of each status the newest 10,000 are added up;
        `is_complete` says whether that was all.

        `GET /v1/customers/{id}/summary` · scope `customers:read`
        """
        return self._transport.send("GET", path("/v1/customers/{}/summary", id), {}, None, options)

    def list_payment_methods(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CustomersListPaymentMethodsParameters],
    ) -> Listing[PaymentMethod]:
        """List the payment methods of a customer.

        Returns the payment methods that are attached to the customer, newest first.

        `GET /v1/customers/{id}/payment_methods` · scope `payment_methods:read`
        """
        return self._transport.list(path("/v1/customers/{}/payment_methods", id), params, options)
