import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome, ProcessorAccountId, ProcessorOutcome } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { addAccount, openPier, type Pier } from './pier.fixture.ts';

/** A payment whose request died, or lost sight of it, while the first of three processors was asked. */

const clock = virtualClock(Date.now());
let server: TestServer;
let pier: Pier;
let account: TestAccount;
let tenant: Tenant;
let method: string;
let [first, second, third] = [] as ProcessorAccountId[] as [ProcessorAccountId, ProcessorAccountId, ProcessorAccountId];

const busy: ProcessorOutcome = {
  ...{ kind: 'declined', code: 'processing_error', declineCode: 'try_again_later', advice: 'another_processor' },
};
const lostCard: ProcessorOutcome = {
  ...{ kind: 'declined', code: 'card_declined', declineCode: 'lost_card', advice: 'never' },
};
const notSent: ProcessorOutcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };
const unknown: ProcessorOutcome = { kind: 'unknown', reason: 'no answer' };

beforeAll(async () => {
  pier = openPier();
  server = await startServer({ clock, connectors: [...registrations, pier.registration] });
});
afterAll(() => server.stop());

beforeEach(async () => {
  pier.forget();
  account = await server.account();
  tenant = (await rows(`select tenant from tenants where account = $1 and mode = 'test'`, [account.id]))[0].tenant;
  [first, second, third] = [await join(), await join(), await join()];
  method = (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
  pier.asked.length = 0;
});

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' };

async function join(): Promise<ProcessorAccountId> {
  clock.advance(5);
  return addAccount(server.gateway, tenant);
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[]): Promise<any[]> => (await server.sql.query(text, values)).rows;
const asked = () => pier.asked.map((one) => one.account);
const attemptsOf = async (id: string) => (await account.test.get(`/v1/payments/${id}/attempts`)).json.data;
const read = async (id: string) => (await account.test.get(`/v1/payments/${id}`)).json;
const eventsOf = async (id: string) =>
  (await rows('select type from events where object_id = $1 order by object_version', [id])).map(({ type }) => type);
const pay = (more = {}) =>
  account.test.post(
    '/v1/payments',
    { amount: 1_000, currency: 'eur', payment_method: method, ...more },
    { 'Idempotency-Key': `of ${method}` },
  );

/** open: as a killed process leaves it. unknown: as a lost answer leaves it, or a retry after a kill. */
type Left = 'open' | 'unknown';

async function interrupted(left: Left, more = {}): Promise<string> {
  pier.answers.set(first, () => Promise.reject(new Error('killed')));
  const { id, status } = (await pay(more)).json;
  expect(status).toBe('processing');
  if (left === 'unknown') return id;
  await server.sql.query(`update attempts set state = 'open', exchange = null where payment = $1`, [id]);
  await server.sql.query('update payments set authorization_attempt = null where id = $1', [id]);
  await server.sql.query('delete from events where object_id = $1', [id]);
  await server.sql.query(
    `update idempotency i set status = null, body = null, version = 1, resume_by = a.id from attempts a
      where a.payment = $1 and i.tenant = a.tenant and i.status is not null and i.operation = 'payments.create'`,
    [id],
  );
  return id;
}

/** The deadline of the call, and the pause before the next inquiry. */
async function inquired(): Promise<void> {
  clock.advance(21_000);
  await server.settled();
}

const announced = { open: [], unknown: ['payment.processing'] } as const;
const lefts: Left[] = ['open', 'unknown'];

describe.each(lefts)('an inquiry about an attempt that is %s', (left) => {
  test('passes the payment on when the processor has declined and advises another', async () => {
    const id = await interrupted(left);
    pier.finds.set(first, busy);
    await inquired();
    expect(await read(id)).toMatchObject({ status: 'succeeded', processor: { account: second } });
    expect(await attemptsOf(id)).toMatchObject([
      { processor_account: first, state: 'declined', decline_code: 'try_again_later', advice: 'another_processor' },
      {
        processor_account: second,
        state: 'approved',
        reason: `no rules: enabled account 2, oldest first → ${second}; ${first} passed over: try_again_later`,
      },
    ]);
    expect(asked()).toEqual([first, second]);
    // Nobody keeps the security code.
    const codes = pier.asked.map(({ request: { instrument } }) => instrument.kind === 'card' && instrument.cvc);
    expect(codes).toEqual([expect.anything(), undefined]);
    expect(await eventsOf(id)).toEqual([...announced[left], 'payment.succeeded']);
  });

  test.each<[string, InquiryOutcome, string]>([
    ['has declined for good', lostCard, 'failed'],
    ['has approved', { kind: 'approved' }, 'succeeded'],
    ['is not reached', unknown, 'processing'],
    ['is not connected to: this says nothing about the attempt', notSent, 'processing'],
    ['is still at it', { kind: 'pending' }, 'processing'],
    ['asks the cardholder', { kind: 'requires_action', url: 'https://bank.test/1' }, 'requires_action'],
    ['has never received it', { kind: 'not_found' }, 'failed'],
  ])('asks no other processor when the first %s', async (_, found, status) => {
    const id = await interrupted(left);
    pier.finds.set(first, found);
    await inquired();
    expect([(await read(id)).status, asked()]).toEqual([status, [first]]);
  });
});

test('the payment of a suspended account is not passed on: the next processor would be a new charge', async () => {
  const id = await interrupted('unknown');
  pier.finds.set(first, busy);
  await server.operator.run('accounts.suspend', { id: account.id });
  await inquired();
  const payments = await rows('select status from payments where id = $1', [id]);
  expect([payments, asked()]).toEqual([[{ status: 'failed' }], [first]]);
});

test('what was pending is not passed on: its processor had taken it', async () => {
  pier.answers.set(first, { kind: 'pending' });
  const { id } = (await pay()).json;
  pier.finds.set(first, busy);
  await inquired();
  expect([(await read(id)).status, asked()]).toEqual(['failed', [first]]);
});

test('the second may pass it on to the third, and the third is the last', async () => {
  await join();
  const id = await interrupted('open');
  pier.finds.set(first, busy);
  pier.answers.set(second, notSent).set(third, busy);
  await inquired();
  expect(await read(id)).toMatchObject({ status: 'failed', failure_code: 'processing_error' });
  expect(asked()).toEqual([first, second, third]);
  expect((await attemptsOf(id)).map(({ reason }: { reason: string }) => reason)[2]).toBe(
    `no rules: enabled account 3, oldest first → ${third}; ${first} passed over: try_again_later; ${second} passed over: no connection`,
  );
  expect(await eventsOf(id)).toEqual(['payment.failed']);
});

test.each(lefts)('after an unknown outcome of the second no other is asked until it is known (%s)', async (left) => {
  const id = await interrupted(left);
  pier.finds.set(first, busy);
  pier.answers.set(second, () => Promise.reject(new Error('reset')));
  pier.finds.set(second, unknown);
  await inquired();
  expect([(await read(id)).status, asked()]).toEqual(['processing', [first, second]]);
  pier.finds.set(second, busy);
  await inquired();
  expect([(await read(id)).status, asked()]).toEqual(['succeeded', [first, second, third]]);
  expect((await attemptsOf(id))[2].reason).toBe(
    `no rules: enabled account 3, oldest first → ${third}; ${first} passed over: try_again_later; ${second} passed over: try_again_later`,
  );
  // A payment is announced as processing once.
  expect(await eventsOf(id)).toEqual(['payment.processing', 'payment.succeeded']);
});

test('a notice passes it on as well, and no payment is passed on twice', async () => {
  const id = await interrupted('open');
  const [{ id: attempt }] = await attemptsOf(id);
  pier.finds.set(first, busy);
  clock.advance(16_000);
  const notice = { tenant, account: first, kind: 'attempt_changed', attempt } as const;
  await Promise.all([1, 2].map((number) => pier.report({ ...notice, id: `evt ${id} ${number}` })));
  await server.settled();
  expect([(await read(id)).status, asked()]).toEqual(['succeeded', [first, second]]);
});

describe('no other processor is asked', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['when the method was detached meanwhile', () => account.test.post(`/v1/payment_methods/${method}/detach`)],
    [
      'when all others were disabled meanwhile',
      () =>
        rows('update processor_accounts set enabled = false where tenant = $1 and id <> $2 returning id', [
          tenant,
          first,
        ]),
    ],
    [
      'when the card has expired meanwhile',
      () => rows('update payment_methods set exp_year = 2020 where id = $1 returning id', [method]),
    ],
    ['when a rule was made that names no other', () => account.test.post('/v1/routing', { rules: [{ use: [first] }] })],
  ])('%s', async (_, change) => {
    const id = await interrupted('open');
    await change(id);
    clock.advance(1_001);
    pier.finds.set(first, busy);
    await inquired();
    expect(await read(id)).toMatchObject({ status: 'failed', failure_code: 'processing_error' });
    expect(asked()).toEqual([first]);
    expect(await eventsOf(id)).toEqual(['payment.failed']);
  });
});

test('no other processor is asked for a payment that was canceled while the first was asked', async () => {
  const id = await interrupted('open');
  pier.finds.set(first, async () => {
    await rows(
      `update payments set status = 'canceled', canceled_at = now(), open_attempt = null, due_at = null, version = version + 1
        where id = $1 returning id`,
      [id],
    );
    return busy;
  });
  await inquired();
  expect([(await read(id)).status, asked()]).toEqual(['canceled', [first]]);
  expect(await attemptsOf(id)).toHaveLength(1);
});

test.each([
  ['cardholder', 'a request', {}],
  ['merchant', 'a request with off_session', { off_session: true }],
])('the next processor gets the initiator %s, as for the payment of %s', async (initiator, _, more) => {
  const id = await interrupted('open', more);
  pier.finds.set(first, busy);
  await inquired();
  expect(await read(id)).toMatchObject({ status: 'succeeded', ...more });
  expect(pier.asked.map(({ request }) => request.initiator)).toEqual([initiator, initiator]);
});

test('the next processor gets the initiator merchant for the payment of a job of an earlier version', async () => {
  const id = await interrupted('open');
  await rows('update attempts set request_id = null where payment = $1 returning id', [id]);
  pier.finds.set(first, busy);
  await inquired();
  expect(pier.asked[1]!.request.initiator).toBe('merchant');
});

test('accounts that cannot take the payment are named, and a rule of today decides', async () => {
  const id = await interrupted('open');
  await account.test.post('/v1/routing', { rules: [{ use: [second, first, third] }] });
  clock.advance(1_001);
  pier.able.set(second, { currencies: ['usd'] });
  pier.finds.set(first, busy);
  await inquired();
  expect((await attemptsOf(id))[1]).toMatchObject({
    processor_account: third,
    reason: expect.stringMatching(
      `^rule 1: every payment → ${third}; ${second} passed over: .*; ${first} passed over: try_again_later$`,
    ),
  });
});

describe('a retry with the key of the request', () => {
  test('gets the answer of the processor that took the payment', async () => {
    const id = await interrupted('open');
    pier.finds.set(first, busy);
    await inquired();
    const again = await pay();
    expect([again.status, again.json]).toEqual([200, await read(id)]);
    expect(again.json.status).toBe('succeeded');
    expect((await pay()).text).toBe(again.text);
  });

  test('gets the refusal of the last processor', async () => {
    const id = await interrupted('open');
    pier.finds.set(first, busy);
    pier.answers.set(second, lostCard);
    await inquired();
    const again = await pay();
    expect([again.status, again.json.error]).toMatchObject([402, { decline_code: 'lost_card', payment: id }]);
  });

  test('that comes before the inquiry gets processing, and keeps it', async () => {
    const id = await interrupted('open');
    clock.advance(16_000);
    const retried = await pay();
    expect([retried.status, retried.json.status]).toEqual([200, 'processing']);
    pier.finds.set(first, busy);
    await inquired();
    expect((await read(id)).status).toBe('succeeded');
    expect((await pay()).text).toBe(retried.text);
  });
});

test('a later verb goes where the money is', async () => {
  const id = await interrupted('unknown', { capture_method: 'manual' });
  pier.finds.set(first, busy);
  await inquired();
  clock.advance(100);
  expect((await account.test.post(`/v1/payments/${id}/capture`)).json.status).toBe('succeeded');
  expect((await attemptsOf(id)).at(-1)).toMatchObject({ verb: 'capture', processor_account: second });
});
