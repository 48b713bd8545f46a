# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.events import Event, EventsListParameters, EventsResendParameters
    from ..types.shared import WebhookDelivery


class EventsResource(Resource):
    """Records of every change, for webhooks and for polling."""

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> Event:
        """Retrieve an event.

        Returns the event as it is now. Events are kept for 90 days, or as many as the operator has set.

        `GET /v1/events/{id}` · scope `events:read`
        """
        return self._transport.send("GET", path("/v1/events/{}", id), {}, None, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[EventsListParameters],
    ) -> Listing[Event]:
        """List events.

        Returns events in pages, newest first. Events are kept for 90 days, or as many as the operator has set.

        `GET /v1/events` · scope `events:read`
        """
        return self._transport.list("/v1/events", params, options)

    def resend(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[EventsResendParameters],
    ) -> Event:
        """Send an event to its webhook endpoints again.

        Sends the event immediately, with ten new attempts, whatever the result of earlier ones. A named endpoint need
        not subscribe to the type.

        `POST /v1/events/{id}/resend` · scope `events:write`
        """
        return self._transport.send("POST", path("/v1/events/{}/resend", id), params, idempotency_key, options)

    def list_deliveries(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Listing[WebhookDelivery]:
        """List the deliveries of an event.

        Returns all of them in one page: one for each webhook endpoint that the event was sent to and that still
        exists.

        `GET /v1/events/{id}/deliveries` · scope `webhook_endpoints:read`
        """
        return self._transport.list(path("/v1/events/{}/deliveries", id), {}, options)
