import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { isTorture, shareOfCases } from '../../../test/torture.ts';
import { at, Billing, cards, type Shown } from './billing.fixture.ts';

let time: VirtualClock;
let server: TestServer;
let account: TestAccount;
let billing: Billing;

beforeAll(async () => {
  time = virtualClock(Date.now());
  server = await startServer({ clock: time });
});
afterAll(() => server.stop());
beforeEach(async () => {
  account = await server.account();
  billing = new Billing(account);
});
afterEach(async () => {
  expect(await violationsOf(server.sql, { rest: true })).toEqual([]);
});

type Story = { clock: Shown; customer: Shown; subscription: Shown };

/** A subscription since January, monthly unless it is said, whose card is then another one. It is February. */
async function story(number: string, price: Shown = undefined, since = '2026-01-01'): Promise<Story> {
  const clock = await billing.clock(since);
  const customer = await billing.customer(clock);
  const subscription = await billing.subscribe(customer, price ?? (await billing.price(1_000)));
  await billing.pays(customer, number);
  await billing.advance(clock, '2026-02-01');
  return { clock, customer, subscription };
}

const statusOf = async (subscription: Shown) => (await billing.subscription(subscription)).status;
/** By their periods: time stands still here, so their ids have no order. */
async function invoicesOf(subscription: Shown): Promise<Shown[]> {
  return (await billing.invoices(subscription)).sort((one, other) => one.period_start - other.period_start);
}
const statusesOf = async (subscription: Shown) => (await invoicesOf(subscription)).map(({ status }) => status);
const latestOf = async (subscription: Shown) => (await invoicesOf(subscription)).at(-1);

function dunning(parameters: Record<string, string | number[]>) {
  return server.operator.run('accounts.update', { id: account.id, parameters });
}

const allDeclines: [code: string, card: string, isRetried: boolean][] = [
  ['generic_decline, of a card that can be attached', '4000000000000341', true],
  ['lost_card', '4000000000009987', false],
  ['processing_error', '4000000000000119', true],
  ['expired_card', '4000000000000069', false],
  ['generic_decline', '4000000000000002', true],
  ['insufficient_funds', '4000000000009995', true],
  ['card_velocity_exceeded', '4000000000006975', true],
  ['stolen_card', '4000000000009979', false],
  ['authentication_required', '4000000000003220', false],
];
const declines = shareOfCases(allDeclines, 4);

test(`the advice of a decline: ${declines.map(([code]) => code).join(', ')}`, async () => {
  const clock = await billing.clock('2026-01-01');
  const price = await billing.price(1_000);
  const dunned: { code: string; isRetried: boolean; subscription: Shown }[] = [];
  for (const [code, card, isRetried] of declines) {
    const customer = await billing.customer(clock);
    dunned.push({ code, isRetried, subscription: await billing.subscribe(customer, price) });
    await billing.pays(customer, card);
  }
  await billing.advance(clock, '2026-02-01');
  for (const { code, isRetried, subscription } of dunned) {
    const invoice = await latestOf(subscription);
    expect(invoice, code).toMatchObject({ status: 'open', attempt_count: 1 });
    expect(invoice.next_payment_attempt, code).toBe(isRetried ? at('2026-02-02') : undefined);
  }
  await billing.advance(clock, '2026-02-07T23:59');
  for (const { code, isRetried, subscription } of dunned) {
    expect(await statusOf(subscription), code).toBe('past_due');
    expect((await latestOf(subscription)).attempt_count, code).toBe(isRetried ? 4 : 1);
  }
  await billing.advance(clock, '2026-02-08');
  for (const { code, isRetried, subscription } of dunned) {
    // The days end for all.
    const [paid, given] = await invoicesOf(subscription);
    expect([await statusOf(subscription), paid.status, given.status], code).toEqual([
      'canceled',
      'paid',
      'uncollectible',
    ]);
    expect(given.attempt_count, code).toBe(isRetried ? 5 : 1);
  }
});

test('4000 0000 0000 0341 is tried 1, 3, 5 and 7 days after the first failure', async () => {
  const { clock, subscription } = await story('4000000000000341');
  const days = ['2026-02-02', '2026-02-04', '2026-02-06', '2026-02-08'];
  for (const [index, day] of days.entries()) {
    const { attempt_count, next_payment_attempt } = await latestOf(subscription);
    expect([attempt_count, next_payment_attempt]).toEqual([index + 1, at(day)]);
    await billing.advance(clock, day);
  }
  expect(await statusOf(subscription)).toBe('canceled');
  expect(await latestOf(subscription)).toMatchObject({
    status: 'uncollectible',
    attempt_count: 5,
    last_failure: { code: 'card_declined', decline_code: 'generic_decline' },
  });
});

test('a card that has expired since it was stored is not tried again, and a new one is tried immediately', async () => {
  const clock = await billing.clock('2026-01-01');
  const customer = await billing.customer(clock, '');
  const expiring = { number: cards.pays, exp_month: 1, exp_year: 2026 };
  const { id } = await billing.post('payment_methods', { type: 'card', card: expiring, customer: customer.id });
  await billing.post(`customers/${customer.id}`, { default_payment_method: id });
  const subscription = await billing.subscribe(customer, await billing.price(1_000), {
    billing_cycle_anchor: at('2026-01-15'),
  });
  await billing.advance(clock, '2026-02-15');
  const unpaid = { status: 'open', attempt_count: 1, last_failure: { code: 'expired_card' } };
  expect(await latestOf(subscription)).toMatchObject(unpaid);
  expect((await latestOf(subscription)).next_payment_attempt).toBeUndefined();
  await billing.advance(clock, '2026-02-18');
  expect(await latestOf(subscription)).toMatchObject(unpaid);
  await billing.pays(customer, cards.pays);
  await server.settled();
  expect(await latestOf(subscription)).toMatchObject({ status: 'paid', attempt_count: 2 });
  expect(await statusOf(subscription)).toBe('active');
});

describe('the setting of the account', () => {
  test('other days', async () => {
    await dunning({ dunning_days: [2, 4] });
    const { clock, subscription } = await story(cards.declines);
    expect((await latestOf(subscription)).next_payment_attempt).toBe(at('2026-02-03'));
    await billing.advance(clock, '2026-02-04');
    expect(await latestOf(subscription)).toMatchObject({ attempt_count: 2, next_payment_attempt: at('2026-02-05') });
    await billing.advance(clock, '2026-02-05');
    expect(await statusOf(subscription)).toBe('canceled');
  });

  test('past_due: later periods are invoiced, each with its own retries', async () => {
    await dunning({ dunning_end: 'past_due' });
    const { clock, customer, subscription } = await story(cards.declines);
    await billing.advance(clock, '2026-03-09');
    const [, second, third] = await invoicesOf(subscription);
    expect([second, third]).toMatchObject([
      { status: 'open', attempt_count: 5 },
      { status: 'open', attempt_count: 5 },
    ]);
    expect([second.next_payment_attempt, third.next_payment_attempt]).toEqual([undefined, undefined]);
    expect(await statusOf(subscription)).toBe('past_due');
    await billing.pays(customer, cards.pays);
    await server.settled();
    expect(await statusesOf(subscription)).toEqual(['paid', 'paid', 'paid']);
    expect(await statusOf(subscription)).toBe('active');
  });

  test.runIf(isTorture)('past_due: a new card pays every open invoice, also more than fifty', async () => {
    await dunning({ dunning_end: 'past_due' });
    const price = await billing.price(100, { interval: 'day' });
    const { clock, customer, subscription } = await story(cards.lost, price, '2026-01-31');
    await billing.advance(clock, '2026-03-28');
    expect((await statusesOf(subscription)).filter((status) => status === 'open')).toHaveLength(56);
    const { id: default_payment_method } = await billing.method(cards.pays, customer.id);
    await billing.post(`subscriptions/${subscription.id}`, { default_payment_method });
    await server.settled();
    expect(new Set(await statusesOf(subscription))).toEqual(new Set(['paid']));
    expect(await statusOf(subscription)).toBe('active');
  });

  test('unpaid: it still ends with its period, where that was wished', async () => {
    await dunning({ dunning_end: 'unpaid', dunning_days: [1, 2] });
    const { clock, subscription } = await story(cards.declines);
    await billing.post(`subscriptions/${subscription.id}`, { cancel_at_period_end: true });
    await billing.advance(clock, '2026-02-20');
    expect(await statusOf(subscription)).toBe('unpaid');
    await billing.advance(clock, '2026-03-02');
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'canceled', ended_at: at('2026-03-01') });
    expect(await statusesOf(subscription)).toEqual(['paid', 'open']);
  });

  test('unpaid: nothing is invoiced until the open ones are paid, and then from the next boundary', async () => {
    await dunning({ dunning_end: 'unpaid' });
    const { clock, customer, subscription } = await story(cards.declines);
    await billing.advance(clock, '2026-04-10');
    expect([await statusOf(subscription), await statusesOf(subscription)]).toEqual(['unpaid', ['paid', 'open']]);
    const { id: payment_method } = await billing.method(cards.pays, customer.id);
    await billing.post(`invoices/${(await latestOf(subscription)).id}/pay`, { payment_method });
    await billing.post(`customers/${customer.id}`, { default_payment_method: payment_method });
    const active = await billing.subscription(subscription);
    expect(active).toMatchObject({
      status: 'active',
      current_period_start: at('2026-04-01'),
      current_period_end: at('2026-05-01'),
    });
    await billing.advance(clock, '2026-05-02');
    const invoices = await invoicesOf(subscription);
    expect(invoices.map(({ period_start }) => period_start)).toEqual([
      at('2026-01-01'),
      at('2026-02-01'),
      at('2026-05-01'),
    ]);
  });

  test('unpaid: an invoice whose days are not over is tried for all of them', async () => {
    await dunning({ dunning_days: [1, 3, 5, 40], dunning_end: 'unpaid' });
    const { clock, subscription } = await story(cards.declines);
    await billing.advance(clock, '2026-03-20');
    expect(await statusOf(subscription)).toBe('unpaid'); // since the 13th of March
    await billing.advance(clock, '2026-04-20');
    expect((await invoicesOf(subscription)).map(({ attempt_count }) => attempt_count)).toEqual([1, 5, 5]);
  });

  test('canceled: all open invoices become uncollectible, and can still be paid', async () => {
    await dunning({ dunning_days: [1, 40] });
    const { clock, customer, subscription } = await story(cards.declines);
    await billing.advance(clock, '2026-03-20');
    expect([await statusOf(subscription), await statusesOf(subscription)]).toEqual([
      'canceled',
      ['paid', 'uncollectible', 'uncollectible'],
    ]);
    const { id } = await latestOf(subscription);
    expect(await billing.refused(`invoices/${id}/pay`)).toMatchObject({ status: 402 });
    const { id: payment_method } = await billing.method(cards.pays, customer.id);
    expect(await billing.post(`invoices/${id}/pay`, { payment_method })).toMatchObject({ status: 'paid' });
    expect(await statusOf(subscription)).toBe('canceled');
  });
});

describe('a changed method tries open invoices immediately', () => {
  test('that of the subscription, under a clock', async () => {
    const { customer, subscription } = await story(cards.lost);
    const { id: default_payment_method } = await billing.method(cards.pays, customer.id);
    await billing.post(`subscriptions/${subscription.id}`, { default_payment_method });
    await eventually(async () => expect(await statusOf(subscription)).toBe('active'));
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid', paid_at: at('2026-02-01'), attempt_count: 2 });
  });

  test('before the clock that is advanced next goes on', async () => {
    const { clock, customer, subscription } = await story(cards.lost);
    const { id: default_payment_method } = await billing.method(cards.pays, customer.id);
    await Promise.all([
      server.gateway.worker.idle(),
      billing
        .post(`customers/${customer.id}`, { default_payment_method })
        .then(() => billing.advance(clock, '2026-02-28')),
    ]);
    expect(await statusOf(subscription)).toBe('active');
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid', paid_at: at('2026-02-01') });
  });

  test('that of the customer, in real time; one that fails too does not begin the days again', async () => {
    const customer = await billing.customer(undefined);
    const subscription = await billing.subscribe(customer, await billing.price(1_000));
    await billing.pays(customer, cards.lost);
    time.advance(31 * 86_400_000);
    await server.settled();
    expect(await statusOf(subscription)).toBe('past_due');
    await billing.pays(customer, cards.declines);
    await server.settled();
    const invoice = await latestOf(subscription);
    expect(invoice).toMatchObject({ attempt_count: 2, last_failure: { decline_code: 'insufficient_funds' } });
    await billing.pays(customer, cards.pays);
    await server.settled();
    expect([await statusOf(subscription), (await latestOf(subscription)).attempt_count]).toEqual(['active', 3]);
  });

  test('several, of one subscription', async () => {
    await dunning({ dunning_days: [1, 90] });
    const daily = await billing.price(10, { interval: 'day' });
    const { clock, customer, subscription } = await story(cards.declines, daily, '2026-01-31');
    await billing.advance(clock, '2026-02-08');
    expect((await statusesOf(subscription)).filter((status) => status === 'open').length).toBe(8);
    await billing.pays(customer, cards.pays);
    await server.settled();
    expect(new Set(await statusesOf(subscription))).toEqual(new Set(['paid']));
    expect(await statusOf(subscription)).toBe('active');
  });

  test('but not those of a subscription that is canceled', async () => {
    const { customer, subscription } = await story(cards.declines);
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await billing.pays(customer, cards.pays);
    await server.settled();
    expect(await latestOf(subscription)).toMatchObject({ status: 'open', attempt_count: 1 });
  });
});

describe('what the merchant does meanwhile', () => {
  test('canceled now or at the end of the period: open invoices stay open and are not tried again', async () => {
    await dunning({ dunning_days: [1, 3, 40] });
    for (const at_period_end of [false, true]) {
      const { clock, subscription } = await story(cards.declines);
      await billing.post(`subscriptions/${subscription.id}/cancel`, { at_period_end });
      await billing.advance(clock, '2026-04-01');
      const { status, attempt_count, next_payment_attempt } = await latestOf(subscription);
      expect([status, attempt_count, next_payment_attempt]).toEqual(['open', at_period_end ? 3 : 1, undefined]);
    }
  });

  test('given up: the subscription is active again, and a payment that is declined changes nothing', async () => {
    const { clock, subscription } = await story(cards.declines);
    const { id } = await latestOf(subscription);
    await billing.post(`invoices/${id}/mark_uncollectible`);
    expect(await statusOf(subscription)).toBe('active');
    expect(await billing.refused(`invoices/${id}/pay`)).toMatchObject({ status: 402 });
    expect(await statusOf(subscription)).toBe('active');
    expect(await billing.get(`invoices/${id}`)).toMatchObject({ status: 'uncollectible' });
    await billing.advance(clock, '2026-02-20');
    expect((await billing.get(`invoices/${id}`)).attempt_count).toBe(2);
  });

  test('voided: the subscription is active again', async () => {
    const { subscription } = await story(cards.declines);
    await billing.post(`invoices/${(await latestOf(subscription)).id}/void`);
    expect(await statusOf(subscription)).toBe('active');
  });
});

test('canceled before it begins, with a local processor: a payment that is found later is refunded', async () => {
  const customer = await billing.customer(undefined, '4000000000000408');
  const subscription = await billing.subscribe(customer, await billing.price(1_000));
  await billing.post(`subscriptions/${subscription.id}/cancel`);
  await server.settled();
  for (let times = 0; times < 3; times++) {
    time.advance(60_000);
    await server.settled();
  }
  const { status, payment } = await latestOf(subscription);
  expect([status, (await billing.get(`payments/${payment}`)).amount_refunded]).toEqual(['void', 1_000]);
  const { rows } = await server.sql.query('select closing, due_at from invoices where payment = $1', [payment]);
  expect(rows).toEqual([{ closing: null, due_at: null }]);
});

describe('many invoices at one moment', () => {
  test('of one customer, that use its credit', async () => {
    const clock = await billing.clock('2026-01-01');
    const customer = await billing.customer(clock);
    const price = await billing.price(100);
    const subscriptions: Shown[] = [];
    for (let n = 0; n < 12; n++) subscriptions.push(await billing.subscribe(customer, price));
    await billing.post('invoice_items', { customer: customer.id, amount: -750, currency: 'eur', description: 'Sorry' });
    const { id } = await billing.post('invoices', { customer: customer.id });
    await billing.post(`invoices/${id}/finalize`);
    await billing.advance(clock, '2026-02-01');
    const { data } = await billing.get(`invoices?customer=${customer.id}&limit=100`);
    const renewals = data.filter((one: Shown) => one.billing_reason === 'subscription_cycle');
    expect(renewals).toHaveLength(12);
    expect(renewals.reduce((sum: number, one: Shown) => sum + one.credit_applied, 0)).toBe(750);
    expect(new Set(renewals.map((one: Shown) => one.status))).toEqual(new Set(['paid']));
  });
});
