import type { Locale } from '../../locales/index.ts';
import type { MailReader } from '../../locales/mail_wording.ts';
import type { MailFrame, MailMessage } from '../../mail/message.ts';
import { type RenderedMail, renderMessage } from '../../mail/render.ts';
import {
  failedPaymentMessage,
  failedPaymentSample,
  lastFailureSample,
  requiredActionMessage,
  requiredActionSample,
} from '../../resources/billing/invoices/collect_messages.ts';
import { invoiceMessage, invoiceSample } from '../../resources/billing/invoices/invoice_message.ts';
import {
  canceledSubscriptionMessage,
  canceledSubscriptionSample,
  trialEndingMessage,
  trialEndingSample,
} from '../../resources/billing/subscriptions/messages.ts';
import { expiringCardMessage, expiringCardSample } from '../../resources/payments/payment_methods/expiring_message.ts';
import { receiptMessage, receiptSample } from '../../resources/payments/payments/receipt_message.ts';
import { refundMessage, refundSample } from '../../resources/payments/refunds/refund_message.ts';
import { keyCreatedMessage, keyCreatedSample } from '../../resources/people/api_keys/key_message.ts';
import { mailFrameOf, peopleFrame } from '../../resources/people/branding/mail_frame.ts';
import type { ShownToCustomers } from '../../resources/people/branding/shown.ts';
import { invitationMessage, invitationSample } from '../../resources/people/invitations/invitation_message.ts';
import { emailCodeMessage, emailCodeSample } from '../../resources/people/me/email_code_message.ts';
import { passwordResetMessage, passwordResetSample } from '../../resources/people/me/reset_message.ts';
import { newSignInMessage, newSignInSample } from '../../resources/people/sessions/sign_in_message.ts';
import { portalCodeMessage, portalCodeSample } from '../../resources/selling/portal_codes/message.ts';
import {
  needsAttentionMessage,
  needsAttentionSample,
} from '../../resources/views/needs_attention/attention_message.ts';

type Kind<Data> = { sample: Data; message(data: Data, reader: MailReader): MailMessage };

const kind = <Data>(message: Kind<Data>['message'], sample: Data): Kind<Data> => ({ message, sample });

/** Every mail to a customer, with what its sample shows. */
export const toCustomers = {
  receipt: kind(receiptMessage, receiptSample),
  'receipt without anything': kind(receiptMessage, { id: 'pay_1', amount_received: 1, currency: 'eur', paid_at: 0 }),
  refund: kind(refundMessage, refundSample),
  invoice: kind(invoiceMessage, invoiceSample),
  'invoice to pay': kind(invoiceMessage, {
    ...invoiceSample,
    is_automatic: false,
    credit_applied: 0,
    amount_due: 13_500,
  }),
  'invoice that is paid': kind(invoiceMessage, { ...invoiceSample, status: 'paid', amount_paid: 13_000 }),
  payment_failed: kind(failedPaymentMessage, failedPaymentSample),
  'payment_failed for good': kind(failedPaymentMessage, lastFailureSample),
  action_required: kind(requiredActionMessage, requiredActionSample),
  card_expiring: kind(expiringCardMessage, expiringCardSample),
  trial_ending: kind(trialEndingMessage, trialEndingSample),
  portal_code: kind(portalCodeMessage, portalCodeSample),
  subscription_canceled: kind(canceledSubscriptionMessage, canceledSubscriptionSample),
  'subscription_canceled at once': kind(canceledSubscriptionMessage, {
    ...canceledSubscriptionSample,
    has_ended: true,
  }),
} as const;

/** Every mail to people who work with the gateway. */
export const toPeople = {
  invitation: kind(invitationMessage, invitationSample),
  password_reset: kind(passwordResetMessage, passwordResetSample),
  email_code: kind(emailCodeMessage, emailCodeSample),
  new_sign_in: kind(newSignInMessage, newSignInSample),
  key_created: kind(keyCreatedMessage, keyCreatedSample),
  needs_attention: kind(needsAttentionMessage, needsAttentionSample),
} as const;

export type CustomerKind = keyof typeof toCustomers;
export type PeopleKind = keyof typeof toPeople;

export const shop: ShownToCustomers = {
  name: 'Nordlicht Coffee',
  colors: { background: '#1f3a5f', text: '#ffffff' },
  supportEmail: 'help@nordlicht.example',
  supportAddress: 'Nordlicht GmbH\nTorstraße 1\n10119 Berlin',
  termsUrl: 'https://nordlicht.example/terms',
  privacyUrl: 'https://nordlicht.example/privacy',
};

export type Variation = { branding?: ShownToCustomers; isTest?: boolean; data?: object };

export function mailToCustomer(name: CustomerKind, locale: Locale, variation: Variation = {}): RenderedMail {
  const { branding = shop, isTest = false, data } = variation;
  return made(
    toCustomers[name] as Kind<object>,
    data,
    { locale, merchant: branding.name },
    mailFrameOf(branding, { locale, isTest }),
  );
}

export function mailToPerson(name: PeopleKind, data?: object): RenderedMail {
  const reader = { locale: { tag: 'en', region: 'en-GB', dir: 'ltr' }, merchant: 'Tollgate' } as const;
  return made(toPeople[name] as unknown as Kind<object>, data, reader, peopleFrame);
}

function made(
  { message, sample }: Kind<object>,
  data: object | undefined,
  reader: MailReader,
  frame: MailFrame,
): RenderedMail {
  return renderMessage(message({ ...sample, ...data }, reader), frame);
}
