import type { TimelineDelivery, TimelineEntry, TimelineEvent, TimelineMail } from '@tollgate/node';
import { expect, test } from 'vitest';
import { eventTypes } from '../src/generated/catalog.ts';
import { groupedEntries } from '../src/nouns/entry_groups.ts';
import { deliveriesInShort, wordsOfEntry } from '../src/nouns/entry_words.ts';
import { storyOf } from '../src/nouns/story_words.ts';

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

test('a request names its answer, its duration and itself', () => {
  const request = { id: 'req_1', method: 'POST', path: '/v1/payments', status: 200, duration_ms: 12 };
  expect(read(entry({ request }))).toEqual(['good', 'POST /v1/payments: 200', '12 ms · [req_1]']);
  const refused = entry({ request: { ...request, status: 402, error_code: 'card_declined' } });
  expect(read(refused).slice(0, 2)).toEqual(['bad', 'POST /v1/payments: 402 card_declined']);
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
  const routed = { ...attempt, reason: 'rule 1: visa → pa_1' };
  expect(read(entry({ attempt: routed }))).toContain('Why this processor: rule 1: visa → [pa_1]');
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

test('deliveries are summed up: how many, and whether more attempts follow', () => {
  const delivery = (status: TimelineDelivery['status']) => ({
    id: 'whd_1',
    webhook_endpoint: 'we_1',
    status,
    attempts: [],
  });
  const short = (...statuses: TimelineDelivery['status'][]) => Object.values(deliveriesInShort(statuses.map(delivery)));
  expect(short()).toEqual(['no webhook endpoint', 'quiet']);
  expect(short('delivered')).toEqual(['delivered to 1 endpoint', 'good']);
  expect(short('delivered', 'pending')).toEqual(['delivered to 1 of 2 endpoints', 'waiting']);
  expect([short('pending'), short('canceled', 'exhausted')]).toEqual([
    ['not delivered yet', 'waiting'],
    ['not delivered', 'bad'],
  ]);
  expect(short('exhausted', 'delivered')).toEqual(['delivered to 1 of 2 endpoints', 'bad']);
});

const event = (type: string, more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  ...{ id: 'evt_1', type, object_id: 'py_1', deliveries: [], amount: 500, currency: 'gbp' },
  ...more,
});
const story = (...events: TimelineEvent[]) => storyOf({ entries: events.map((one) => entry({ event: one })) });

test('entries of one cause are one group, the newest first, with who it was', () => {
  const of = (group: string, id: string, more: Partial<TimelineEntry>) => ({ ...entry(more), group, id });
  const refund = event('refund.created');
  const audit = { action: 'refunds.create', actor: 'ada@example.com', subject: 're_1' };
  const request = { id: 'req_2', method: 'POST', path: '/v1/refunds', status: 200, duration_ms: 1 };
  const groups = groupedEntries([
    { ...of('req_2', 'aud_1', { audit }), by: { user: 'usr_1', name: 'ada@example.com' } },
    { ...of('req_2', 'evt_2', { event: refund }), created: 9 },
    of('17', 'evt_3', { event: event('payment.succeeded') }),
    { ...of('req_2', 'req_2', { request }), by: { user: 'usr_1' } }, // it began earlier
  ]);
  expect(groups.map(({ key, entries }) => [key, ...entries.map(({ id }) => id)])).toEqual([
    ['req_2', 'req_2', 'evt_2', 'aud_1'],
    ['17', 'evt_3'],
  ]);
  expect(groups[0]).toMatchObject({ at: 9, by: { user: 'usr_1', name: 'ada@example.com' } });
  expect(groups[1]!.by).toBeUndefined();
});

test('the story of a group is what happened to money and people', () => {
  expect(story(event('refund.created', { object_id: 're_1' }), event('payment.refunded'))).toEqual({
    ...{ title: 'Refunded £5.00', object: 're_1', tone: 'good', lines: [] },
  });
  expect(story(event('payment.failed', { decline_code: 'insufficient_funds', advice: 'later' }))).toMatchObject({
    title: 'Payment of £5.00 failed',
    tone: 'bad',
    lines: [
      'There was not enough money on the card. Tell the customer that the bank has declined, and to try again later or with another card.',
    ],
  });
  const invoice = { object_id: 'in_1', number: 'INV-000007' };
  const started = [
    ...[event('invoice.created', invoice), event('invoice.finalized', invoice), event('payment.succeeded')],
    ...[event('invoice.paid', invoice), event('subscription.created', { object_id: 'sub_1' })],
  ];
  expect(story(...started)).toMatchObject({
    ...{ title: 'Subscription started', object: 'sub_1', lines: ['Paid invoice INV-000007 of £5.00.'] },
  });
  const unpaid = event('subscription.created', { object_id: 'sub_1', status: 'incomplete' });
  expect(story(unpaid, event('invoice.payment_failed', invoice))).toMatchObject({
    ...{ title: 'Subscription created, and not paid yet', tone: 'waiting' },
  });
  expect(story(event('dispute.created', { reason: 'not_received' }))).toMatchObject({
    ...{ title: 'The customer disputes £5.00', tone: 'bad', lines: ['Reason: not received.'] },
  });
  const returned = { status: 'failed', previous_attributes: { status: 'succeeded' } };
  expect(story(event('refund.updated', returned))).toMatchObject({ title: 'Refund of £5.00 failed', tone: 'bad' });
  expect(story(event('invoice.marked_uncollectible', invoice))?.title).toBe(
    'Marked invoice INV-000007 of £5.00 as uncollectible',
  );
  const ending = { previous_attributes: { cancel_at_period_end: false } };
  expect(story(event('subscription.updated', ending))?.title).toBe('Subscription will end with the current period');
  expect(story(event('customer.updated', { previous_attributes: { name: 'A', email: null } }))?.title).toBe(
    'Changed customer: name, email',
  );
  const card = { brand: 'visa', last4: '4242' };
  expect(story(event('payment_method.attached', { card }))?.title).toBe('Added Visa •••• 4242');
});

test('a request that was refused, and a loss that the bank keeps to itself, have no words for the customer', () => {
  const request = { id: 'req_1', method: 'POST', path: '/v1/payments', status: 400, duration_ms: 1 };
  expect(storyOf({ entries: [entry({ request })] })).toBeUndefined();
  const stolen = story(event('payment.failed', { decline_code: 'stolen_card', advice: 'never' }));
  expect(stolen?.lines[0]).toMatch(/^The bank declined and gave no reason\. Do not charge this card again/);
});

test('every event of an object with a timeline has its sentence', () => {
  const about = /^(payment|refund|dispute|customer|payment_method|setup|subscription|invoice)\./;
  const previous_attributes = { status: 'x', description: 'x' };
  const silent = eventTypes.filter((type) => about.test(type) && !story(event(type, { previous_attributes })));
  expect(silent).toEqual([]);
});

const mail = { id: 'mail_1', kind: 'receipt', subject: 'Receipt', to: 'ada@example.com', status: 'sent' } as const;

test.each([
  [{}, 'good', 'Receipt mailed to ada@example.com', []],
  [{ status: 'queued' }, 'waiting', 'Receipt is being mailed to ada@example.com', []],
  [
    { status: 'queued', failure: 'The mail server did not answer' },
    'waiting',
    'Receipt is being mailed to ada@example.com',
    ['The mail server did not answer. Another attempt follows.'],
  ],
  [
    { status: 'bounced', failure: 'The mail server has refused the address: 550 no such user' },
    'bad',
    'Receipt could not be mailed to ada@example.com',
    [
      'The mail server has refused the address: 550 no such user. Nothing more goes to this address until the email of the customer changes.',
    ],
  ],
  [
    { status: 'failed', failure: 'Refused.', kind: 'trial_ending' },
    'bad',
    'Trial that ends could not be mailed to ada@example.com',
    ['Refused. It is not tried again. Send it again when the cause is gone.'],
  ],
  [
    { status: 'suppressed', suppressed_reason: 'not_configured' },
    'quiet',
    'Receipt not mailed to ada@example.com',
    ['Not sent: no mail server is set up.'],
  ],
  [
    { status: 'suppressed', suppressed_reason: 'customer_deleted', to: undefined },
    'quiet',
    'Receipt not mailed',
    ['Not sent: the customer was deleted, or its details were erased.'],
  ],
] as const)('a mail says what became of it: %j', (change, tone, title, lines) => {
  const shown = entry({ mail: { ...mail, ...change } as TimelineMail });
  expect(read(shown)).toEqual([tone, title, '[mail_1]', ...lines]);
});

test('the story of a payment ends with what the customer was told', () => {
  const event = {
    id: 'evt_1',
    type: 'payment.succeeded',
    object_id: 'py_1',
    deliveries: [],
    amount: 500,
    currency: 'eur',
  };
  const told = [entry({ event: event as TimelineEvent }), entry({ mail })];
  expect(storyOf({ entries: told })).toEqual({
    title: 'Paid €5.00',
    object: 'py_1',
    tone: 'good',
    lines: ['Receipt mailed to ada@example.com.'],
  });
  expect(storyOf({ entries: [entry({ mail })] })).toMatchObject({
    title: 'Receipt mailed to ada@example.com',
    object: 'mail_1',
    lines: [],
  });
});
