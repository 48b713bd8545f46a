# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.prices import Price, PricesCreateParameters, PricesListParameters, PricesUpdateParameters


class PricesResource(Resource):
    """What one of something costs, in which currency, and how often or once."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PricesCreateParameters],
    ) -> Price:
        """Create a price.

        A price is what one of something costs: for a period, or once where `recurring` is not given. Subscriptions
        need prices that recur. The amount, the currency and the period never change: for other terms create another
        price.

        `POST /v1/prices` · scope `prices:write`
        """
        return self._transport.send("POST", "/v1/prices", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PricesListParameters],
    ) -> Listing[Price]:
        """List prices.

        Returns prices in pages, newest first. With `Accept: text/csv` the answer is one file with all prices that the
        filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/prices` · scope `prices:read`
        """
        return self._transport.list("/v1/prices", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PricesListParameters],
    ) -> Iterator[bytes]:
        """List prices.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns prices in pages, newest first. With `Accept: text/csv` the answer is one file with all prices that the
        filters select; `limit`, `starting_after` and `ending_before` are refused then. `columns` chooses its columns.

        `GET /v1/prices` · scope `prices:read`
        """
        return self._transport.text("/v1/prices", params, options, "text/csv")

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> Price:
        """Retrieve a price.

        Returns the price as it is now.

        `GET /v1/prices/{id}` · scope `prices:read`
        """
        return self._transport.send("GET", path("/v1/prices/{}", id), {}, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PricesUpdateParameters],
    ) -> Price:
        """Update a price.

        Changes only what it names. An update that changes nothing creates no event. The amount, the currency and the
        period cannot be changed: create another price, and set this one to inactive.

        `POST /v1/prices/{id}` · scope `prices:write`
        """
        return self._transport.send("POST", path("/v1/prices/{}", id), params, idempotency_key, options)
