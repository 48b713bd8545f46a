import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../../base/secret.ts';
import type { Connector, InboundRequest, Notice } from '../../../connectors/contract.ts';
import type { AccountForm, OpenAccount } from '../../../connectors/registration.ts';
import { books, type HarborEvent } from './books.ts';

const toleranceMs = 300_000;
const dueInMs = 7 * 86_400_000;

/** An account at Harbor: its notices are signed with its own secret, and lost ones can be asked for. */
export function harborAccounts(harbor: Connector): AccountForm {
  const description = 'signs the notices of this account; without it they are refused';
  return {
    credentials: [{ name: 'webhook_secret', kind: 'text', isRequired: false, description }],
    settings: [],
    modes: ['test', 'live'],
    objection: () => undefined,
    open: (account) => ({ ...harbor, account: account.id, inbound: inboundOf(account), poll: pollOf(account) }),
  };
}

/** The header by which Harbor signs a notice: the time and a keyed hash of both. */
export function harborSignature(secret: string, now: number, body: string | Buffer): string {
  const hash = createHmac('sha256', secret).update(`${now}.`).update(body).digest('hex');
  return `t=${now},v=${hash}`;
}

function inboundOf(account: OpenAccount): NonNullable<Connector['inbound']> {
  return {
    accept(request, now) {
      const { webhook_secret } = account.credentials;
      if (webhook_secret === undefined || !isSigned(webhook_secret, request, now)) return undefined;
      return { id: eventIn(request).id };
    },
    async read(request, now) {
      if (books.isDown) throw new Error('no connection to Harbor');
      books.asked += 1;
      await books.answers;
      return [noticeOf(account, eventIn(request), now)];
    },
  };
}

/** A signature is valid for five minutes: a recorded notice cannot be replayed a week later. */
function isSigned(secret: Secret, { headers, body }: InboundRequest, now: number): boolean {
  const sent = headers['harbor-signature'] ?? '';
  const at = Number(/^t=(\d+),/.exec(sent)?.[1]);
  const expected = Buffer.from(harborSignature(secret.open(), at, body));
  const isEqual = sent.length === expected.length && timingSafeEqual(Buffer.from(sent), expected);
  return isEqual && Math.abs(now - at) <= toleranceMs;
}

function eventIn({ body }: InboundRequest): HarborEvent {
  return JSON.parse(body.toString());
}

/** About a charge it only says where to look. Harbor cannot be asked for disputes, so what it has signed has to do. */
function noticeOf({ tenant }: OpenAccount, event: HarborEvent, now: number): Notice {
  const { id } = event;
  if (event.about === 'charge') return { id, tenant, kind: 'attempt_changed', attempt: event.attempt };
  const { dispute } = event;
  if (event.about === 'verdict') return { id, tenant, kind: 'dispute_closed', dispute, result: event.result };
  const { attempt: authorization, amount, currency } = event;
  const facts = { dispute, authorization, money: { amount, currency }, reason: 'general', dueBy: now + dueInMs };
  return { id, tenant, kind: 'dispute_opened', ...facts };
}

const pollMax = 3;

/** The cursor is the number of events that were reported. */
function pollOf(account: OpenAccount): NonNullable<Connector['poll']> {
  return async ({ since = '0', now }) => {
    if (books.isDown) throw new Error('no connection to Harbor');
    const missed = books.events.slice(Number(since), Number(since) + pollMax);
    const next = Number(since) + missed.length;
    return {
      notices: missed.map((event) => noticeOf(account, event, now)),
      next: String(next),
      hasMore: next < books.events.length,
    };
  };
}
