# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...transport import RequestOptions
    from ..types.portal_sessions import PortalSession, PortalSessionsCreateParameters


class PortalSessionsResource(Resource):
    """Links by which customers sign in to the portal."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PortalSessionsCreateParameters],
    ) -> PortalSession:
        """Create a link to the customer portal.

        Send the customer to `url` when they are signed in to your shop: it works once, within five minutes, and signs
        them in to the portal for an hour after the last click, eight at most. What they can do there is in the portal
        settings.

        `POST /v1/portal_sessions` · scope `portal_sessions:write`
        """
        return self._transport.send("POST", "/v1/portal_sessions", params, idempotency_key, options)
