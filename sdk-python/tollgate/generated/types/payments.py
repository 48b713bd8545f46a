# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .disputes import Dispute
    from .invoices import Invoice
    from .payment_methods import PaymentMethod
    from .setups import Setup
    from .shared import Metadata, NextAction

__all__ = [
    "Payment",
    "PaymentExpanded",
    "PaymentProcessor",
    "PaymentsCancelParameters",
    "PaymentsCaptureParameters",
    "PaymentsCreateParameters",
    "PaymentsUpdateParameters",
    "PaymentsListParametersAmount",
    "PaymentsListParametersAmountDecimal",
    "PaymentsListParameters",
    "PaymentsRetrieveParameters",
    "PaymentsListAttemptsParameters",
]


class Payment(TypedDict):
    """A charge of a payment method."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["payment"]
    """The kind of object."""
    amount: int
    """The requested amount, in the smallest unit of the currency."""
    amount_received: int
    """What was captured, in the smallest unit of the currency; 0 until then."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    customer: NotRequired[str]
    """The id of the customer that it belongs to; present when supplied."""
    description: NotRequired[str]
    """What it is for; present when supplied."""
    payment_method: NotRequired[str]
    """The id of the payment method that is charged. Absent while a customer has yet to choose it on a page of the
    processor; a payment that has succeeded has one.
    """
    status: Literal["requires_action", "requires_capture", "processing", "succeeded", "failed", "canceled"]
    """`requires_action`: the cardholder must authenticate, within an hour, or pay on a page of the processor.
    `requires_capture`: it is authorized, and waits for a capture. `processing`: the outcome is unknown, and the
    processor is asked until it is known. `succeeded`: it is captured. `failed`: it was declined, or never reached
    the processor. `canceled`: it was canceled or has expired, and the authorization is released.
    """
    invoice: NotRequired[str]
    """The id of the invoice that it was made for."""
    checkout_session: NotRequired[str]
    """The id of the checkout session that it is a try of."""
    setup: NotRequired[str]
    """Of a charge without the cardholder: the id of the setup by which the cardholder has agreed to it, where one
    did.
    """
    metadata: NotRequired[Metadata]
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """`automatic`: captured immediately. `manual`: captured by request. Present when supplied."""
    amount_capturable: NotRequired[int]
    """With `capture_method` `manual`: what can be captured, in the smallest unit of the currency. 0 in every status
    but `requires_capture`.
    """
    off_session: NotRequired[Literal[True]]
    """Present if the merchant has charged it without the cardholder."""
    next_action: NotRequired[NextAction]
    failure_code: NotRequired[Literal["card_declined", "expired_card", "incorrect_cvc", "processing_error"]]
    """Why it failed, for programs: the code of an error."""
    failure_decline_code: NotRequired[str]
    """The processor's own reason for the decline, such as `insufficient_funds`."""
    failure_message: NotRequired[str]
    """Why it failed, for people."""
    advice: NotRequired[Literal["never", "later", "another_method", "another_processor", "authenticate", "update_card"]]
    """What to do after the decline; present when the processor has said so. `never`: do not try this payment method
    again. `later`: the same charge may succeed another day. `another_method`: this one can never pay it.
    `another_processor`: another processor may approve it. `authenticate`: the cardholder must be there to
    authenticate. `update_card`: the details of the card are wrong or old.
    """
    canceled_at: NotRequired[int]
    """When it was canceled. In UTC epoch seconds."""
    cancellation_reason: NotRequired[Literal["abandoned", "duplicate", "fraudulent", "requested_by_customer", "expired", "made_at_processor"]]
    """The reason that was given for the cancel. `expired`: nobody acted in time. `made_at_processor`: it was
    canceled at the processor, and not here.
    """
    captured_elsewhere: NotRequired[Literal[True]]
    """Present if it was captured at the processor, and not here."""
    amount_refunded: NotRequired[int]
    """The sum of its pending and succeeded refunds; present after the first refund."""
    dispute: NotRequired[str]
    """The id of its latest dispute."""
    processor: NotRequired[PaymentProcessor]
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    expanded: NotRequired[PaymentExpanded]


class PaymentExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    payment_method: NotRequired[PaymentMethod]
    invoice: NotRequired[Invoice]
    setup: NotRequired[Setup]
    dispute: NotRequired[Dispute]


class PaymentProcessor(TypedDict):
    """The processor account that has taken the payment, or was asked last."""

    account: str
    """The id of the processor account."""
    connector: str
    """The name of its connector."""
    reference: NotRequired[str]
    """The processor's own name for the payment; present once it is known."""


class PaymentsCancelParameters(TypedDict):
    reason: NotRequired[Literal["abandoned", "duplicate", "fraudulent", "requested_by_customer"]]
    """Why it is canceled. The payment shows it as `cancellation_reason`."""
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentsCaptureParameters(TypedDict):
    amount: NotRequired[int]
    """How much to capture, in the smallest unit of the currency: at most the authorized amount, which is also the
    default. The rest is released.
    """
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentsCreateParameters(TypedDict):
    amount: int
    """From 1 to 999,999,999,999, in the smallest unit of the currency: 2000 is 20.00 euros, or 2000 yen. A processor
    may have its own minimum.
    """
    currency: str
    """A three-letter ISO 4217 currency code that is in use, in either case."""
    payment_method: str
    """The id of the payment method to charge. It must not be detached."""
    customer: NotRequired[str]
    """The id of the customer that the payment belongs to. A payment method that is attached to another customer is
    refused.
    """
    description: NotRequired[str]
    """What the payment is for, up to 1,000 characters."""
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    capture_method: NotRequired[Literal["automatic", "manual"]]
    """`automatic` captures immediately, and is the default. `manual` only authorizes: capture within 7 days."""
    return_url: NotRequired[str]
    """Where the cardholder returns to after an authentication: an https address of up to 2,048 characters, without
    user name and password. In test mode also http on this machine.
    """
    off_session: NotRequired[bool]
    """`true`: you charge a saved payment method while the cardholder is not there. If the bank requires
    authentication, the payment is declined with `authentication_required`. Not together with `return_url`.
    """
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentsUpdateParameters(TypedDict):
    description: NotRequired[Optional[str]]
    """What the payment is for, up to 1,000 characters."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentsListParametersAmount(TypedDict):
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""

    gt: NotRequired[int]
    """More than this."""
    gte: NotRequired[int]
    """This or more."""
    lt: NotRequired[int]
    """Less than this."""
    lte: NotRequired[int]
    """This or less."""


class PaymentsListParametersAmountDecimal(TypedDict):
    """The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
    dinars.
    """

    gt: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    gte: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    lt: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""
    lte: NotRequired[str]
    """Decimal number with at most three decimals, such as 129 or 129.50"""


class PaymentsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[Union[str, List[str]]]
    """Only those of this customer, or of one of these: at most 10."""
    status: NotRequired[Union[Literal["requires_action", "requires_capture", "processing", "succeeded", "failed", "canceled", "refunded", "partly_refunded", "disputed"], List[Literal["requires_action", "requires_capture", "processing", "succeeded", "failed", "canceled", "refunded", "partly_refunded", "disputed"]]]]
    """Only those in this status, or in one of these. `refunded`, `partly_refunded` and `disputed` are payments that
    have succeeded, and what came after.
    """
    invoice: NotRequired[str]
    """Only those that were made for this invoice."""
    checkout_session: NotRequired[str]
    """Only the tries of this checkout session."""
    currency: NotRequired[str]
    """Only those in this currency: its three-letter ISO 4217 code, in either case."""
    amount: NotRequired[PaymentsListParametersAmount]
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""
    amount_decimal: NotRequired[PaymentsListParametersAmountDecimal]
    """The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
    dinars.
    """
    card: NotRequired[str]
    """Text of four digits: the last ones of the card that was charged"""
    brand: NotRequired[Union[Literal["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"], List[Literal["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"]]]]
    """Only those by a card of this brand, or of one of these."""
    country: NotRequired[str]
    """Two-letter country code: of the billing address when the payment was made"""
    decline_code: NotRequired[str]
    """Only failed ones, by the reason: the processor's own, such as `insufficient_funds`, or the code, such as
    `card_declined`.
    """
    processor: NotRequired[str]
    """Only those of this processor: the id of a processor account, or the name of a connector, such as `stripe`."""
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class PaymentsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "payment_method", "invoice", "setup", "dispute"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class PaymentsListAttemptsParameters(TypedDict):
    limit: NotRequired[int]
    """How many objects to return; 10 when not given."""
    starting_after: NotRequired[str]
    """An id: the page begins with the next newer attempt."""
