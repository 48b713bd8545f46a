# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...transport import RequestOptions
    from ..types.search import SearchQueryParameters, SearchResults


class SearchResource(Resource):
    """Objects of every kind, by what a person knows of them."""

    def query(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SearchQueryParameters],
    ) -> SearchResults:
        """Find objects.

        Finds objects by an id, an email, the last four digits of a payment method and an amount, the number of an
        invoice, or the reference of a processor. Matches are exact, but for upper and lower case in emails. Only
        kinds that the key may read are searched.

        `GET /v1/search` · scope `any:read`
        """
        return self._transport.send("GET", "/v1/search", params, None, options)
