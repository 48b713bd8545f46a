# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...transport import RequestOptions
    from ..types.routing import Routing, RoutingUpdateParameters


class RoutingResource(Resource):
    """The rules by which payments are routed to processor accounts."""

    def retrieve(self, *, options: Optional[RequestOptions] = None) -> Routing:
        """Retrieve the routing rules.

        Returns the rules in the order in which they are tried. Without rules, the enabled processor accounts are
        tried, oldest first.

        `GET /v1/routing` · scope `routing:read`
        """
        return self._transport.send("GET", "/v1/routing", {}, None, options)

    def update(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RoutingUpdateParameters],
    ) -> Routing:
        """Set the routing rules.

        Replaces all rules; an empty list removes them. The server that is asked applies them immediately, others
        within a second. Refused are an account twice in a rule, and a rule that can never match because of an earlier
        one. In live mode only the operator can do this, on the command line.

        `POST /v1/routing` · scope `routing:write`
        """
        return self._transport.send("POST", "/v1/routing", params, idempotency_key, options)
