# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.invoices import (
        Invoice,
        InvoicesCreateParameters,
        InvoicesFinalizeParameters,
        InvoicesListParameters,
        InvoicesMarkUncollectibleParameters,
        InvoicesPayParameters,
        InvoicesPreviewParameters,
        InvoicesRetrieveParameters,
        InvoicesUpdateParameters,
        InvoicesVoidParameters,
        UpcomingInvoice,
    )


class InvoicesResource(Resource):
    """What customers owe, line by line, and how it was paid."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesCreateParameters],
    ) -> Invoice:
        """Create a draft of an invoice from a customer's waiting items, and from new ones.

        Makes a draft of the items that wait and name no subscription, and of those in `items`, which are created with
        it. Finalize it, and pay it. Without any item the request is refused.

        `POST /v1/invoices` · scope `invoices:write`
        """
        return self._transport.send("POST", "/v1/invoices", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesListParameters],
    ) -> Listing[Invoice]:
        """List invoices.

        Returns invoices in pages, newest first. With `Accept: text/csv` the answer is one file with all invoices that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/invoices` · scope `invoices:read`
        """
        return self._transport.list("/v1/invoices", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesListParameters],
    ) -> Iterator[bytes]:
        """List invoices.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns invoices in pages, newest first. With `Accept: text/csv` the answer is one file with all invoices that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/invoices` · scope `invoices:read`
        """
        return self._transport.text("/v1/invoices", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesRetrieveParameters],
    ) -> Invoice:
        """Retrieve an invoice.

        Returns the invoice as it is now.

        `GET /v1/invoices/{id}` · scope `invoices:read`
        """
        return self._transport.send("GET", path("/v1/invoices/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesUpdateParameters],
    ) -> Invoice:
        """Update an invoice.

        Changes only what it names. An update that changes nothing creates no event. Only the metadata can be changed.

        `POST /v1/invoices/{id}` · scope `invoices:write`
        """
        return self._transport.send("POST", path("/v1/invoices/{}", id), params, idempotency_key, options)

    def pdf(self, id: str, *, options: Optional[RequestOptions] = None) -> bytes:
        """Retrieve an invoice as PDF.

        Returns the document of a finalized invoice, in the customer's language, with seller and buyer as they were
        when it was finalized. The same invoice gives the same bytes, until it changes or Tollgate is upgraded.

        `GET /v1/invoices/{id}/pdf` · scope `invoices:read`
        """
        return self._transport.file(path("/v1/invoices/{}/pdf", id), {}, options, "application/pdf")

    def finalize(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesFinalizeParameters],
    ) -> Invoice:
        """Finalize a draft, which gives it its number.

        Gives the invoice its number, and applies the customer's credit. If nothing is due, the invoice is paid;
        otherwise it is open. A total below 0 becomes credit of the customer.

        `POST /v1/invoices/{id}/finalize` · scope `invoices:write`
        """
        return self._transport.send("POST", path("/v1/invoices/{}/finalize", id), params, idempotency_key, options)

    def pay(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesPayParameters],
    ) -> Invoice:
        """Pay an open invoice.

        Charges a payment method for what is due; uncollectible invoices can be paid too. A decline is answered with
        402, and the invoice stays open. If the cardholder must authenticate, the answer is 200, and the `payment` of
        the invoice has the `next_action`.

        `POST /v1/invoices/{id}/pay` · scope `invoices:write`
        """
        return self._transport.send("POST", path("/v1/invoices/{}/pay", id), params, idempotency_key, options)

    def void(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesVoidParameters],
    ) -> Invoice:
        """Void an invoice.

        Says that an open or uncollectible invoice is not owed. Credit that it used is given back. Its items do not
        wait again.

        `POST /v1/invoices/{id}/void` · scope `invoices:write`
        """
        return self._transport.send("POST", path("/v1/invoices/{}/void", id), params, idempotency_key, options)

    def mark_uncollectible(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesMarkUncollectibleParameters],
    ) -> Invoice:
        """Mark an open invoice as uncollectible.

        Marks the money as no longer expected. The invoice can still be paid or voided.

        `POST /v1/invoices/{id}/mark_uncollectible` · scope `invoices:write`
        """
        return self._transport.send("POST", path("/v1/invoices/{}/mark_uncollectible", id), params, idempotency_key, options)

    def preview(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoicesPreviewParameters],
    ) -> UpcomingInvoice:
        """Preview the next invoice of a subscription, of a change to it, or of a new one.

        Shows an invoice that does not exist, and changes nothing. With `items` it shows the next invoice after this
        change of the subscription. Without `subscription` it shows the first invoice of a new one. The preview and
        its lines have no ids.

        `POST /v1/invoices/preview` · scope `invoices:read`
        """
        return self._transport.send("POST", "/v1/invoices/preview", params, idempotency_key, options)
