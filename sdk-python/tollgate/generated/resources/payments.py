# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Optional

from ...resource import Resource
from ...transport import path

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...listing import Listing
    from ...transport import RequestOptions
    from ..types.payments import (
        Payment,
        PaymentsCancelParameters,
        PaymentsCaptureParameters,
        PaymentsCreateParameters,
        PaymentsListAttemptsParameters,
        PaymentsListParameters,
        PaymentsRetrieveParameters,
        PaymentsUpdateParameters,
    )
    from ..types.shared import Attempt


class PaymentsResource(Resource):
    """Charges of payment methods, from the first authorization to the money."""

    def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsCreateParameters],
    ) -> Payment:
        """Create a payment.

        Charges the payment method at the processor that the routing rules name. A decline is answered with 402, and
        the failed payment is stored. An answer of 200 does not mean that the money is there: look at `status`, which
        can also be `requires_action` or `processing`. Send an `Idempotency-Key`, so that a retry cannot charge twice.

        `POST /v1/payments` · scope `payments:write`
        """
        return self._transport.send("POST", "/v1/payments", params, idempotency_key, options)

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsListParameters],
    ) -> Listing[Payment]:
        """List payments.

        Returns payments in pages, newest first. An export can also have the columns `fee`, `fee_decimal`, `net` and
        `net_decimal`, for callers with `balance:read`: what the ledger has charged for a payment, and what the
        payment has left in the balance after its fee, refunds and disputes. With `Accept: text/csv` the answer is one
        file with all payments that the filters select; `limit`, `starting_after` and `ending_before` are refused
        then. `columns` chooses its columns.

        `GET /v1/payments` · scope `payments:read`
        """
        return self._transport.list("/v1/payments", params, options)

    def list_csv(
        self,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsListParameters],
    ) -> Iterator[bytes]:
        """List payments.

        As `text/csv`, all of them: a text of any length, in chunks.
        Returns payments in pages, newest first. An export can also have the columns `fee`, `fee_decimal`, `net` and
        `net_decimal`, for callers with `balance:read`: what the ledger has charged for a payment, and what the
        payment has left in the balance after its fee, refunds and disputes. With `Accept: text/csv` the answer is one
        file with all payments that the filters select; `limit`, `starting_after` and `ending_before` are refused
        then. `columns` chooses its columns.

        `GET /v1/payments` · scope `payments:read`
        """
        return self._transport.text("/v1/payments", params, options, "text/csv")

    def retrieve(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsRetrieveParameters],
    ) -> Payment:
        """Retrieve a payment.

        Returns the payment as it is now. To follow a payment that is not final, wait for its events, or retrieve it
        from time to time.

        `GET /v1/payments/{id}` · scope `payments:read`
        """
        return self._transport.send("GET", path("/v1/payments/{}", id), params, None, options)

    def update(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsUpdateParameters],
    ) -> Payment:
        """Update a payment.

        Changes only what it names. An update that changes nothing creates no event. The description and the metadata
        can be changed in every status.

        `POST /v1/payments/{id}` · scope `payments:write`
        """
        return self._transport.send("POST", path("/v1/payments/{}", id), params, idempotency_key, options)

    def capture(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsCaptureParameters],
    ) -> Payment:
        """Capture an authorized payment.

        Takes the money that was authorized with `capture_method` `manual`, once, and releases the rest. An
        authorization that is not captured within 7 days is canceled.

        `POST /v1/payments/{id}/capture` · scope `payments:write`
        """
        return self._transport.send("POST", path("/v1/payments/{}/capture", id), params, idempotency_key, options)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsCancelParameters],
    ) -> Payment:
        """Cancel a payment that is not finished.

        Releases the authorization. Only payments in `requires_action` or `requires_capture` can be canceled; a
        captured payment is refunded. If the processor refuses, the answer is 402 and the payment keeps its status.

        `POST /v1/payments/{id}/cancel` · scope `payments:write`
        """
        return self._transport.send("POST", path("/v1/payments/{}/cancel", id), params, idempotency_key, options)

    def list_attempts(
        self,
        id: str,
        *,
        options: Optional[RequestOptions] = None,
        **params: Unpack[PaymentsListAttemptsParameters],
    ) -> Listing[Attempt]:
        """List the requests to processors that were made for a payment, oldest first.

        Each attempt says which processor was asked, with what outcome, and why that one was chosen.

        `GET /v1/payments/{id}/attempts` · scope `payments:read`
        """
        return self._transport.list(path("/v1/payments/{}/attempts", id), params, options)

    def receipt(self, id: str, *, options: Optional[RequestOptions] = None) -> bytes:
        """Retrieve the receipt of a payment as PDF.

        Returns a document about the money that was received, in the customer's language. The same payment, customer
        and branding give the same bytes, until Tollgate is upgraded.

        `GET /v1/payments/{id}/receipt.pdf` · scope `payments:read`
        """
        return self._transport.file(path("/v1/payments/{}/receipt.pdf", id), {}, options, "application/pdf")
