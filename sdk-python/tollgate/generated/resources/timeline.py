# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.timeline import TimelineEntry, TimelineListParameters


class TimelineResource(Resource):
    """What happened to an object, in one order: requests, attempts, postings, events, deliveries and who did it."""

    def list(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[TimelineListParameters],
    ) -> Listing[TimelineEntry]:
        """List what happened to an object.

        Returns requests, attempts, postings, events with their deliveries and, for people, audit entries in one
        order, newest first. The id is that of a payment, refund, dispute, customer, payment method, subscription,
        invoice or checkout session, and the key needs its read scope. The timeline of a payment includes its refunds
        and disputes, that of a checkout session its tries, with their refunds and disputes, and that of a customer
        everything that it has paid or owes, as far as the key may read them; entries with the same `group` have one
        cause. People see requests, deliveries and postings if their role may read those elsewhere.

        `GET /v1/timeline/{id}` · scope `any:read`
        """
        return self._transport.list(path("/v1/timeline/{}", id), params, options)
