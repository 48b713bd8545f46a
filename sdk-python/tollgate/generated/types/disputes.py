# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .payments import Payment
    from .shared import Metadata

__all__ = [
    "Dispute",
    "DisputeEvidence",
    "DisputeEvidenceDetails",
    "DisputeExpanded",
    "DisputesCloseParameters",
    "DisputesUpdateParametersEvidence",
    "DisputesUpdateParameters",
    "DisputesRetrieveParameters",
    "DisputesListParametersAmount",
    "DisputesListParametersAmountDecimal",
    "DisputesListParameters",
]


class Dispute(TypedDict):
    """A payment that the cardholder has disputed with the bank."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["dispute"]
    """The kind of object."""
    amount: int
    """What the bank took back, in the smallest unit of the currency. It can be less than the payment."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    payment: str
    """The id of the disputed payment."""
    reason: str
    """The processor's own code, such as `fraudulent` or `product_not_received`."""
    status: Literal["needs_response", "under_review", "won", "lost"]
    """`needs_response`: the bank waits for evidence. `under_review`: evidence was submitted, and the bank decides.
    `won`: the money was returned to you. `lost`: it stays with the cardholder.
    """
    evidence: DisputeEvidence
    evidence_details: DisputeEvidenceDetails
    metadata: NotRequired[Metadata]
    created: int
    """When it was created, by the test clock of the customer if it has one. In UTC epoch seconds."""
    expanded: NotRequired[DisputeExpanded]


class DisputeEvidence(TypedDict):
    """What was gathered. Each member is present when supplied."""

    access_activity_log: NotRequired[str]
    """When and how the customer used what was bought."""
    billing_address: NotRequired[str]
    """The billing address that the customer gave."""
    cancellation_policy: NotRequired[str]
    """Under which terms the customer can cancel."""
    cancellation_policy_disclosure: NotRequired[str]
    """How and when the customer was shown the cancellation policy."""
    cancellation_rebuttal: NotRequired[str]
    """Why the customer was not entitled to cancel."""
    customer_communication: NotRequired[str]
    """What was written to and by the customer about it."""
    customer_email_address: NotRequired[str]
    """The email address that the customer gave."""
    customer_name: NotRequired[str]
    """The name that the customer gave."""
    customer_purchase_ip: NotRequired[str]
    """The address on the internet from which it was bought."""
    customer_signature: NotRequired[str]
    """Where the customer has signed."""
    duplicate_charge_documentation: NotRequired[str]
    """What shows that another charge was for something else."""
    duplicate_charge_explanation: NotRequired[str]
    """Why another charge is no duplicate of this one."""
    duplicate_charge_id: NotRequired[str]
    """The other charge that is taken for a duplicate."""
    product_description: NotRequired[str]
    """What was bought."""
    receipt: NotRequired[str]
    """The receipt, or what the customer was sent in place of one."""
    refund_policy: NotRequired[str]
    """Under which terms the customer gets money back."""
    refund_policy_disclosure: NotRequired[str]
    """How and when the customer was shown the refund policy."""
    refund_refusal_explanation: NotRequired[str]
    """Why the customer is not entitled to a refund."""
    service_date: NotRequired[str]
    """When the service was rendered."""
    service_documentation: NotRequired[str]
    """What shows that the service was rendered."""
    shipping_address: NotRequired[str]
    """Where it was sent to."""
    shipping_carrier: NotRequired[str]
    """Who carried it."""
    shipping_date: NotRequired[str]
    """When it was sent."""
    shipping_documentation: NotRequired[str]
    """What shows that it was sent to the customer."""
    shipping_tracking_number: NotRequired[str]
    """The number by which the carrier knows it."""
    uncategorized_file: NotRequired[str]
    """Anything else: where it can be found."""
    uncategorized_text: NotRequired[str]
    """Anything else, in words."""


class DisputeEvidenceDetails(TypedDict):
    """How far the answer to the bank has come."""

    due_by: int
    """Until when evidence is taken. In UTC epoch seconds."""
    has_evidence: bool
    """Whether any evidence was gathered."""
    submission_count: int
    """How many times evidence was submitted."""


class DisputeExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    payment: NotRequired[Payment]


class DisputesCloseParameters(TypedDict):
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class DisputesUpdateParametersEvidence(TypedDict):
    """Texts of up to 20,000 characters each, and of 150,000 bytes together as JSON. They are merged field by field;
    null or an empty string removes one.
    """

    access_activity_log: NotRequired[Optional[str]]
    """When and how the customer used what was bought."""
    billing_address: NotRequired[Optional[str]]
    """The billing address that the customer gave."""
    cancellation_policy: NotRequired[Optional[str]]
    """Under which terms the customer can cancel."""
    cancellation_policy_disclosure: NotRequired[Optional[str]]
    """How and when the customer was shown the cancellation policy."""
    cancellation_rebuttal: NotRequired[Optional[str]]
    """Why the customer was not entitled to cancel."""
    customer_communication: NotRequired[Optional[str]]
    """What was written to and by the customer about it."""
    customer_email_address: NotRequired[Optional[str]]
    """The email address that the customer gave."""
    customer_name: NotRequired[Optional[str]]
    """The name that the customer gave."""
    customer_purchase_ip: NotRequired[Optional[str]]
    """The address on the internet from which it was bought."""
    customer_signature: NotRequired[Optional[str]]
    """Where the customer has signed."""
    duplicate_charge_documentation: NotRequired[Optional[str]]
    """What shows that another charge was for something else."""
    duplicate_charge_explanation: NotRequired[Optional[str]]
    """Why another charge is no duplicate of this one."""
    duplicate_charge_id: NotRequired[Optional[str]]
    """The other charge that is taken for a duplicate."""
    product_description: NotRequired[Optional[str]]
    """What was bought."""
    receipt: NotRequired[Optional[str]]
    """The receipt, or what the customer was sent in place of one."""
    refund_policy: NotRequired[Optional[str]]
    """Under which terms the customer gets money back."""
    refund_policy_disclosure: NotRequired[Optional[str]]
    """How and when the customer was shown the refund policy."""
    refund_refusal_explanation: NotRequired[Optional[str]]
    """Why the customer is not entitled to a refund."""
    service_date: NotRequired[Optional[str]]
    """When the service was rendered."""
    service_documentation: NotRequired[Optional[str]]
    """What shows that the service was rendered."""
    shipping_address: NotRequired[Optional[str]]
    """Where it was sent to."""
    shipping_carrier: NotRequired[Optional[str]]
    """Who carried it."""
    shipping_date: NotRequired[Optional[str]]
    """When it was sent."""
    shipping_documentation: NotRequired[Optional[str]]
    """What shows that it was sent to the customer."""
    shipping_tracking_number: NotRequired[Optional[str]]
    """The number by which the carrier knows it."""
    uncategorized_file: NotRequired[Optional[str]]
    """Anything else: where it can be found."""
    uncategorized_text: NotRequired[Optional[str]]
    """Anything else, in words."""


class DisputesUpdateParameters(TypedDict):
    evidence: NotRequired[Optional[DisputesUpdateParametersEvidence]]
    """Texts of up to 20,000 characters each, and of 150,000 bytes together as JSON. They are merged field by field;
    null or an empty string removes one.
    """
    submit: NotRequired[Optional[bool]]
    """Whether everything that was gathered is sent to the bank now. Otherwise it is only kept."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class DisputesRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class DisputesListParametersAmount(TypedDict):
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""

    gt: NotRequired[int]
    """More than this."""
    gte: NotRequired[int]
    """This or more."""
    lt: NotRequired[int]
    """Less than this."""
    lte: NotRequired[int]
    """This or less."""


class DisputesListParametersAmountDecimal(TypedDict):
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


class DisputesListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    payment: NotRequired[str]
    """Only those about this payment."""
    status: NotRequired[Union[Literal["needs_response", "under_review", "won", "lost"], List[Literal["needs_response", "under_review", "won", "lost"]]]]
    """Only those in this status, or in one of these."""
    currency: NotRequired[str]
    """Only those in this currency: its three-letter ISO 4217 code, in either case."""
    amount: NotRequired[DisputesListParametersAmount]
    """Only those whose amount is within these bounds, in the smallest unit of their currency."""
    amount_decimal: NotRequired[DisputesListParametersAmountDecimal]
    """The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
    dinars.
    """
    expand: NotRequired[List[Literal["payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """
