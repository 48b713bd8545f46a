import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { LocaleTag } from '../../../locales/index.ts';
import type { MailMessage } from '../../../mail/message.ts';
import type { MailOutcome } from '../../../mail/outgoing.ts';

export type MailId = Id<'mail'>;

export const mailStatuses = ['queued', 'sent', 'failed', 'bounced', 'suppressed'] as const;
export type MailStatus = (typeof mailStatuses)[number];

export const suppressedReasons = ['test_mode', 'not_configured', 'bounced_before', 'customer_deleted'] as const;
export type SuppressedReason = (typeof suppressedReasons)[number];

/** A mail to one address. It is due when the next attempt to send it is to be made. */
export type Mail = Leasable & {
  id: MailId;
  kind: string;
  /** An address gets one mail of a kind for it: the id of an event, or what a job has made up. */
  cause: string;
  /** Null: erased with the contact. */
  address: string | null;
  /** The customer or the checkout session whose address it is. */
  contact: string | null;
  status: MailStatus;
  subject: string;
  /** What it says, taken at its cause. Null: erased with the contact. */
  message: MailMessage | null;
  language: LocaleTag;
  customer: string | null;
  invoice: string | null;
  payment: string | null;
  attempts: number;
  /** Why the latest attempt has failed. */
  failure: string | null;
  suppressed_reason: SuppressedReason | null;
  sent_at: Date | null;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long after the attempt before; the first is made at once. After the last one a mail has failed. */
export const attemptGapsMs = [0, minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 3 * hourMs, 8 * hourMs, 24 * hourMs];

const settled = { due_at: null, lease_until: null } as const;

/** What an attempt changes. */
type Attempted = Pick<Mail, 'version' | 'attempts' | 'failure' | 'sent_at' | 'due_at' | 'lease_until'> & {
  status: Exclude<MailStatus, 'suppressed'> | MailStatus;
};

/** The mail after an attempt to send it. */
export function afterAttempt<Row extends Attempted>(mail: Row, outcome: MailOutcome, now: number): Row {
  const after = { ...mail, ...settled, version: mail.version + 1, attempts: mail.attempts + 1 };
  if (outcome.kind === 'sent') return { ...after, status: 'sent', sent_at: new Date(now), failure: null };
  const failed = { ...after, failure: outcome.reason };
  if (outcome.kind === 'bounced') return { ...failed, status: 'bounced' };
  const gap = attemptGapsMs[after.attempts];
  if (outcome.kind === 'refused' || gap === undefined) return { ...failed, status: 'failed' };
  return { ...failed, due_at: new Date(now + gap) };
}

/** The mail when it turns out that it must not be sent. */
export function suppressed(mail: Mail, reason: SuppressedReason): Mail {
  const after: Mail = {
    ...mail,
    ...settled,
    version: mail.version + 1,
    status: 'suppressed',
    suppressed_reason: reason,
  };
  return reason === 'customer_deleted' ? { ...after, address: null, message: null, failure: null } : after;
}
