# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.shared import WebhookDelivery
    from ..types.webhook_endpoints import (
        DeletedWebhookEndpoint,
        WebhookEndpoint,
        WebhookEndpointWithSecret,
        WebhookEndpointsCreateParameters,
        WebhookEndpointsListAllDeliveriesParameters,
        WebhookEndpointsListDeliveriesParameters,
        WebhookEndpointsListParameters,
        WebhookEndpointsRecoverParameters,
        WebhookEndpointsRotateSecretParameters,
        WebhookEndpointsUpdateParameters,
        WebhookRecovery,
    )


class WebhookEndpointsResource(Resource):
    """Receivers of events: their addresses, their secrets, and what was delivered to them."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsCreateParameters],
    ) -> WebhookEndpointWithSecret:
        """Create a webhook endpoint.

        The answer has the secret that deliveries are signed with; it is not shown again. A second endpoint with the
        same address and the same events is refused. There can be 50 in each mode.

        `POST /v1/webhook_endpoints` · scope `webhook_endpoints:write`
        """
        return self._transport.send("POST", "/v1/webhook_endpoints", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsListParameters],
    ) -> Listing[WebhookEndpoint]:
        """List webhook endpoints.

        Returns webhook endpoints in pages, newest first. Their secrets are not shown.

        `GET /v1/webhook_endpoints` · scope `webhook_endpoints:read`
        """
        return self._transport.list("/v1/webhook_endpoints", params, options)

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> WebhookEndpoint:
        """Retrieve a webhook endpoint.

        Returns the webhook endpoint as it is now. Its secret is not shown.

        `GET /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:read`
        """
        return self._transport.send("GET", path("/v1/webhook_endpoints/{}", id), {}, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsUpdateParameters],
    ) -> WebhookEndpoint:
        """Update a webhook endpoint.

        Changes only what it names. Running servers apply it within a second. The URL of an inbox stays. To enable an
        endpoint again does not send what it has missed: recover it.

        `POST /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
        """
        return self._transport.send("POST", path("/v1/webhook_endpoints/{}", id), params, idempotency_key, options)

    def delete(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Deletes its secrets too, and its inbox if it has one. What was not delivered is no longer sent.

        `DELETE /v1/webhook_endpoints/{id}` · scope `webhook_endpoints:write`
        """
        return self._transport.send("DELETE", path("/v1/webhook_endpoints/{}", id), {}, idempotency_key, options)

    def rotate_secret(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsRotateSecretParameters],
    ) -> WebhookEndpointWithSecret:
        """Replace the secret of a webhook endpoint.

        The answer has the new secret. During the overlap deliveries are signed with both secrets. With
        `overlap_hours` 0 the old one is deleted immediately. Only the latest two secrets are used.

        `POST /v1/webhook_endpoints/{id}/rotate_secret` · scope `webhook_endpoints:write`
        """
        return self._transport.send("POST", path("/v1/webhook_endpoints/{}/rotate_secret", id), params, idempotency_key, options)

    def list_deliveries(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsListDeliveriesParameters],
    ) -> Listing[WebhookDelivery]:
        """List the deliveries to a webhook endpoint.

        Returns the deliveries of the last 90 days, or as many as the operator has set, newest first, each with its
        latest attempts.

        `GET /v1/webhook_endpoints/{id}/deliveries` · scope `webhook_endpoints:read`
        """
        return self._transport.list(path("/v1/webhook_endpoints/{}/deliveries", id), params, options)

    def list_all_deliveries(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsListAllDeliveriesParameters],
    ) -> Listing[WebhookDelivery]:
        """List the deliveries to all webhook endpoints.

        Returns the deliveries of the last 90 days, or as many as the operator has set, in pages, newest first, each
        with its latest attempts. With `object_id`, those of events about one object.

        `GET /v1/webhook_endpoints/deliveries` · scope `webhook_endpoints:read`
        """
        return self._transport.list("/v1/webhook_endpoints/deliveries", params, options)

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
    ) -> WebhookDelivery:
        """Send a test event to a webhook endpoint.

        Creates an event `webhook_endpoint.test` for this endpoint alone, whatever it subscribes to. The answer is the
        new delivery.

        `POST /v1/webhook_endpoints/{id}/test` · scope `webhook_endpoints:write`
        """
        return self._transport.send("POST", path("/v1/webhook_endpoints/{}/test", id), {}, idempotency_key, options)

    def recover(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[WebhookEndpointsRecoverParameters],
    ) -> WebhookRecovery:
        """Send a webhook endpoint the events it has missed.

        Sends the events since a time that match its subscriptions and were not delivered, also those from before it
        was created. It runs in the background, oldest first. Delivered and pending events are skipped, so a second
        call does no harm.

        `POST /v1/webhook_endpoints/{id}/recover` · scope `webhook_endpoints:write`
        """
        return self._transport.send("POST", path("/v1/webhook_endpoints/{}/recover", id), params, idempotency_key, options)
