import type { TimelineDelivery, TimelineEntry } from '@tollgate/node';
import { counted } from '../kit/counted.ts';
import { formatMoney } from '../kit/money.ts';
import { pathOfId } from '../kit/paths.ts';
import { type Tone, toneOf, wordsOf } from '../kit/tones.ts';
import { adviceWords } from './advice_words.ts';
import { mailTitle, outcomeOf } from './mail_words.ts';

export type EntryType = TimelineEntry['type'];

/** The kinds of entries, in the order of what causes what, and their names on the chips. */
export const entryTypes: Readonly<Record<EntryType, string>> = {
  request: 'Requests',
  attempt: 'Attempts',
  posting: 'Ledger',
  event: 'Events',
  audit: 'People',
  mail: 'Mails',
};

/** A part of a sentence: words, or an id that leads to its object. */
export type Part = string | { id: string };
type EntryWords = { title: string; lines: readonly Part[][]; tone: Tone };

/** An entry in words, without who has caused it. Who may not read events sees what changed. */
export function wordsOfEntry(entry: TimelineEntry, readsEvents = true): EntryWords {
  const { request, attempt, posting, event, audit, mail, summary } = entry;
  if (request) return requestWords(request);
  if (attempt) return attemptWords(attempt);
  if (posting) return postingWords(posting);
  if (event) return readsEvents ? eventWords(event) : { ...eventWords(event), lines: [] };
  if (audit) return auditWords(audit);
  if (mail) return mailWords(mail);
  return { title: summary, lines: [], tone: 'quiet' };
}

type Of<Type extends EntryType> = NonNullable<TimelineEntry[Type]>;

function requestWords({ id, method, path, status, error_code, duration_ms }: Of<'request'>): EntryWords {
  return {
    title: `${method} ${path}: ${[status, error_code].filter(Boolean).join(' ')}`,
    lines: [[`${duration_ms} ms · `, { id }]],
    tone: status < 400 ? 'good' : 'bad',
  };
}

const answers: Readonly<Record<Of<'attempt'>['state'], string>> = {
  open: 'no response yet',
  approved: 'approved',
  declined: 'declined',
  challenged: 'the customer must authenticate',
  canceled: 'canceled before it was decided',
  pending: 'the processor has not decided yet',
  unknown: 'no response',
  lost: 'it never reached the processor',
  not_sent: 'the processor did not act',
};

/** The processor accounts that a sentence names are shown by their names. */
const withIds = (sentence: string): Part[] =>
  sentence.split(/(pa_\w+)/).map((part) => (part.startsWith('pa_') ? { id: part } : part));

function attemptWords({ verb, state, decline_code, advice, reason, reference }: Of<'attempt'>): EntryWords {
  return {
    title: `${wordsOf(verb)}: ${answers[state]}${decline_code === undefined ? '' : `, ${decline_code}`}`,
    lines: [
      ...(advice === undefined ? [] : [[adviceWords[advice]]]),
      ['Why this processor: ', ...withIds(reason)],
      ...(reference === undefined ? [] : [[`Reference ${reference}`]]),
    ],
    tone: toneOf(state),
  };
}

function postingWords({ kind, amount, currency, debit, credit, position, sealed, id }: Of<'posting'>): EntryWords {
  const seal = sealed ? `Sealed at position ${position}` : `Not sealed yet, position ${position}`;
  const link: Part[] = movesBalance({ debit, credit }) ? [' · ', { id }] : [];
  return {
    title: `${wordsOf(kind)}: ${formatMoney(amount, currency)}`,
    lines: [[`${accountWords(debit)} → ${accountWords(credit)} · ${seal}`, ...link]],
    tone: 'quiet',
  };
}

/** Only then the posting is a balance transaction, which has a page. */
export function movesBalance({ debit, credit }: { debit: string; credit: string }): boolean {
  return debit === 'balance' || credit === 'balance';
}

/** `refunds_in_flight` becomes `refunds in flight`. */
const accountWords = (account: string) => account.replaceAll('_', ' ');

function eventWords({ id, type, status, previous_attributes = {}, deliveries }: Of<'event'>): EntryWords {
  return {
    title: `${type}${changeOf(type, status, previous_attributes)}`,
    lines: [
      [{ id }],
      ...(deliveries.length === 0 ? [['No webhook endpoint is subscribed to it']] : deliveries.map(deliveryLine)),
    ],
    tone: deliveries.some(({ status }) => status === 'exhausted') ? 'bad' : status ? toneOf(status) : 'quiet',
  };
}

/** A status that the type of the event says already is not said again. */
function changeOf(type: string, status: string | undefined, previous: Readonly<Record<string, unknown>>): string {
  const others = Object.keys(previous).filter((name) => name !== 'status');
  const before = typeof previous.status === 'string' ? previous.status : undefined;
  const after = type.endsWith(`.${status}`) ? undefined : status;
  const moved = before === undefined ? after : `${before} → ${status}`;
  const parts = [moved, others.length > 0 ? `changed ${others.join(', ')}` : undefined].filter(Boolean);
  return parts.length === 0 ? '' : `: ${parts.join(' · ')}`;
}

/** What became of the deliveries of an event, in short: the attempts of each are shown where it is opened. */
export function deliveriesInShort(deliveries: readonly TimelineDelivery[]): { words: string; tone: Tone } {
  const count = deliveries.length;
  if (count === 0) return { words: 'no webhook endpoint', tone: 'quiet' };
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const endpoints = counted(count, 'endpoint');
  if (delivered === count) return { words: `delivered to ${endpoints}`, tone: 'good' };
  const isOver = deliveries.every(({ status }) => status !== 'pending');
  const tone = isOver ? 'bad' : 'waiting';
  if (delivered === 0) return { words: isOver ? 'not delivered' : 'not delivered yet', tone };
  return { words: `delivered to ${delivered} of ${endpoints}`, tone };
}

/** Each attempt in its order, and what comes next. */
function deliveryLine({ webhook_endpoint, status, attempts }: TimelineDelivery): Part[] {
  const tried = attempts.map(answerOf).join(', then ');
  const next = status === 'delivered' ? '' : endings[status];
  return ['Delivery to ', { id: webhook_endpoint }, `: ${[tried, next].filter(Boolean).join(' · ')}`];
}

const endings: Readonly<Record<Exclude<TimelineDelivery['status'], 'delivered'>, string>> = {
  pending: 'another attempt follows',
  exhausted: 'no more attempts',
  canceled: 'canceled',
};

/** What an endpoint has answered. */
function answerOf({ status, error, duration_ms }: TimelineDelivery['attempts'][number]): string {
  const answer = [status === undefined ? undefined : `answered ${status}`, error].filter(Boolean).join(', ');
  return `${answer || 'no answer'} in ${duration_ms} ms`;
}

function auditWords({ actor, action, request, address }: Of<'audit'>): EntryWords {
  return {
    title: `${actor}: ${action}`,
    lines: [
      ...(address === undefined ? [] : [[`From ${address}`]]),
      // What a customer did in the portal has an id, and is not in the request log.
      ...(request === undefined || pathOfId(request) === undefined ? [] : [['Request ', { id: request }]]),
    ],
    tone: 'quiet',
  };
}

function mailWords(mail: Of<'mail'>): EntryWords {
  const outcome = outcomeOf(mail);
  return {
    title: mailTitle(mail),
    lines: [[{ id: mail.id }], ...(outcome === undefined ? [] : [[outcome]])],
    tone: toneOf(mail.status),
  };
}
