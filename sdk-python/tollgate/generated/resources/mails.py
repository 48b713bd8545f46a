# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.mails import (
        Mail,
        MailContent,
        MailSetup,
        MailsListParameters,
        MailsResendParameters,
        MailsRetrieveParameters,
        MailsSampleParameters,
    )


class MailsResource(Resource):
    """What your customers were written by mail, and what became of it."""

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[MailsListParameters],
    ) -> Listing[Mail]:
        """List mails.

        Returns mails in pages, newest first. Mails are kept for as long as events.

        `GET /v1/mails` · scope `mails:read`
        """
        return self._transport.list("/v1/mails", params, options)

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[MailsRetrieveParameters],
    ) -> Mail:
        """Retrieve a mail.

        Returns the mail as it is now.

        `GET /v1/mails/{id}` · scope `mails:read`
        """
        return self._transport.send("GET", path("/v1/mails/{}", id), params, None, options)

    def resend(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[MailsResendParameters],
    ) -> Mail:
        """Send a mail again.

        Makes a new mail that says the same, to the address that the customer has now. If that one must not be sent,
        it is `suppressed`.

        `POST /v1/mails/{id}/resend` · scope `mails:write`
        """
        return self._transport.send("POST", path("/v1/mails/{}/resend", id), params, idempotency_key, options)

    def content(self, id: str, *, options: Optional[RequestOptions] = None) -> MailContent:
        """Retrieve what a mail says.

        Returns both parts of a mail, in the language of the customer, as the account shows itself now; also of one
        that was not sent.

        `GET /v1/mails/{id}/content` · scope `mails:read`
        """
        return self._transport.send("GET", path("/v1/mails/{}/content", id), {}, None, options)

    def sample(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[MailsSampleParameters],
    ) -> MailContent:
        """Retrieve a sample of a mail.

        Returns a mail of a kind with sample data, as the account shows itself now: to customers by the name of its
        switch, and to those who work with the gateway. Nothing is sent.

        `GET /v1/mails/sample` · scope `mails:read`
        """
        return self._transport.send("GET", "/v1/mails/sample", params, None, options)

    def setup(self, *, options: Optional[RequestOptions] = None) -> MailSetup:
        """Retrieve how mails are sent.

        Says whether the operator has set up a mail server, and the address that mails come from.

        `GET /v1/mails/setup` · scope `mails:read`
        """
        return self._transport.send("GET", "/v1/mails/setup", {}, None, options)
