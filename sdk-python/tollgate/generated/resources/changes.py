# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...transport import RequestOptions
    from ..types.changes import Change, ChangesFollowParameters


class ChangesResource(Resource):
    """What happens in an account, as it happens, for pages that show it and for programs behind a firewall."""

    def follow(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[ChangesFollowParameters],
    ) -> Iterator[Change]:
        """Follow what happens.

        Server-sent events: one message for each event, and for people one for each attempt to deliver an event;
        people whose role may not read events get only the object that has changed. With `Last-Event-ID` it continues
        after that message, without a gap, for an hour; and without a repetition, except where the account has moved
        to another server of a cluster meanwhile: then what happened in the minute before can come again. The stream
        counts as one request, and ends when the session or the key does. The keys of an account have ten at a time in
        each mode, on each instance of the server.

        `GET /v1/changes` · scope `events:read`
        """
        return self._transport.follow("/v1/changes", params, options)
