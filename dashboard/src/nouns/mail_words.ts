import type { Mail, TimelineMail } from '@tollgate/node';
import type { mailKinds, personMailKinds } from '../generated/mails.ts';
import { wordsOf } from '../kit/tones.ts';

export type MailKind = keyof typeof mailKinds;
export type PersonMailKind = keyof typeof personMailKinds;

export const kindNames: Readonly<Record<MailKind, string>> = {
  receipt: 'Receipt',
  refund: 'Refund',
  invoice: 'Invoice',
  payment_failed: 'Failed payment',
  action_required: 'Payment to confirm',
  card_expiring: 'Card that expires',
  trial_ending: 'Trial that ends',
  subscription_canceled: 'Canceled subscription',
};

const personKindNames: Readonly<Record<PersonMailKind, string>> = {
  invitation: 'Invitation',
  password_reset: 'New password',
  email_code: 'Code to verify an email',
  new_sign_in: 'New sign-in',
  key_created: 'New API key',
  needs_attention: 'What needs attention',
};

/** What a mail is about, for people. */
export const kindName = (kind: string) =>
  kindNames[kind as MailKind] ?? personKindNames[kind as PersonMailKind] ?? wordsOf(kind);

/** What nobody likes to learn too late. */
export const recommended: readonly MailKind[] = [
  'receipt',
  'payment_failed',
  'action_required',
  'card_expiring',
  'trial_ending',
];

type Reason = NonNullable<Mail['suppressed_reason']>;

const reasons: Readonly<Record<Reason, string>> = {
  test_mode: 'Not sent: in test mode, mails go to members of this account only.',
  not_configured: 'Not sent: no mail server is set up.',
  bounced_before: 'Not sent: this address was refused before. Change the email of the customer, then send it again.',
  customer_deleted: 'Not sent: the customer was deleted, or its details were erased.',
};

/** What became of a mail, and what helps; undefined where there is nothing to say. */
export function outcomeOf({ status, failure, suppressed_reason: reason }: Outcome): string | undefined {
  if (status === 'suppressed') return reason && reasons[reason];
  if (failure === undefined) return undefined;
  const ends: Partial<Record<Mail['status'], string>> = {
    queued: 'Another attempt follows.',
    bounced: 'Nothing more goes to this address until the email of the customer changes.',
    failed: 'It is not tried again. Send it again when the cause is gone.',
  };
  return [sentence(failure), ends[status]].filter(Boolean).join(' ');
}

type Outcome = Pick<Mail, 'status' | 'failure' | 'suppressed_reason'>;

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

type Titled = Pick<TimelineMail, 'kind' | 'status'> & { to?: string | undefined };

/** `Receipt mailed to ada@example.com`: in the timeline of what it is about. */
export function mailTitle({ kind, status, to }: Titled): string {
  const name = kindName(kind);
  const address = to === undefined ? '' : ` to ${to}`;
  const titles: Record<Mail['status'], string> = {
    queued: `${name} is being mailed${address}`,
    sent: `${name} mailed${address}`,
    failed: `${name} could not be mailed${address}`,
    bounced: `${name} could not be mailed${address}`,
    suppressed: `${name} not mailed${address}`,
  };
  return titles[status];
}
