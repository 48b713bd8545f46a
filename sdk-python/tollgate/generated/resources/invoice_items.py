# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.invoice_items import (
        DeletedInvoiceItem,
        InvoiceItem,
        InvoiceItemsCreateParameters,
        InvoiceItemsListParameters,
        InvoiceItemsRetrieveParameters,
    )


class InvoiceItemsResource(Resource):
    """Amounts that wait for the next invoice of a customer: one-off charges and deductions."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoiceItemsCreateParameters],
    ) -> InvoiceItem:
        """Create an invoice item.

        The item waits for the next invoice of the customer, or of the subscription that it names, in its currency. An
        item is not changed: delete it, and create another.

        `POST /v1/invoice_items` · scope `invoices:write`
        """
        return self._transport.send("POST", "/v1/invoice_items", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoiceItemsListParameters],
    ) -> Listing[InvoiceItem]:
        """List invoice items.

        Returns invoice items in pages, newest first. Those of invoices are listed too.

        `GET /v1/invoice_items` · scope `invoices:read`
        """
        return self._transport.list("/v1/invoice_items", params, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedInvoiceItem:
        """Delete an invoice item that waits for an invoice.

        An item that an invoice has cannot be deleted.

        `DELETE /v1/invoice_items/{id}` · scope `invoices:write`
        """
        return self._transport.send("DELETE", path("/v1/invoice_items/{}", id), {}, idempotency_key, options)

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[InvoiceItemsRetrieveParameters],
    ) -> InvoiceItem:
        """Retrieve an invoice item.

        Returns the invoice item as it is now. It names its invoice once there is one.

        `GET /v1/invoice_items/{id}` · scope `invoices:read`
        """
        return self._transport.send("GET", path("/v1/invoice_items/{}", id), params, None, options)
