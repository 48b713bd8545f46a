# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.reconciliation_differences import (
        ReconciliationDifference,
        ReconciliationDifferencesAcceptParameters,
        ReconciliationDifferencesFollowUpParameters,
        ReconciliationDifferencesListParameters,
        ReconciliationDifferencesRetrieveParameters,
    )


class ReconciliationDifferencesResource(Resource):
    """Lines that differ between the ledger and the statement of a processor."""

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationDifferencesRetrieveParameters],
    ) -> ReconciliationDifference:
        """Retrieve a reconciliation difference.

        Returns the reconciliation difference as it is now.

        `GET /v1/reconciliation_differences/{id}` · scope `balance:read`
        """
        return self._transport.send("GET", path("/v1/reconciliation_differences/{}", id), params, None, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationDifferencesListParameters],
    ) -> Listing[ReconciliationDifference]:
        """List reconciliation differences.

        Returns reconciliation differences in pages, newest first. A difference that a later comparison of its day
        does not find again is no longer there. With `Accept: text/csv` the answer is one file with all reconciliation
        differences that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
        chooses its columns.

        `GET /v1/reconciliation_differences` · scope `balance:read`
        """
        return self._transport.list("/v1/reconciliation_differences", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationDifferencesListParameters],
    ) -> Iterator[bytes]:
        """List reconciliation differences.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns reconciliation differences in pages, newest first. A difference that a later comparison of its day
        does not find again is no longer there. With `Accept: text/csv` the answer is one file with all reconciliation
        differences that the filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns`
        chooses its columns.

        `GET /v1/reconciliation_differences` · scope `balance:read`
        """
        return self._transport.text("/v1/reconciliation_differences", params, options, "text/csv")

    def accept(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationDifferencesAcceptParameters],
    ) -> ReconciliationDifference:
        """Accept a reconciliation difference.

        Records that a difference is explained, by whom and why. The books stay as they are, and it no longer needs
        attention. It stays accepted when its day is compared again, unless it has become another difference.

        `POST /v1/reconciliation_differences/{id}/accept` · scope `balance:write`
        """
        return self._transport.send("POST", path("/v1/reconciliation_differences/{}/accept", id), params, idempotency_key, options)

    def follow_up(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationDifferencesFollowUpParameters],
    ) -> ReconciliationDifference:
        """Follow up a reconciliation difference.

        Records that somebody looks into a difference, so that others do not. It still needs attention. One that was
        accepted is open again with it.

        `POST /v1/reconciliation_differences/{id}/follow_up` · scope `balance:write`
        """
        return self._transport.send("POST", path("/v1/reconciliation_differences/{}/follow_up", id), params, idempotency_key, options)
