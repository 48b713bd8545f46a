# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.reconciliations import Reconciliation, ReconciliationsListParameters


class ReconciliationsResource(Resource):
    """Days of the ledger that were compared with the statement of a processor."""

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> Reconciliation:
        """Retrieve a reconciliation.

        Returns the reconciliation as it is now.

        `GET /v1/reconciliations/{id}` · scope `balance:read`
        """
        return self._transport.send("GET", path("/v1/reconciliations/{}", id), {}, None, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationsListParameters],
    ) -> Listing[Reconciliation]:
        """List reconciliations.

        Returns reconciliations in pages, newest first. They are in the order of the days that were compared, whose
        beginning is `created`; the operator compares a day with `tollgate reconcile --record`, and comparing it again
        replaces the figures. With `Accept: text/csv` the answer is one file with all reconciliations that the filters
        select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/reconciliations` · scope `balance:read`
        """
        return self._transport.list("/v1/reconciliations", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ReconciliationsListParameters],
    ) -> Iterator[bytes]:
        """List reconciliations.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns reconciliations in pages, newest first. They are in the order of the days that were compared, whose
        beginning is `created`; the operator compares a day with `tollgate reconcile --record`, and comparing it again
        replaces the figures. With `Accept: text/csv` the answer is one file with all reconciliations that the filters
        select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/reconciliations` · scope `balance:read`
        """
        return self._transport.text("/v1/reconciliations", params, options, "text/csv")
