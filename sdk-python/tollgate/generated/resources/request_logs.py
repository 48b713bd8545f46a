# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.request_logs import (
        RequestErrors,
        RequestLog,
        RequestLogsListErrorsParameters,
        RequestLogsListParameters,
    )


class RequestLogsResource(Resource):
    """Every request of the last 30 days, or as many as the operator has set, with its parameters, redacted, and its
    answer in short.
    """

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RequestLogsListParameters],
    ) -> Listing[RequestLog]:
        """List requests.

        Returns the requests of the last 30 days, or as many as the operator has set, in pages, newest first. A
        request is there within a second of its answer. With several filters a page can end before it is full; it then
        has `searched_to`.

        `GET /v1/request_logs` · scope `request_logs:read`
        """
        return self._transport.list("/v1/request_logs", params, options)

    def retrieve(self, id: str, *, options: Optional[RequestOptions] = None) -> RequestLog:
        """Retrieve a request.

        Returns one request by the id that its answer had in `Request-Id`. Requests are kept for 30 days, or as many
        as the operator has set. Those without a valid key or session belong to no account, and are not shown.

        `GET /v1/request_logs/{id}` · scope `request_logs:read`
        """
        return self._transport.send("GET", path("/v1/request_logs/{}", id), {}, None, options)

    def list_errors(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[RequestLogsListErrorsParameters],
    ) -> RequestErrors:
        """Count refused requests by error code and route.

        Counts those of the last 24 hours, or of the time that `created` gives. The largest groups come first.

        `GET /v1/request_logs/errors` · scope `request_logs:read`
        """
        return self._transport.send("GET", "/v1/request_logs/errors", params, None, options)
