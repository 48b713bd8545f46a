# Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

from __future__ import annotations

from typing import TYPE_CHECKING, List, Literal, TypedDict, Union

from .shared import ListParameters

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .customers import Customer
    from .invoices import Invoice
    from .payments import Payment

__all__ = [
    "Mail",
    "MailContent",
    "MailExpanded",
    "MailSetup",
    "MailsResendParameters",
    "MailsListParameters",
    "MailsRetrieveParameters",
    "MailsSampleParameters",
]


class Mail(TypedDict):
    """A mail to a customer."""

    id: str
    """An opaque text that begins with a prefix for the kind of object."""
    object: Literal["mail"]
    """The kind of object."""
    kind: str
    """What it is about, such as `receipt`: the name by which the account has switched it on."""
    to: NotRequired[str]
    """The address; absent once it was erased with the customer."""
    status: Literal["queued", "sent", "failed", "bounced", "suppressed"]
    """`queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it; in development
    without one, it can be read in the dashboard. `failed`: no attempt has succeeded, or the mail server has
    refused what it says. `bounced`: the mail server has refused the address. `suppressed`: it was not sent.
    """
    subject: str
    """The subject, in the language of the customer."""
    created: int
    """When it was created. In UTC epoch seconds."""
    customer: NotRequired[str]
    """The id of the customer that it was written to."""
    invoice: NotRequired[str]
    """The id of the invoice that it is about."""
    payment: NotRequired[str]
    """The id of the payment that it is about."""
    sent_at: NotRequired[int]
    """When the mail server has taken it. In UTC epoch seconds."""
    failure: NotRequired[str]
    """Why the latest attempt has failed."""
    suppressed_reason: NotRequired[Literal["test_mode", "not_configured", "bounced_before", "customer_deleted"]]
    """Why it was not sent. `test_mode`: in test mode, mails go to members of the account alone. `not_configured`:
    the operator has set up no mail server. `bounced_before`: the address was refused before. Change the email of
    the customer. `customer_deleted`: the customer was deleted, or its details were erased.
    """
    expanded: NotRequired[MailExpanded]


class MailContent(TypedDict):
    """What a mail says, in both parts."""

    object: Literal["mail_content"]
    """The kind of object."""
    mail: NotRequired[str]
    """The id of the mail; absent of a sample."""
    sender: NotRequired[str]
    """Who writes, as in the header of the mail; absent where no mail server is set up."""
    to: NotRequired[str]
    """The address that it was written to; absent of a sample."""
    reply_to: NotRequired[str]
    """Where replies go: the support email of the account, if there is one."""
    subject: str
    """The subject, in the language of the customer."""
    text: str
    """The part in plain text."""
    html: str
    """The part in HTML, with its pictures within. Show it in a sandbox alone."""
    url: str
    """A page that shows the HTML, for an hour, to everybody who has the address."""


class MailExpanded(TypedDict):
    """The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
    left out.
    """

    customer: NotRequired[Customer]
    invoice: NotRequired[Invoice]
    payment: NotRequired[Payment]


class MailSetup(TypedDict):
    """How this gateway sends mails."""

    object: Literal["mail_setup"]
    """The kind of object."""
    delivery: Literal["smtp", "preview", "none"]
    """How mails are sent. `smtp`: by the mail server of the operator. `preview`: not at all, because this is a
    gateway for development without `SMTP_URL`. Mails count as sent, and can be read in the dashboard. `none`: not
    at all, because `SMTP_URL` is not set. Mails are `suppressed`.
    """
    sender: NotRequired[str]
    """The address that mails come from; absent with `none`."""


class MailsResendParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "invoice", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class MailsListParameters(ListParameters):
    ids: NotRequired[Union[str, List[str]]]
    """Only the one with this id, or those with these: at most 100."""
    customer: NotRequired[str]
    """Only those to this customer."""
    invoice: NotRequired[str]
    """Only those about this invoice."""
    payment: NotRequired[str]
    """Only those about this payment."""
    kind: NotRequired[Union[Literal["card_expiring", "receipt", "refund", "invoice", "payment_failed", "action_required", "trial_ending", "subscription_canceled"], List[Literal["card_expiring", "receipt", "refund", "invoice", "payment_failed", "action_required", "trial_ending", "subscription_canceled"]]]]
    """Only those of this kind, or of these kinds."""
    status: NotRequired[Union[Literal["queued", "sent", "failed", "bounced", "suppressed"], List[Literal["queued", "sent", "failed", "bounced", "suppressed"]]]]
    """Only those with this status, or with one of these."""
    expand: NotRequired[List[Literal["customer", "invoice", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class MailsRetrieveParameters(TypedDict):
    expand: NotRequired[List[Literal["customer", "invoice", "payment"]]]
    """The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each."""


class MailsSampleParameters(TypedDict):
    kind: Literal["card_expiring", "receipt", "refund", "invoice", "payment_failed", "action_required", "trial_ending", "subscription_canceled", "key_created", "new_sign_in", "password_reset", "email_code", "invitation", "needs_attention"]
    """The kind of mail."""
    locale: NotRequired[Literal["bg", "cs", "da", "de", "el", "en", "en-GB", "es", "et", "fi", "fr", "hr", "hu", "it", "ja", "lt", "lv", "nb", "nl", "pl", "pt", "pt-BR", "ro", "sk", "sl", "sv", "zh", "ar", "he"]]
    """The language of the customer; `en` when not given. Mails to those who work with the gateway are in English."""
