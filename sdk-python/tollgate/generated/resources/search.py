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

        Finds objects of every kind by words: each begins a word of the object, in any order, in upper or lower case,
        with or without accents. Metadata is not searched. A change is found within two seconds; ids, and references
        of processors in full, immediately. Only kinds that the key may read are searched.

        `GET /v1/search` · scope `any:read`
        """
        return self._transport.send("GET", "/v1/search", params, None, options)
