# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.checkout_sessions import (
        CheckoutSession,
        CheckoutSessionsCreateParameters,
        CheckoutSessionsExpireParameters,
        CheckoutSessionsListParameters,
        CheckoutSessionsRedactParameters,
        CheckoutSessionsRetrieveParameters,
        CheckoutSessionsReviewParameters,
        CheckoutSessionsUpdateParameters,
    )


class CheckoutSessionsResource(Resource):
    """What customers are to pay for on a page of the gateway."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsCreateParameters],
    ) -> CheckoutSession:
        """Create a checkout session.

        Send the customer to `url`, where the page shows what is sold and takes the payment. `success_url` is only a
        hint that it is paid: retrieve the session, or wait for `checkout_session.completed`. At most one payment of a
        session succeeds.

        `POST /v1/checkout_sessions` · scope `checkout_sessions:write`
        """
        return self._transport.send("POST", "/v1/checkout_sessions", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsListParameters],
    ) -> Listing[CheckoutSession]:
        """List checkout sessions.

        Returns checkout sessions in pages, newest first. With `Accept: text/csv` the answer is one file with all
        checkout sessions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/checkout_sessions` · scope `checkout_sessions:read`
        """
        return self._transport.list("/v1/checkout_sessions", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsListParameters],
    ) -> Iterator[bytes]:
        """List checkout sessions.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns checkout sessions in pages, newest first. With `Accept: text/csv` the answer is one file with all
        checkout sessions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/checkout_sessions` · scope `checkout_sessions:read`
        """
        return self._transport.text("/v1/checkout_sessions", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsRetrieveParameters],
    ) -> CheckoutSession:
        """Retrieve a checkout session.

        Returns the checkout session as it is now. This is how you learn whether it is paid, when you do not wait for
        `checkout_session.completed`.

        `GET /v1/checkout_sessions/{id}` · scope `checkout_sessions:read`
        """
        return self._transport.send("GET", path("/v1/checkout_sessions/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsUpdateParameters],
    ) -> CheckoutSession:
        """Update a checkout session.

        Changes the metadata, in every status. There is no event for it.

        `POST /v1/checkout_sessions/{id}` · scope `checkout_sessions:write`
        """
        return self._transport.send("POST", path("/v1/checkout_sessions/{}", id), params, idempotency_key, options)

    def expire(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsExpireParameters],
    ) -> CheckoutSession:
        """Expire a checkout session.

        It can no longer be paid. While a page of the processor or an authentication is open, or the processor has a
        payment and has not decided, that is canceled first: if the customer has paid meanwhile, the session is
        completed instead, and the answer says so as soon as that is known. While the outcome of a try is unknown, it
        is refused.

        `POST /v1/checkout_sessions/{id}/expire` · scope `checkout_sessions:write`
        """
        return self._transport.send("POST", path("/v1/checkout_sessions/{}/expire", id), params, idempotency_key, options)

    def redact(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsRedactParameters],
    ) -> CheckoutSession:
        """Erase what the customer of a checkout session has typed.

        Erases `customer_details` for good, of a session that is complete or expired. The customer, if there is one,
        stays.

        `POST /v1/checkout_sessions/{id}/redact` · scope `checkout_sessions:write`
        """
        return self._transport.send("POST", path("/v1/checkout_sessions/{}/redact", id), params, idempotency_key, options)

    def review(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[CheckoutSessionsReviewParameters],
    ) -> CheckoutSession:
        """Review a checkout session that was paid late.

        Records that somebody has dealt with a payment that came after the expiry: what was paid for is delivered, or
        the payment is refunded. The session then no longer needs attention. There is no event for it.

        `POST /v1/checkout_sessions/{id}/review` · scope `checkout_sessions:write`
        """
        return self._transport.send("POST", path("/v1/checkout_sessions/{}/review", id), params, idempotency_key, options)
