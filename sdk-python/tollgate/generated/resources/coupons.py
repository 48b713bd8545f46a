# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.coupons import Coupon, CouponsCreateParameters, CouponsListParameters, DeletedCoupon


class CouponsResource(Resource):
    """Discounts for subscriptions: a percentage, or an amount in one currency."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CouponsCreateParameters],
    ) -> Coupon:
        """Create a coupon.

        Send either `percent_off`, or `amount_off` with `currency`. A coupon cannot be changed: delete it, and create
        another.

        `POST /v1/coupons` · scope `prices:write`
        """
        return self._transport.send("POST", "/v1/coupons", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CouponsListParameters],
    ) -> Listing[Coupon]:
        """List coupons.

        Returns coupons in pages, newest first. Deleted coupons are left out. With `Accept: text/csv` the answer is
        one file with all coupons that the filters select; `limit`, `starting_after` and `ending_before` are refused
        then. `columns` chooses its columns.

        `GET /v1/coupons` · scope `prices:read`
        """
        return self._transport.list("/v1/coupons", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CouponsListParameters],
    ) -> Iterator[bytes]:
        """List coupons.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns coupons in pages, newest first. Deleted coupons are left out. With `Accept: text/csv` the answer is
        one file with all coupons that the filters select; `limit`, `starting_after` and `ending_before` are refused
        then. `columns` chooses its columns.

        `GET /v1/coupons` · scope `prices:read`
        """
        return self._transport.text("/v1/coupons", params, options, "text/csv")

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> Coupon:
        """Retrieve a coupon.

        Returns the coupon as it is now. A coupon that was deleted is not found.

        `GET /v1/coupons/{id}` · scope `prices:read`
        """
        return self._transport.send("GET", path("/v1/coupons/{}", id), {}, None, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedCoupon:
        """Delete a coupon.

        No subscription can get it from now on, and its code can be given to another. Subscriptions that have it keep
        it.

        `DELETE /v1/coupons/{id}` · scope `prices:write`
        """
        return self._transport.send("DELETE", path("/v1/coupons/{}", id), {}, idempotency_key, options)
