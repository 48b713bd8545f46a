# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.payment_links import (
        PaymentLink,
        PaymentLinksCreateParameters,
        PaymentLinksListParameters,
        PaymentLinksUpdateParameters,
    )


class PaymentLinksResource(Resource):
    """Addresses that sell the same thing to anybody, without a line of code."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentLinksCreateParameters],
    ) -> PaymentLink:
        """Create a payment link.

        A payment link is an address that sells the same thing to anybody: `amount` with `currency`, `line_items`, or
        an amount that the customer chooses. With the mode `subscription`, its prices that recur start subscriptions.
        A visit writes nothing; the first press of the button creates a checkout session. `?email=` and `?reference=`
        fill in the page.

        `POST /v1/payment_links` · scope `payment_links:write`
        """
        return self._transport.send("POST", "/v1/payment_links", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentLinksListParameters],
    ) -> Listing[PaymentLink]:
        """List payment links.

        Returns payment links in pages, newest first. With `Accept: text/csv` the answer is one file with all payment
        links that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
        chooses its columns.

        `GET /v1/payment_links` · scope `payment_links:read`
        """
        return self._transport.list("/v1/payment_links", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentLinksListParameters],
    ) -> Iterator[bytes]:
        """List payment links.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns payment links in pages, newest first. With `Accept: text/csv` the answer is one file with all payment
        links that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
        chooses its columns.

        `GET /v1/payment_links` · scope `payment_links:read`
        """
        return self._transport.text("/v1/payment_links", params, options, "text/csv")

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> PaymentLink:
        """Retrieve a payment link.

        Returns the payment link as it is now.

        `GET /v1/payment_links/{id}` · scope `payment_links:read`
        """
        return self._transport.send("GET", path("/v1/payment_links/{}", id), {}, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentLinksUpdateParameters],
    ) -> PaymentLink:
        """Update a payment link.

        Changes only what it names, and creates no event if that changes nothing. Another way to say what is sold
        replaces the one before: `amount`, `line_items` or `amount_choice`. Sessions that were made keep what they
        sell. `url` begins with the `PUBLIC_URL` of the latest change.

        `POST /v1/payment_links/{id}` · scope `payment_links:write`
        """
        return self._transport.send("POST", path("/v1/payment_links/{}", id), params, idempotency_key, options)
