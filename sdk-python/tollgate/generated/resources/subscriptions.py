# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.subscriptions import (
        Subscription,
        SubscriptionsCancelParameters,
        SubscriptionsCreateParameters,
        SubscriptionsListParameters,
        SubscriptionsPauseParameters,
        SubscriptionsResumeParameters,
        SubscriptionsRetrieveParameters,
        SubscriptionsUpdateParameters,
    )


class SubscriptionsResource(Resource):
    """What customers pay for at regular intervals, period by period."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsCreateParameters],
    ) -> Subscription:
        """Create a subscription.

        The first period is invoiced and charged immediately, unless there is a trial. Unless `payment_behavior` says
        otherwise, the answer is 200 whatever the outcome of the first payment is: until it has succeeded, the status
        is `incomplete`, and after 23 hours the subscription is canceled. With a trial, or with nothing to pay, the
        payment method is set up without a charge, unless its cardholder has agreed to later charges before. Each
        further period is invoiced when it begins.

        `POST /v1/subscriptions` · scope `subscriptions:write`
        """
        return self._transport.send("POST", "/v1/subscriptions", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsListParameters],
    ) -> Listing[Subscription]:
        """List subscriptions, canceled ones too.

        Returns subscriptions in pages, newest first. With `Accept: text/csv` the answer is one file with all
        subscriptions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/subscriptions` · scope `subscriptions:read`
        """
        return self._transport.list("/v1/subscriptions", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsListParameters],
    ) -> Iterator[bytes]:
        """List subscriptions, canceled ones too.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns subscriptions in pages, newest first. With `Accept: text/csv` the answer is one file with all
        subscriptions that the filters select; `limit`, `starting_after` and `ending_before` are refused then.
        `columns` chooses its columns.

        `GET /v1/subscriptions` · scope `subscriptions:read`
        """
        return self._transport.text("/v1/subscriptions", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsRetrieveParameters],
    ) -> Subscription:
        """Retrieve a subscription.

        Returns the subscription as it is now.

        `GET /v1/subscriptions/{id}` · scope `subscriptions:read`
        """
        return self._transport.send("GET", path("/v1/subscriptions/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsUpdateParameters],
    ) -> Subscription:
        """Update a subscription.

        Changes only what it names. A change of items is prorated on the next invoice, unless `proration` says
        otherwise. Another payment method is tried immediately for open invoices that have failed, and a change to
        prices of another period begins a new period now. If the charge for an invoice that is made now fails, the
        change stays, and the subscription is `past_due`; with `payment_behavior` `error_if_incomplete` the answer is
        402, and nothing has changed.

        `POST /v1/subscriptions/{id}` · scope `subscriptions:write`
        """
        return self._transport.send("POST", path("/v1/subscriptions/{}", id), params, idempotency_key, options)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsCancelParameters],
    ) -> Subscription:
        """Cancel a subscription, now or at the end of its period.

        Ends it now, and credits nothing unless `proration` is `create`. With `at_period_end` it ends with its period;
        until then an update can undo that. If it is `incomplete`, its first invoice becomes void, and a payment of it
        that still succeeds is refunded. A canceled subscription cannot be resumed.

        `POST /v1/subscriptions/{id}/cancel` · scope `subscriptions:write`
        """
        return self._transport.send("POST", path("/v1/subscriptions/{}/cancel", id), params, idempotency_key, options)

    def pause(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsPauseParameters],
    ) -> Subscription:
        """Pause a subscription.

        Only while it is `active`. The rest of the period becomes credit of the customer, and there are no invoices
        until it is resumed.

        `POST /v1/subscriptions/{id}/pause` · scope `subscriptions:write`
        """
        return self._transport.send("POST", path("/v1/subscriptions/{}/pause", id), params, idempotency_key, options)

    def resume(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[SubscriptionsResumeParameters],
    ) -> Subscription:
        """Resume a paused subscription.

        Begins a period now that ends at the next boundary, and bills its share immediately.

        `POST /v1/subscriptions/{id}/resume` · scope `subscriptions:write`
        """
        return self._transport.send("POST", path("/v1/subscriptions/{}/resume", id), params, idempotency_key, options)
