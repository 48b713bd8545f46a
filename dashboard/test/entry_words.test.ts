import type { TimelineEntry } from '@tollgate/node';
import { expect, test } from 'vitest';
import { actorsOf, wordsOfEntry } from '../src/nouns/entry_words.ts';

const entry = (more: Partial<TimelineEntry>): TimelineEntry => {
  const type = Object.keys(more)[0] as TimelineEntry['type'];
  return { id: 'x', object: 'timeline_entry', type, summary: '', created: 1, created_ms: 1_000, group: 'x', ...more };
};
/** As a person reads it: ids in brackets. */
const read = (...given: Parameters<typeof wordsOfEntry>) => {
  const { title, lines, tone } = wordsOfEntry(...given);
  const asText = (line: (typeof lines)[number]) =>
    line.map((part) => (typeof part === 'string' ? part : `[${part.id}]`)).join('');
  return [tone, title, ...lines.map(asText)];
};

test('a request names its answer, and the key or the person', () => {
  const request = { id: 'req_1', method: 'POST', path: '/v1/payments', status: 200, duration_ms: 12 };
  expect(read(entry({ request: { ...request, api_key: 'key_1' } }))).toEqual([
    'good',
    'POST /v1/payments: 200',
    'By [key_1] · 12 ms · [req_1]',
  ]);
  const refused = entry({ request: { ...request, status: 402, error_code: 'card_declined', user: 'usr_1' } });
  const audit = entry({
    audit: { action: 'payments.create', actor: 'ada@example.com', subject: 'py_1', user: 'usr_1' },
  });
  expect(read(refused, actorsOf([refused, audit]))).toEqual([
    'bad',
    'POST /v1/payments: 402 card_declined',
    'By ada@example.com · 12 ms · [req_1]',
  ]);
  expect(read(refused)[2]).toBe('By [usr_1] · 12 ms · [req_1]');
});

test('an attempt says what the processor answered and advised, and why it was chosen', () => {
  const attempt = { id: 'att_1', object: 'attempt', verb: 'authorize', state: 'declined', created: 1 } as const;
  const declined = { ...attempt, decline_code: 'insufficient_funds', advice: 'later', reason: 'rule 1' } as const;
  expect(read(entry({ attempt: { ...declined, reference: 'sim_1' } }))).toEqual([
    'bad',
    'Authorize: declined, insufficient_funds',
    'The processor advises to try later',
    'Why this processor: rule 1',
    'Reference sim_1',
  ]);
  expect(read(entry({ attempt: { ...attempt, state: 'unknown', reason: 'rule 1' } })).slice(0, 2)).toEqual([
    'waiting',
    'Authorize: no response',
  ]);
});

test('a posting has its accounts, its amount and its seal', () => {
  const posting = {
    id: 'txn_1',
    kind: 'refund',
    debit: 'balance',
    credit: 'refunds_in_flight',
    source: 're_1',
  } as const;
  const money = { amount: 2000, currency: 'jpy', position: 7 };
  expect(read(entry({ posting: { ...posting, ...money, sealed: true } }))).toEqual([
    'quiet',
    'Refund: ¥2,000',
    'balance → refunds in flight · Sealed at position 7 · [txn_1]',
  ]);
  expect(read(entry({ posting: { ...posting, ...money, sealed: false } }))[2]).toContain('Not sealed yet');
});

test('an event has the change of the state, and each attempt to deliver it', () => {
  const event = { id: 'evt_1', type: 'payment.failed', object_id: 'py_1', status: 'failed', deliveries: [] };
  expect(read(entry({ event }))).toEqual([
    'bad',
    'payment.failed',
    '[evt_1]',
    'No webhook endpoint is subscribed to it',
  ]);
  const failed = { at_ms: 1, duration_ms: 30, status: 500 };
  const silent = { at_ms: 2, duration_ms: 9, error: 'connection refused' };
  const delivery = { id: 'whd_1', webhook_endpoint: 'we_1', status: 'pending', attempts: [failed, silent] } as const;
  const previous_attributes = { status: 'processing', metadata: {} };
  const delivered = { ...event, previous_attributes, deliveries: [{ ...delivery, attempts: [...delivery.attempts] }] };
  expect(read(entry({ event: delivered }))).toEqual([
    'bad',
    'payment.failed: processing → failed · changed metadata',
    '[evt_1]',
    'Delivery to [we_1]: answered 500 in 30 ms, then connection refused in 9 ms · another attempt follows',
  ]);
});

test('a change by a person has who, what and from where', () => {
  const audit = {
    action: 'refunds.create',
    actor: 'ada@example.com',
    subject: 'py_1',
    address: '::1',
    request: 'req_1',
  };
  expect(read(entry({ audit }))).toEqual(['quiet', 'ada@example.com: refunds.create', 'From ::1', 'Request [req_1]']);
});
