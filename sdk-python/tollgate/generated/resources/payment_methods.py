# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.payment_methods import (
        PaymentMethod,
        PaymentMethodsAttachParameters,
        PaymentMethodsCreateParameters,
        PaymentMethodsDetachParameters,
        PaymentMethodsListParameters,
        PaymentMethodsRetrieveParameters,
        PaymentMethodsUpdateParameters,
    )


class PaymentMethodsResource(Resource):
    """What payments charge, by its id: cards whose numbers are in the vault, or that a processor keeps."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsCreateParameters],
    ) -> PaymentMethod:
        """Create a payment method.

        Stores a card by its number, or a card that a processor keeps by its token. No bank is asked about a number:
        the first payment shows whether the card can be charged. For a token the processor is asked, for 15 seconds at
        most. If you send card numbers, you are in scope of PCI DSS.

        `POST /v1/payment_methods` · scope `payment_methods:write`
        """
        return self._transport.send("POST", "/v1/payment_methods", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsListParameters],
    ) -> Listing[PaymentMethod]:
        """List payment methods.

        Returns payment methods in pages, newest first. Without `customer` the list has all of them: also detached
        ones, and those without a customer. With `Accept: text/csv` the answer is one file with all payment methods
        that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/payment_methods` · scope `payment_methods:read`
        """
        return self._transport.list("/v1/payment_methods", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsListParameters],
    ) -> Iterator[bytes]:
        """List payment methods.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns payment methods in pages, newest first. Without `customer` the list has all of them: also detached
        ones, and those without a customer. With `Accept: text/csv` the answer is one file with all payment methods
        that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/payment_methods` · scope `payment_methods:read`
        """
        return self._transport.text("/v1/payment_methods", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsRetrieveParameters],
    ) -> PaymentMethod:
        """Retrieve a payment method.

        Returns the payment method as it is now.

        `GET /v1/payment_methods/{id}` · scope `payment_methods:read`
        """
        return self._transport.send("GET", path("/v1/payment_methods/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsUpdateParameters],
    ) -> PaymentMethod:
        """Update a payment method.

        Changes the expiry, the billing details and the metadata, and only what it names. The number cannot be
        changed: create another payment method.

        `POST /v1/payment_methods/{id}` · scope `payment_methods:write`
        """
        return self._transport.send("POST", path("/v1/payment_methods/{}", id), params, idempotency_key, options)

    def attach(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsAttachParameters],
    ) -> PaymentMethod:
        """Attach a payment method to a customer.

        A payment method belongs to one customer at most. Attaching it again to the same customer changes nothing. A
        token that was not charged yet is attached at the processor too, so that it can be charged again.

        `POST /v1/payment_methods/{id}/attach` · scope `payment_methods:write`
        """
        return self._transport.send("POST", path("/v1/payment_methods/{}/attach", id), params, idempotency_key, options)

    def detach(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentMethodsDetachParameters],
    ) -> PaymentMethod:
        """Detach a payment method, for good.

        The payment method loses its customer, and can never again be charged or attached. What the vault has of it is
        deleted about a minute later, or once its unfinished payments are finished. If it was the default of its
        customer, the customer has none any more.

        `POST /v1/payment_methods/{id}/detach` · scope `payment_methods:write`
        """
        return self._transport.send("POST", path("/v1/payment_methods/{}/detach", id), params, idempotency_key, options)
