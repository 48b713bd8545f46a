import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { addAccount, openPier, type Pier } from '../../payments/payments/pier.fixture.ts';
import type { CardTestingLimits } from '../../people/accounts/card_testing.ts';
import { Checkout, tokenOf } from '../checkout_sessions/checkout.fixture.ts';

/** The limits against card testing as a thief meets them, over two instances: a try that is refused costs no call of a processor. */
const minute = 60_000;
let clock: VirtualClock;
let pier: Pier;
let options: ServerOptions;
let first: TestServer;
let second: TestServer;
let shop: TestAccount;
let checkout: Checkout;
let pa: ProcessorAccountId;
let cardsMade = 0;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  pier = openPier();
  options = { clock, connectors: [...registrations, pier.registration], environment: { OWN_CARD_FIELDS: 'yes' } };
  first = await startServer(options);
  second = await startServer({ ...options, databaseUrl: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  pier.answers.clear();
  pier.asked.length = 0;
  shop = await first.account();
  checkout = new Checkout(first, shop);
  clock.advance(60 * minute); // nobody remembers the addresses of the test before
  pa = await addAccount(first.gateway, await tenantOf(first.sql, shop.id, 'live'));
  pier.answers.set(pa, { kind: 'declined', code: 'card_declined', declineCode: 'generic_decline' });
});

async function limit(card_testing: Partial<CardTestingLimits>): Promise<void> {
  await first.operator.run('account.update', { account: shop.id, parameters: { card_testing } });
  clock.advance(1_000); // settings are cached for less than a second
}

type Session = { id: string; url: string };
async function session(more: object = {}): Promise<Session> {
  const body = { amount: 900, currency: 'eur', customer_email: 'ada@example.com', ...more };
  return (await shop.live.post('/v1/checkout_sessions', body)).json;
}

/** A number that was never used before, with a right last digit. */
function newNumber(): string {
  const body = `411111${String(++cardsMade).padStart(9, '0')}`;
  const sum = [...body].reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

type Press = { at?: TestServer; address?: string; number?: string };
function press({ url }: Session, { at = first, address = '203.0.113.7', number = newNumber() }: Press = {}) {
  return checkout.callsOf(at).pay(tokenOf(url), { instrument: checkout.card(number), details: {}, address });
}

const sessions = (count: number) => Promise.all(Array.from({ length: count }, () => session()));
const either = (at: number) => (at % 2 === 0 ? first : second);

test('thirty cards at once from one address, in thirty sessions over two instances, are ten calls; after a restart none', async () => {
  const all = await sessions(30);
  const answers = await Promise.all(all.map((one, at) => press(one, { at: either(at) })));
  expect(pier.asked).toHaveLength(10);
  expect(answers.filter((answer) => answer?.refused !== undefined)).toHaveLength(20);
  const [next] = await sessions(1);
  const restarted = await startServer({ ...options, databaseUrl: first.databaseUrl });
  try {
    expect(await press(next!, { at: restarted })).toMatchObject({ refused: { until: clock.now() + 60 * minute } });
  } finally {
    await restarted.stop();
  }
  expect(pier.asked).toHaveLength(10);
  expect((await press(next!, { address: '198.51.100.9' }))?.refused).toBeUndefined();
  expect(pier.asked).toHaveLength(11);
});

test('the page that refuses says when to try again, to people and to programs; the button works by then', async () => {
  const all = await sessions(11);
  for (const [at, { url }] of all.entries()) {
    const tab = new CheckoutTab(either(at).anonymous, url);
    await tab.open();
    const { status, headers, text } = await tab.pay({ number: newNumber() });
    if (at < 10) expect(status).toBe(303);
    else {
      expect([status, headers['retry-after']]).toEqual([429, '3600']);
      expect(text).toMatch(/Too many attempts\. Please try again (<bdi>)?in 60 minutes/);
      expect(pier.asked).toHaveLength(10);
      clock.advance(60 * minute);
      pier.answers.set(pa, { kind: 'approved', reference: 'pier_1' });
      expect((await tab.pay()).status).toBe(303);
      expect((await tab.open()).text).toContain('Payment confirmed');
    }
  }
});

test('one card in four sessions, from four addresses, is three calls', async () => {
  const number = newNumber();
  const all = await sessions(4);
  const answers = await Promise.all(
    all.map((one, at) => press(one, { at: either(at), number, address: `198.51.100.${at}` })),
  );
  expect(answers.filter((answer) => answer?.refused !== undefined)).toHaveLength(1);
  expect(pier.asked).toHaveLength(3);
});

test('the sixth card in one session is no call, from any address, at any instance', async () => {
  const [one] = await sessions(1);
  for (let tries = 0; tries < 8; tries++) await press(one!, { at: either(tries), address: `198.51.100.${tries}` });
  expect(pier.asked).toHaveLength(5);
  expect((await press(one!))?.view).toMatchObject({ status: 'expired', expired_reason: 'too_many_attempts' });
});

test('the eleventh session of a link from one address is not made, and its page says when', async () => {
  const { url } = (await shop.live.post('/v1/payment_links', { amount: 500, currency: 'eur' })).json;
  const statuses: number[] = [];
  for (let at = 0; at < 12; at++) {
    const tab = new CheckoutTab(either(at).anonymous, url);
    await tab.open();
    const { status, headers, text } = await tab.send({});
    statuses.push(status);
    if (status !== 429) continue;
    expect(Number(headers['retry-after'])).toBeGreaterThan(590);
    expect(text).toContain('in 10 minutes');
  }
  expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
  expect((await shop.live.get('/v1/checkout_sessions?limit=100')).json.data).toHaveLength(10);
});

test('after an alarm every card is authenticated, by the request to the processor: typed, saved or chosen on its page', async () => {
  await limit({ declines_per_address: 0, sessions_per_card: 0, declines_per_session: 0 });
  const [one] = await sessions(1);
  for (let tries = 0; tries < 31; tries++) await press(one!, { at: either(tries) });
  pier.answers.set(pa, { kind: 'approved', reference: 'pier_1' });
  for (const passing of await sessions(19)) await press(passing);
  expect(new Set(pier.asked.map(({ request }) => request.authentication))).toEqual(new Set(['issuer']));
  clock.advance(1_000);
  const customer = (await shop.live.post('/v1/customers', {})).json.id;
  const card = { number: newNumber(), exp_month: 12, exp_year: 2_040 };
  const saved = (await shop.live.post('/v1/payment_methods', { type: 'card', card, customer })).json.id;
  const known = await session({ customer, customer_email: undefined });
  const calls = checkout.callsOf(second);
  await press((await sessions(1))[0]!, { at: second });
  await calls.pay(tokenOf(known.url), {
    instrument: { kind: 'saved', payment_method: saved },
    details: {},
    address: '203.0.113.7',
  });
  pier.able.set(pa, { page: { minMinutes: 30, maxMinutes: 1_440 } });
  const [chosen] = await sessions(1);
  await calls.pay(tokenOf(chosen!.url), { instrument: { kind: 'page' }, details: {}, address: '203.0.113.7' });
  expect(
    pier.asked.slice(-3).map(({ request: { instrument, authentication } }) => [instrument.kind, authentication]),
  ).toEqual([
    ['card', 'always'],
    ['card', 'always'],
    ['page', 'always'],
  ]);
});

test('in test mode the limit of a session applies alone, unless the account says otherwise', async () => {
  const tenant = await tenantOf(first.sql, shop.id, 'test');
  const test = await addAccount(first.gateway, tenant);
  pier.answers.set(test, { kind: 'declined', code: 'card_declined' });
  const number = newNumber();
  for (let at = 0; at < 12; at++)
    expect((await press(await checkout.create(), { at: either(at), number }))?.refused).toBeUndefined();
  expect(pier.asked).toHaveLength(12);
  const one = await checkout.create();
  for (let tries = 0; tries < 7; tries++) await press(one);
  expect(pier.asked).toHaveLength(17);
  await limit({ in_test_mode: true });
  const answers = [];
  for (let at = 0; at < 4; at++) answers.push(await press(await checkout.create(), { at: either(at), number }));
  expect(answers.map((answer) => answer?.refused !== undefined)).toEqual([false, false, false, true]);
  expect(pier.asked).toHaveLength(20);
});
