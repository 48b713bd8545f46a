// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { Invoice } from './invoices.ts';
import type { Payment } from './payments.ts';
import type { ListParameters } from './shared.ts';

/** A mail to a customer. */
export type Mail = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'mail';
  /** What it is about, such as `receipt`: the name by which the account has switched it on. */
  kind: string;
  /** The address; absent once it was erased with the customer. */
  to?: string;
  /**
   * `queued`: it waits for its first or its next attempt. `sent`: the mail server has taken it; in development
   * without one, it can be read in the dashboard. `failed`: no attempt has succeeded, or the mail server has
   * refused what it says. `bounced`: the mail server has refused the address. `suppressed`: it was not sent.
   */
  status: 'queued' | 'sent' | 'failed' | 'bounced' | 'suppressed';
  /** The subject, in the language of the customer. */
  subject: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** The id of the customer that it was written to. */
  customer?: string;
  /** The id of the invoice that it is about. */
  invoice?: string;
  /** The id of the payment that it is about. */
  payment?: string;
  /** When the mail server has taken it. In UTC epoch seconds. */
  sent_at?: number;
  /** Why the latest attempt has failed. */
  failure?: string;
  /**
   * Why it was not sent. `test_mode`: in test mode, mails go to members of the account alone. `not_configured`:
   * the operator has set up no mail server. `bounced_before`: the address was refused before. Change the email of
   * the customer. `customer_deleted`: the customer was deleted, or its details were erased.
   */
  suppressed_reason?: 'test_mode' | 'not_configured' | 'bounced_before' | 'customer_deleted';
  expanded?: MailExpanded;
};

/** What a mail says, in both parts. */
export type MailContent = {
  /** The kind of object. */
  object: 'mail_content';
  /** The id of the mail; absent of a sample. */
  mail?: string;
  /** Who writes, as in the header of the mail; absent where no mail server is set up. */
  sender?: string;
  /** The address that it was written to; absent of a sample. */
  to?: string;
  /** Where replies go: the support email of the account, if there is one. */
  reply_to?: string;
  /** The subject, in the language of the customer. */
  subject: string;
  /** The part in plain text. */
  text: string;
  /** The part in HTML, with its pictures within. Show it in a sandbox alone. */
  html: string;
  /** A page that shows the HTML, for an hour, to everybody who has the address. */
  url: string;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type MailExpanded = {
  customer?: Customer;
  invoice?: Invoice;
  payment?: Payment;
};

/** How this gateway sends mails. */
export type MailSetup = {
  /** The kind of object. */
  object: 'mail_setup';
  /**
   * How mails are sent. `smtp`: by the mail server of the operator. `preview`: not at all, because this is a
   * gateway for development without `SMTP_URL`. Mails count as sent, and can be read in the dashboard. `none`: not
   * at all, because `SMTP_URL` is not set. Mails are `suppressed`.
   */
  delivery: 'smtp' | 'preview' | 'none';
  /** The address that mails come from; absent with `none`. */
  sender?: string;
};

export type MailsResendParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'invoice' | 'payment'> | undefined;
};

export type MailsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those to this customer. */
  customer?: string | undefined;
  /** Only those about this invoice. */
  invoice?: string | undefined;
  /** Only those about this payment. */
  payment?: string | undefined;
  /** Only those of this kind, or of these kinds. */
  kind?:
    | 'card_expiring'
    | 'receipt'
    | 'refund'
    | 'invoice'
    | 'payment_failed'
    | 'action_required'
    | 'trial_ending'
    | 'subscription_canceled'
    | Array<
        | 'card_expiring'
        | 'receipt'
        | 'refund'
        | 'invoice'
        | 'payment_failed'
        | 'action_required'
        | 'trial_ending'
        | 'subscription_canceled'
      >
    | undefined;
  /** Only those with this status, or with one of these. */
  status?:
    | 'queued'
    | 'sent'
    | 'failed'
    | 'bounced'
    | 'suppressed'
    | Array<'queued' | 'sent' | 'failed' | 'bounced' | 'suppressed'>
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'invoice' | 'payment'> | undefined;
};

export type MailsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'customer' | 'invoice' | 'payment'> | undefined;
};

export type MailsSampleParameters = {
  /** The kind of mail. */
  kind:
    | 'card_expiring'
    | 'receipt'
    | 'refund'
    | 'invoice'
    | 'payment_failed'
    | 'action_required'
    | 'trial_ending'
    | 'subscription_canceled'
    | 'key_created'
    | 'new_sign_in'
    | 'password_reset'
    | 'email_code'
    | 'invitation'
    | 'needs_attention';
  /** The language of the customer; `en` when not given. Mails to those who work with the gateway are in English. */
  locale?:
    | 'bg'
    | 'cs'
    | 'da'
    | 'de'
    | 'el'
    | 'en'
    | 'en-GB'
    | 'es'
    | 'et'
    | 'fi'
    | 'fr'
    | 'hr'
    | 'hu'
    | 'it'
    | 'ja'
    | 'lt'
    | 'lv'
    | 'nb'
    | 'nl'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'ro'
    | 'sk'
    | 'sl'
    | 'sv'
    | 'zh'
    | 'ar'
    | 'he'
    | undefined;
};
