# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .invoices import Invoice
    from .payment_methods import PaymentMethod
    from .shared import Metadata
    from .test_clocks import TestClock

__all__ = [
    "CreditTransaction",
    "CreditTransactionExpanded",
    "Customer",
    "CustomerAddress",
    "CustomerCredit",
    "CustomerDisputes",
    "CustomerExpanded",
    "CustomerOwed",
    "CustomerPaymentsFirst",
    "CustomerPaymentsLast",
    "CustomerPayments",
    "CustomerSpent",
    "CustomerSummary",
    "CustomersCreateParametersAddress",
    "CustomersCreateParameters",
    "CustomersUpdateParametersAddress",
    "CustomersUpdateParameters",
    "DeletedCustomer",
    "CustomersListParameters",
    "CustomersRetrieveParameters",
    "CustomersListCreditTransactionsParameters",
    "CustomersListPaymentMethodsParameters",
]


class CreditTransaction(TypedDict):
    """One change of a customer's credit. It is never changed itself."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["credit_transaction"]
    """The kind of object."""
    customer: str
    """The id of the customer whose credit has changed."""
    amount: int
    """In the smallest unit of the currency. Above 0 it was added to the credit, below 0 taken away."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    invoice: NotRequired[str]
    """The id of the invoice that has added, used or given back the credit."""
    created: int
    """When the credit has changed, by the test clock of the customer if it has one. In UTC epoch seconds."""
    expanded: NotRequired[CreditTransactionExpanded]


class CreditTransactionExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    invoice: NotRequired[Invoice]


class Customer(TypedDict):
    """Somebody who pays you."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["customer"]
    """The kind of object."""
    email: NotRequired[str]
    """The email address; present when supplied."""
    name: NotRequired[str]
    """The full name; present when supplied."""
    phone: NotRequired[str]
    """The phone number as it was supplied; present when supplied."""
    address: NotRequired[CustomerAddress]
    tax_id: NotRequired[str]
    """The tax id; present when supplied."""
    locale: NotRequired[Literal["bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he"]]
    """The language of documents; present when supplied."""
    metadata: Metadata
    created: int
    """When the customer was created, by its test clock if it has one. In UTC epoch seconds."""
    default_payment_method: NotRequired[str]
    """The id of the payment method that pays for subscriptions; present when set."""
    credit_balance: NotRequired[Dict[str, int]]
    """Credit by currency, in the smallest unit of each: invoices use it before anything is charged. Present when
    there is some.
    """
    test_clock: NotRequired[str]
    """The id of the test clock that the customer lives by; present when supplied."""
    external_id: NotRequired[str]
    """The id that the object has in another system; present when supplied."""
    expanded: NotRequired[CustomerExpanded]


class CustomerAddress(TypedDict):
    """The postal address; present when supplied."""

    line1: NotRequired[str]
    """Present when supplied."""
    line2: NotRequired[str]
    """Present when supplied."""
    city: NotRequired[str]
    """Present when supplied."""
    state: NotRequired[str]
    """Present when supplied."""
    postal_code: NotRequired[str]
    """Present when supplied."""
    country: NotRequired[str]
    """Present when supplied."""


class CustomerCredit(TypedDict):
    """Credit in one currency."""

    currency: str
    """A three-letter ISO currency code in lower case."""
    amount: int
    """In the smallest unit of the currency."""


class CustomerDisputes(TypedDict):
    """How many disputes there are about the payments of the customer."""

    open: int
    """How many are `needs_response` or `under_review`."""
    won: int
    """How many are `won`."""
    lost: int
    """How many are `lost`."""


class CustomerExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    default_payment_method: NotRequired[PaymentMethod]
    test_clock: NotRequired[TestClock]


class CustomerOwed(TypedDict):
    """What a customer owes in one currency."""

    currency: str
    """A three-letter ISO currency code in lower case."""
    amount: int
    """The sum of `amount_remaining`, in the smallest unit of the currency."""
    invoices: int
    """How many invoices are open."""
    failed: int
    """Of how many a charge has failed."""


class CustomerPaymentsFirst(TypedDict):
    """The first payment that has succeeded; absent before the first one."""

    id: str
    """The id of the payment."""
    amount: int
    """What was received, in the smallest unit of the currency."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    created: int
    """When it was created. In UTC epoch seconds."""


class CustomerPaymentsLast(TypedDict):
    """The latest payment that has succeeded; absent before the first one."""

    id: str
    """The id of the payment."""
    amount: int
    """What was received, in the smallest unit of the currency."""
    currency: str
    """A three-letter ISO currency code in lower case."""
    created: int
    """When it was created. In UTC epoch seconds."""


class CustomerPayments(TypedDict):
    """How many payments there are, the first and the latest."""

    succeeded: int
    """How many payments have succeeded."""
    failed: int
    """How many have failed."""
    first: NotRequired[CustomerPaymentsFirst]
    """The first payment that has succeeded; absent before the first one."""
    last: NotRequired[CustomerPaymentsLast]
    """The latest payment that has succeeded; absent before the first one."""


class CustomerSpent(TypedDict):
    """What a customer has paid in one currency."""

    currency: str
    """A three-letter ISO currency code in lower case."""
    amount: int
    """`received` less `refunded`, in the smallest unit of the currency."""
    received: int
    """The sum of `amount_received`."""
    refunded: int
    """The sum of `amount_refunded`."""


class CustomerSummary(TypedDict):
    """What a customer has paid, owes and has in credit."""

    object: Literal["customer_summary"]
    """The kind of object."""
    customer: str
    """The id of the customer."""
    is_complete: bool
    """`false` if there are 10,000 or more of one status: the newest 10,000 are added up."""
    credit: List[CustomerCredit]
    """The credit that the next invoices use before anything is charged, by currency."""
    spent: NotRequired[List[CustomerSpent]]
    """What the customer has paid, by currency."""
    payments: NotRequired[CustomerPayments]
    disputes: NotRequired[CustomerDisputes]
    owed: NotRequired[List[CustomerOwed]]
    """What the customer owes by open invoices, by currency."""


class CustomersCreateParametersAddress(TypedDict):
    """The postal address, for invoices and receipts. An update replaces it as a whole."""

    line1: NotRequired[str]
    """Street and number, up to 256 characters."""
    line2: NotRequired[str]
    """A further line, up to 256 characters."""
    city: NotRequired[str]
    """The city, up to 256 characters."""
    state: NotRequired[str]
    """The state, county or province, up to 256 characters."""
    postal_code: NotRequired[str]
    """The postal code, up to 256 characters."""
    country: NotRequired[str]
    """Two-letter country code"""


class CustomersCreateParameters(TypedDict):
    email: NotRequired[str]
    """An email address of up to 254 characters."""
    name: NotRequired[str]
    """The full name, up to 256 characters."""
    phone: NotRequired[str]
    """A phone number in any notation, up to 40 characters."""
    address: NotRequired[CustomersCreateParametersAddress]
    """The postal address, for invoices and receipts. An update replaces it as a whole."""
    tax_id: NotRequired[str]
    """The tax id, for invoices and receipts, up to 64 characters."""
    locale: NotRequired[Literal["bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he"]]
    """The language of documents for the customer. Without it, they are in English. The country of the address
    decides how dates and amounts are written.
    """
    external_id: NotRequired[str]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    test_clock: NotRequired[str]
    """The test clock that the customer lives by, for good. The clock must be `ready`. In test mode only."""
    expand: NotRequired[List[Literal["default_payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CustomersUpdateParametersAddress(TypedDict):
    """The postal address, for invoices and receipts. An update replaces it as a whole."""

    line1: NotRequired[Optional[str]]
    """Street and number, up to 256 characters."""
    line2: NotRequired[Optional[str]]
    """A further line, up to 256 characters."""
    city: NotRequired[Optional[str]]
    """The city, up to 256 characters."""
    state: NotRequired[Optional[str]]
    """The state, county or province, up to 256 characters."""
    postal_code: NotRequired[Optional[str]]
    """The postal code, up to 256 characters."""
    country: NotRequired[Optional[str]]
    """Two-letter country code"""


class CustomersUpdateParameters(TypedDict):
    email: NotRequired[Optional[str]]
    """An email address of up to 254 characters."""
    name: NotRequired[Optional[str]]
    """The full name, up to 256 characters."""
    phone: NotRequired[Optional[str]]
    """A phone number in any notation, up to 40 characters."""
    address: NotRequired[Optional[CustomersUpdateParametersAddress]]
    """The postal address, for invoices and receipts. An update replaces it as a whole."""
    tax_id: NotRequired[Optional[str]]
    """The tax id, for invoices and receipts, up to 64 characters."""
    locale: NotRequired[Literal["bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he", None]]
    """The language of documents for the customer. Without it, they are in English. The country of the address
    decides how dates and amounts are written.
    """
    external_id: NotRequired[Optional[str]]
    """The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
    Once set it does not change: an update can remove it, and then set another.
    """
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
    update is merged key by key: null or an empty string removes a key.
    """
    default_payment_method: NotRequired[Optional[str]]
    """A payment method that is attached to this customer. It pays for subscriptions, and is tried immediately for
    open invoices that have failed.
    """
    expand: NotRequired[List[Literal["default_payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class DeletedCustomer(TypedDict):
    """What is left of a deleted object."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["customer"]
    """The kind of object."""
    deleted: Literal[True]
    """The object is gone."""


class CustomersListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    test_clock: NotRequired[str]
    """Only those that live by this test clock."""
    external_id: NotRequired[str]
    """Only the one that has this id in another system."""
    expand: NotRequired[List[Literal["default_payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
    columns: NotRequired[Union[str, List[str]]]
    """Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
    `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
    the key needs the scope to read those. At most 60.
    """


class CustomersRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["default_payment_method", "test_clock"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CustomersListCreditTransactionsParameters(ListParameters):
    expand: NotRequired[List[Literal["invoice"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class CustomersListPaymentMethodsParameters(ListParameters):
    expand: NotRequired[List[Literal["customer"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""
