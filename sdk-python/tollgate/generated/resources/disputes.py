# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.disputes import (
        Dispute,
        DisputesCloseParameters,
        DisputesListParameters,
        DisputesRetrieveParameters,
        DisputesUpdateParameters,
    )


class DisputesResource(Resource):
    """Payments that cardholders have disputed with their banks, and your evidence."""

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[DisputesRetrieveParameters],
    ) -> Dispute:
        """Retrieve a dispute.

        Returns the dispute as it is now. Processors report disputes; they cannot be created.

        `GET /v1/disputes/{id}` · scope `disputes:read`
        """
        return self._transport.send("GET", path("/v1/disputes/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[DisputesUpdateParameters],
    ) -> Dispute:
        """Gather evidence against a dispute and submit it, or change metadata.

        Evidence is merged field by field, and only kept until a request has `submit`: then all of it is sent to the
        bank. Nothing is submitted by itself. More can be submitted until `evidence_details.due_by`. Metadata can be
        changed at any time, and is not sent to the bank.

        `POST /v1/disputes/{id}` · scope `disputes:write`
        """
        return self._transport.send("POST", path("/v1/disputes/{}", id), params, idempotency_key, options)

    def close(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[DisputesCloseParameters],
    ) -> Dispute:
        """Give a dispute up.

        Accepts the dispute, which is then `lost`. It cannot be undone.

        `POST /v1/disputes/{id}/close` · scope `disputes:write`
        """
        return self._transport.send("POST", path("/v1/disputes/{}/close", id), params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[DisputesListParameters],
    ) -> Listing[Dispute]:
        """List disputes.

        Returns disputes in pages, newest first. With `Accept: text/csv` the answer is one file with all disputes that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/disputes` · scope `disputes:read`
        """
        return self._transport.list("/v1/disputes", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[DisputesListParameters],
    ) -> Iterator[bytes]:
        """List disputes.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns disputes in pages, newest first. With `Accept: text/csv` the answer is one file with all disputes that
        the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its
        columns.

        `GET /v1/disputes` · scope `disputes:read`
        """
        return self._transport.text("/v1/disputes", params, options, "text/csv")
