import type { TimelineEntry, TimelineEvent, TimelineMail } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';
import { statusInWords, type Tone, toneOf } from '../kit/tones.ts';
import { adviceForSupport, adviceUnknown, declineReason } from './decline_words.ts';
import type { EntryGroup } from './entry_groups.ts';
import { mailTitle, outcomeOf } from './mail_words.ts';
import { methodWords } from './payment_method_words.ts';

/** What happened to money and people, in words for everybody. */
export type Story = {
  title: string;
  /** The object that the title is about. */
  object: string | undefined;
  tone: Tone;
  /** What else came of it, why, and what helps: sentences. */
  lines: readonly string[];
};

type Sentence = { words: string; tone: Tone; lines?: readonly string[] };

/** The story of a group; undefined where nothing happened that concerns people or money, such as a refused request. */
export function storyOf({ entries }: Pick<EntryGroup, 'entries'>): Story | undefined {
  const events = entries.flatMap(({ event }) => (event === undefined ? [] : [event]));
  const parts = notableEvents(events).flatMap((event) => {
    const sentence = sentences[event.type]?.(event);
    return sentence === undefined ? [] : [{ ...sentence, object: event.object_id }];
  });
  const mails = entries.flatMap(({ mail }) => (mail === undefined ? [] : [mailStory(mail)]));
  const [first, ...more] = [...parts, ...mails];
  if (first === undefined) return events.length === 0 ? storyWithoutEvents(entries) : undefined;
  const lines = [...(first.lines ?? []), ...more.flatMap(({ words, lines: others = [] }) => [`${words}.`, ...others])];
  return { title: first.words, object: first.object, tone: first.tone, lines: [...new Set(lines)] };
}

/** The types that a story tells, the one that matters most first. */
const importance = [
  'dispute.created',
  'dispute.closed',
  'subscription.created',
  'subscription.canceled',
  'refund.failed',
  'refund.created',
  'invoice.paid',
  'invoice.payment_failed',
  'payment.failed',
  'payment.succeeded',
];

/** An event is left out where one of these, of the same cause, says it already. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  'payment.succeeded': ['invoice.paid'],
  'payment.failed': ['invoice.payment_failed'],
  'checkout_session.payment_failed': ['payment.failed'],
  'checkout_session.completed': ['payment.succeeded', 'payment.requires_capture'],
  'payment.requires_action': ['invoice.payment_action_required'],
  'payment.refunded': ['refund.created', 'refund.updated'],
  'invoice.created': ['invoice.finalized', 'invoice.paid', 'invoice.payment_failed'],
  'invoice.finalized': ['invoice.paid', 'invoice.payment_failed', 'invoice.payment_action_required'],
  'subscription.updated': [
    'subscription.created',
    'subscription.canceled',
    'subscription.paused',
    'subscription.resumed',
  ],
  'customer.updated': ['payment_method.attached', 'payment_method.detached'],
};

function notableEvents(events: readonly TimelineEvent[]): TimelineEvent[] {
  const types = new Set(events.map(({ type }) => type));
  const rank = ({ type }: TimelineEvent) => (importance.includes(type) ? importance.indexOf(type) : importance.length);
  return events
    .filter(({ type }) => !impliedBy[type]?.some((other) => types.has(other)))
    .sort((a, b) => rank(a) - rank(b));
}

/** What was mailed to the customer. */
function mailStory(mail: TimelineMail): Sentence & { object: string } {
  const outcome = outcomeOf(mail);
  return {
    words: mailTitle(mail),
    tone: toneOf(mail.status),
    lines: outcome === undefined ? [] : [outcome],
    object: mail.id,
  };
}

/** What a processor was asked and did not decide has no event yet. */
function storyWithoutEvents(entries: readonly TimelineEntry[]): Story | undefined {
  const attempt = entries.find(
    (entry) => entry.attempt?.state === 'unknown' || entry.attempt?.state === 'pending',
  )?.attempt;
  if (attempt === undefined) return undefined;
  const words = `The processor was asked to ${attempt.verb} and has not decided yet`;
  return { title: words, object: undefined, tone: 'waiting', lines: ['The gateway keeps asking.'] };
}

const moneyOf = ({ amount, currency }: TimelineEvent) =>
  amount === undefined || currency === undefined ? undefined : formatMoney(amount, currency);
/** `of €20.00`, where the amount is known. */
const ofMoney = (event: TimelineEvent) => (moneyOf(event) === undefined ? '' : ` of ${moneyOf(event)}`);
const invoiceName = ({ number }: TimelineEvent) => (number === undefined ? 'invoice' : `invoice ${number}`);
const methodName = ({ card }: TimelineEvent) =>
  card === undefined ? 'a payment method' : methodWords({ type: 'card', card } as { type: string });

/** Why something was declined, and what to tell the customer. */
function declineLines({ decline_code, advice }: TimelineEvent): string[] {
  const helps = advice === undefined ? adviceUnknown : adviceForSupport[advice];
  return decline_code === undefined ? [] : [`${declineReason(decline_code)}. ${helps}`];
}

/** `name, email`: members of an object in words. */
function changedWords({ previous_attributes = {} }: TimelineEvent): string {
  return Object.keys(previous_attributes).map(statusInWords).join(', ');
}

function changed(what: string) {
  return (event: TimelineEvent): Sentence | undefined => {
    const members = changedWords(event);
    return members === '' ? undefined : { words: `Changed ${what}: ${members}`, tone: 'quiet' };
  };
}

const plain =
  (words: string, tone: Tone = 'quiet') =>
  () => ({ words, tone });

function subscriptionChange(event: TimelineEvent): Sentence | undefined {
  const { previous_attributes: before = {}, status = '' } = event;
  if (before.cancel_at_period_end === false)
    return { words: 'Subscription will end with the current period', tone: 'waiting', lines: reasonLine(event) };
  if (before.cancel_at_period_end === true) return { words: 'Cancellation taken back', tone: 'good' };
  if (typeof before.status === 'string')
    return { words: `Subscription is ${statusInWords(status)} now`, tone: status === 'active' ? 'good' : 'waiting' };
  if ('current_period_end' in before) return undefined; // a new period, which the invoice tells
  return changed('subscription')(event);
}

function linkChange(event: TimelineEvent): Sentence | undefined {
  const { previous_attributes: before = {} } = event;
  if (before.active === true) return { words: 'Payment link switched off', tone: 'quiet' };
  if (before.active === false) return { words: 'Payment link switched on', tone: 'good' };
  return changed('payment link')(event);
}

function refundSentence(event: TimelineEvent): Sentence {
  if (event.status === 'pending') return { words: `Refund${ofMoney(event)} is on its way`, tone: 'waiting' };
  return { words: `Refunded ${moneyOf(event) ?? ''}`.trim(), tone: 'good' };
}

const reasonLine = ({ reason }: TimelineEvent) => (reason === undefined ? [] : [`Reason: ${statusInWords(reason)}.`]);

const ofPayments: Readonly<Record<string, (event: TimelineEvent) => Sentence | undefined>> = {
  'payment.succeeded': (event) => ({ words: `Paid ${moneyOf(event) ?? ''}`.trim(), tone: 'good' }),
  'payment.failed': (event) => ({ words: `Payment${ofMoney(event)} failed`, tone: 'bad', lines: declineLines(event) }),
  'payment.requires_action': (event) => ({
    words: `Payment${ofMoney(event)} waits for the customer to confirm it`,
    tone: 'waiting',
  }),
  'payment.requires_capture': (event) => ({ words: `Authorized ${moneyOf(event) ?? ''}`.trim(), tone: 'waiting' }),
  'payment.processing': (event) => ({
    words: `Payment${ofMoney(event)} has no outcome yet`,
    tone: 'waiting',
    lines: ['The gateway keeps asking the processor.'],
  }),
  'payment.canceled': (event) => ({
    words: `Canceled the payment${ofMoney(event)}`,
    tone: 'quiet',
    lines: reasonLine(event),
  }),
  'payment.refunded': ({ amount_refunded, currency }) => ({
    words:
      amount_refunded === undefined || currency === undefined
        ? 'Refunded'
        : `Refunded, ${formatMoney(amount_refunded, currency)} in total`,
    tone: 'good',
  }),
  'payment.updated': changed('payment'),
  'refund.created': refundSentence,
  'refund.updated': (event) =>
    event.previous_attributes?.status === undefined
      ? changed('refund')(event)
      : { words: `Refund${ofMoney(event)} ${statusInWords(event.status ?? '')}`, tone: toneOf(event.status ?? '') },
  'refund.failed': (event) => ({ words: `Refund${ofMoney(event)} failed`, tone: 'bad', lines: reasonLine(event) }),
  'dispute.created': (event) => ({
    words: `The customer disputes ${moneyOf(event) ?? 'a payment'}`,
    tone: 'bad',
    lines: reasonLine(event),
  }),
  'dispute.updated': (event) =>
    event.previous_attributes?.status === undefined
      ? { words: 'Changed the evidence', tone: 'quiet' }
      : { words: 'Evidence was submitted to the bank', tone: 'waiting' },
  'dispute.closed': (event) => ({
    words: `Dispute${ofMoney(event)} ${event.status === 'won' ? 'won' : 'lost'}`,
    tone: event.status === 'won' ? 'good' : 'bad',
  }),
};

const ofCustomers: typeof ofPayments = {
  'customer.created': plain('Customer created'),
  'customer.updated': changed('customer'),
  'customer.deleted': plain('Customer deleted'),
  'customer.credit_balance_updated': plain('Credit changed'),
  'payment_method.attached': (event) => ({ words: `Added ${methodName(event)}`, tone: 'quiet' }),
  'payment_method.detached': (event) => ({ words: `Removed ${methodName(event)}`, tone: 'quiet' }),
  'payment_method.updated': (event) => ({ words: `Changed ${methodName(event)}`, tone: 'quiet' }),
  'setup.succeeded': plain('Payment method verified', 'good'),
  'setup.failed': (event) => ({ words: 'Payment method was declined', tone: 'bad', lines: declineLines(event) }),
  'setup.requires_action': plain('The customer must confirm the payment method', 'waiting'),
  'setup.canceled': plain('Verification of the payment method canceled'),
};

const ofBilling: typeof ofPayments = {
  'subscription.created': ({ status }) =>
    status === 'incomplete'
      ? { words: 'Subscription created, and not paid yet', tone: 'waiting' }
      : { words: 'Subscription started', tone: 'good' },
  'subscription.updated': subscriptionChange,
  'subscription.trial_will_end': plain('Trial ends soon', 'waiting'),
  'subscription.paused': plain('Subscription paused', 'waiting'),
  'subscription.resumed': plain('Subscription resumed', 'good'),
  'subscription.canceled': (event) => ({ words: 'Subscription canceled', tone: 'quiet', lines: reasonLine(event) }),
  'invoice.created': plain('Draft of an invoice created'),
  'invoice.updated': changed('invoice'),
  'invoice.finalized': (event) => ({ words: `Issued ${invoiceName(event)}${ofMoney(event)}`, tone: 'quiet' }),
  'invoice.paid': (event) => ({ words: `Paid ${invoiceName(event)}${ofMoney(event)}`, tone: 'good' }),
  'invoice.payment_failed': (event) => ({
    words: `Charge${ofMoney(event)} for ${invoiceName(event)} failed`,
    tone: 'bad',
    lines: declineLines(event),
  }),
  'invoice.payment_action_required': (event) => ({
    words: `Charge${ofMoney(event)} for ${invoiceName(event)} waits for the customer to confirm it`,
    tone: 'waiting',
  }),
  'invoice.voided': (event) => ({ words: `Voided ${invoiceName(event)}`, tone: 'quiet' }),
  'invoice.marked_uncollectible': (event) => ({
    words: `Marked ${invoiceName(event)}${ofMoney(event)} as uncollectible`,
    tone: 'bad',
  }),
};

const ofSelling: typeof ofPayments = {
  'checkout_session.created': plain('Checkout session created'),
  'checkout_session.processing': plain('A try is under way', 'waiting'),
  'checkout_session.payment_failed': (event) => ({
    words: 'A try to pay failed',
    tone: 'bad',
    lines: declineLines(event),
  }),
  'checkout_session.completed': plain('Checkout completed', 'good'),
  'checkout_session.expired': plain('Checkout session expired'),
  'payment_link.created': plain('Payment link created'),
  'payment_link.updated': linkChange,
};

const sentences = { ...ofSelling, ...ofPayments, ...ofCustomers, ...ofBilling };
