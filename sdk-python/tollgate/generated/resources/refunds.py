# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.refunds import (
        Refund,
        RefundsCreateParameters,
        RefundsListParameters,
        RefundsRetrieveParameters,
        RefundsUpdateParameters,
    )


class RefundsResource(Resource):
    """Money that goes back to customers, all or part of a payment."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RefundsCreateParameters],
    ) -> Refund:
        """Refund a payment.

        Returns all or part of a payment to the customer. A payment can have any number of refunds, up to what was
        received. A refund that the bank refuses immediately is answered with 200 and the status `failed`. A payment
        with an open or lost dispute cannot be refunded.

        `POST /v1/refunds` · scope `refunds:write`
        """
        return self._transport.send("POST", "/v1/refunds", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RefundsListParameters],
    ) -> Listing[Refund]:
        """List refunds.

        Returns refunds in pages, newest first. With `Accept: text/csv` the answer is one file with all refunds that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/refunds` · scope `refunds:read`
        """
        return self._transport.list("/v1/refunds", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RefundsListParameters],
    ) -> Iterator[bytes]:
        """List refunds.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns refunds in pages, newest first. With `Accept: text/csv` the answer is one file with all refunds that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/refunds` · scope `refunds:read`
        """
        return self._transport.text("/v1/refunds", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RefundsRetrieveParameters],
    ) -> Refund:
        """Retrieve a refund.

        Returns the refund as it is now. A pending refund is settled by the processor, and its events say when.

        `GET /v1/refunds/{id}` · scope `refunds:read`
        """
        return self._transport.send("GET", path("/v1/refunds/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RefundsUpdateParameters],
    ) -> Refund:
        """Update a refund.

        Changes only what it names. An update that changes nothing creates no event. Only the metadata can be changed.

        `POST /v1/refunds/{id}` · scope `refunds:write`
        """
        return self._transport.send("POST", path("/v1/refunds/{}", id), params, idempotency_key, options)
