import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { type SubscriptionStatus, subscriptionStatuses } from '../subscription_state/subscription.ts';
import { at, Billing, cards, type Shown } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;
let price: Shown;

/** Subscriptions in each status, which verbs take from the end. */
const stock = new Map<SubscriptionStatus, Shown[]>();
const each = 8;

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
  price = await billing.price(1_000);
  const parameters = { dunning_days: [1], dunning_end: 'unpaid' };
  await server.operator.run('accounts.update', { id: billing.account.id, parameters });
  await stockUp();
});
afterAll(() => server.stop());

const begin = '2027-01-01';
/** Fifteen days of the thirty-one are left. */
const middle = '2027-01-17';

/** All in one clock, which then stands at the middle of the first period; past due and unpaid ones are a period older. */
async function stockUp(): Promise<void> {
  const older = await billing.clock('2026-11-30');
  const [pays, declines] = [await billing.customer(older), await billing.customer(older, cards.declines)];
  const several = async (make: () => Promise<Shown>) => {
    const made: Shown[] = [];
    for (let number = 0; number < each; number++) made.push(await make());
    return made;
  };
  const unpaid = await several(() => billing.subscribe(pays, price));
  await billing.advance(older, '2026-12-15');
  const late = await several(() => billing.subscribe(pays, price, { trial_days: 17 }));
  await billing.pays(pays, cards.declines);
  await billing.advance(older, begin);
  const clock = await billing.clock(begin);
  const customer = await billing.customer(clock);
  const active = await several(() => billing.subscribe(customer, price));
  const paused = await several(() => billing.subscribe(customer, price));
  const canceled = await several(() => billing.subscribe(customer, price));
  const trialing = await several(() => billing.subscribe(customer, price, { trial_days: 60 }));
  await billing.advance(clock, middle);
  for (const one of paused) await billing.post(`subscriptions/${one.id}/pause`);
  for (const one of canceled) await billing.post(`subscriptions/${one.id}/cancel`);
  const incomplete = await several(() => billing.subscribe(declines, price));
  const made = { incomplete, trialing, active, past_due: late, unpaid, paused, canceled };
  for (const status of subscriptionStatuses) stock.set(status, made[status]);
}

async function take(status: SubscriptionStatus): Promise<Shown> {
  const taken = stock.get(status)!.pop()!;
  const shown = await billing.subscription(taken);
  expect(shown.status).toBe(status);
  return shown;
}

type Verb = [name: string, path: string, body: (one: Shown) => object, allowed: readonly SubscriptionStatus[]];
const living = subscriptionStatuses.filter((status) => status !== 'canceled');
const doubled = (one: Shown) => ({ items: [{ id: one.items[0].id, quantity: 2 }], proration: 'none' });
const verbs: Verb[] = [
  ['cancel', '/cancel', () => ({}), living],
  ['cancel at the end', '/cancel', () => ({ at_period_end: true }), living],
  ['pause', '/pause', () => ({}), ['active']],
  ['resume', '/resume', () => ({}), ['paused']],
  ['change of items', '', doubled, ['trialing', 'active', 'past_due']],
  ['end of the trial', '', () => ({ trial_end: 'now' }), ['trialing']],
  ['end with the period', '', () => ({ cancel_at_period_end: true }), living],
  ['change of metadata', '', () => ({ metadata: { a: 1 } }), subscriptionStatuses],
];

describe.each(subscriptionStatuses)('a subscription that is %s', (status) => {
  test.each(verbs)('and the verb %s', async (_name, path, body, allowed) => {
    const before = await take(status);
    const answer = await billing.account.test.post(`/v1/subscriptions/${before.id}${path}`, body(before));
    if (allowed.includes(status)) return expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const { code, param, message } = answer.json.error;
    const named = { '/cancel': 'id', '/pause': 'id', '/resume': 'id' }[path];
    expect([answer.status, code]).toEqual([400, 'subscription_not_updatable']);
    expect(['id', 'items', 'trial_end']).toContain(param);
    if (named !== undefined) expect(param).toBe(named);
    expect(message).toContain(`it is ${status}`);
    expect(await billing.subscription(before)).toEqual(before);
    return undefined;
  });
});

/** A subscription of a month, in the middle of it. */
async function inTheMiddle(more: object = {}): Promise<{ clock: Shown; customer: Shown; made: Shown }> {
  const clock = await billing.clock(begin);
  const customer = await billing.customer(clock);
  const monthly = await billing.price(3_100);
  const made = await billing.subscribe(customer, monthly, more);
  await billing.advance(clock, middle);
  return { clock, customer, made };
}

const half = { start: at(middle), end: at('2027-02-01') };
const whole = { period_start: at(begin), period_end: at('2027-02-01') };

describe('cancel', () => {
  test('now ends it, without an invoice and without credit', async () => {
    const { customer, made } = await inTheMiddle();
    const after = await billing.post(`subscriptions/${made.id}/cancel`);
    expect(after).toEqual({ ...made, status: 'canceled', canceled_at: at(middle), ended_at: at(middle) });
    expect(await billing.invoices(made)).toHaveLength(1);
    expect(await billing.get(`customers/${customer.id}`)).not.toHaveProperty('credit_balance');
  });

  test('with proration credits the rest, by an invoice that becomes credit', async () => {
    const { customer, made } = await inTheMiddle();
    const after = await billing.post(`subscriptions/${made.id}/cancel`, { proration: 'create' });
    const [, last] = await billing.invoices(made);
    expect(after.latest_invoice).toBe(last.id);
    expect(last).toMatchObject({
      ...{ status: 'paid', billing_reason: 'subscription_update', total: -1_500, amount_due: 0, ...whole },
      lines: [{ amount: -1_500, proration: true, period: half, description: 'Unused time of 1 × Gold' }],
    });
    expect(last).not.toHaveProperty('payment');
    expect((await billing.get(`customers/${customer.id}`)).credit_balance).toEqual({ eur: 1_500 });
  });

  test('at the end of the period can be undone, and else it ends there', async () => {
    const { clock, made } = await inTheMiddle();
    const end = { at_period_end: true };
    const ending = await billing.post(`subscriptions/${made.id}/cancel`, end);
    expect(ending).toEqual({ ...made, cancel_at_period_end: true, canceled_at: at(middle) });
    const undone = await billing.post(`subscriptions/${made.id}`, { cancel_at_period_end: false });
    expect(undone).toEqual(made);
    await billing.post(`subscriptions/${made.id}/cancel`, end);
    await billing.advance(clock, '2027-03-01');
    const times = { canceled_at: at(middle), ended_at: at('2027-02-01') };
    expect(await billing.subscription(made)).toEqual({ ...ending, status: 'canceled', ...times });
    expect(await billing.invoices(made)).toHaveLength(1);
  });

  test('is refused with a proration that does not fit', async () => {
    const { made } = await inTheMiddle();
    const path = `subscriptions/${made.id}/cancel`;
    expect(await billing.refused(path, { at_period_end: true, proration: 'create' })).toMatchObject({
      ...{ status: 400, code: 'parameter_invalid', param: 'proration' },
    });
    expect(await billing.refused(path, { proration: 'invoice_now' })).toMatchObject({ param: 'proration' });
    expect(await billing.refused(path, { when: 'now' })).toMatchObject({ code: 'parameter_unknown', param: 'when' });
    expect(await billing.subscription(made)).toEqual(made);
  });
});

describe('pause', () => {
  test('credits the rest immediately, and resume bills to the next boundary of the old anchor', async () => {
    const { clock, made } = await inTheMiddle();
    const paused = await billing.post(`subscriptions/${made.id}/pause`);
    const [, credit] = await billing.invoices(made);
    expect(paused).toEqual({ ...made, status: 'paused', paused_at: at(middle), latest_invoice: credit.id });
    expect(credit).toMatchObject({ billing_reason: 'subscription_update', total: -1_500, ...whole });
    await billing.advance(clock, '2027-02-15');
    expect(await billing.subscription(made)).toEqual(paused);
    const resumed = await billing.post(`subscriptions/${made.id}/resume`);
    const [, , charge, ...others] = await billing.invoices(made);
    expect(others).toEqual([]);
    const period = { start: at('2027-02-15'), end: at('2027-03-01') };
    expect(resumed).toEqual({
      ...{ ...made, latest_invoice: charge.id },
      ...{ current_period_start: period.start, current_period_end: period.end },
    });
    expect(charge).toMatchObject({
      ...{ billing_reason: 'subscription_update', period_start: period.start, period_end: period.end },
      lines: [{ amount: 1_550, proration: true, period }],
      ...{ total: 1_550, credit_applied: 1_500, amount_due: 50, status: 'paid' },
    });
  });

  test('and resume take no parameters', async () => {
    const { made } = await inTheMiddle();
    for (const verb of ['pause', 'resume'])
      expect(await billing.refused(`subscriptions/${made.id}/${verb}`, { proration: 'none' })).toMatchObject({
        ...{ code: 'parameter_unknown', param: 'proration' },
      });
  });

  test('with an end of the period ends it there', async () => {
    const { clock, made } = await inTheMiddle({ cancel_at_period_end: true });
    await billing.post(`subscriptions/${made.id}/pause`);
    await billing.advance(clock, '2027-02-02');
    expect(await billing.subscription(made)).toMatchObject({ status: 'canceled', ended_at: at('2027-02-01') });
  });
});

describe('events', () => {
  /** The events about an object and what belongs to it, oldest first. */
  async function eventsAbout(...ids: string[]): Promise<Shown[]> {
    const { rows } = await server.sql.query<{ payload: Buffer }>(
      'select payload from events where object_id = any($1) order by id',
      [ids],
    );
    return rows.map(({ payload }) => JSON.parse(payload.toString()));
  }
  const types = (events: Shown[]) => events.map(({ type }) => type);

  test('tell of every change, with the attributes before it, at the time of the clock', async () => {
    const { clock, made } = await inTheMiddle({ trial_days: 10 });
    const path = `subscriptions/${made.id}`;
    const active = await billing.subscription(made);
    const paused = await billing.post(`${path}/pause`);
    await billing.advance(clock, '2027-01-20');
    await billing.post(`${path}/resume`);
    await billing.post(path, { cancel_at_period_end: true, metadata: { a: 1 } });
    await billing.post(path, { cancel_at_period_end: true }); // nothing has changed
    await billing.post(`${path}/cancel`);
    const events = await eventsAbout(made.id);
    expect(types(events)).toEqual([
      'subscription.created',
      'subscription.trial_will_end',
      'subscription.updated',
      'subscription.paused',
      'subscription.resumed',
      'subscription.updated',
      'subscription.canceled',
    ]);
    expect(events.map(({ created }) => created)).toEqual(
      ['2027-01-01', '2027-01-08', '2027-01-11', middle, '2027-01-20', '2027-01-20', '2027-01-20'].map(at),
    );
    expect(events.map(({ data }) => data.previous_attributes)).toEqual([
      undefined,
      undefined,
      {
        ...{ status: 'trialing', latest_invoice: null },
        ...{ current_period_start: made.current_period_start, current_period_end: made.current_period_end },
      },
      { status: 'active', latest_invoice: active.latest_invoice, paused_at: null },
      {
        ...{ status: 'paused', latest_invoice: paused.latest_invoice, paused_at: at(middle) },
        current_period_start: active.current_period_start,
      },
      { cancel_at_period_end: false, canceled_at: null, metadata: null },
      { status: 'active', ended_at: null },
    ]);
    expect(events.at(-1).data.object).toEqual(await billing.subscription(made));
  });

  test('of an invoice come in the order of its life', async () => {
    const { made } = await inTheMiddle();
    expect(types(await eventsAbout(made.latest_invoice))).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
    ]);
    const [created, finalized, paid] = await eventsAbout(made.latest_invoice);
    expect([created, finalized, paid].map(({ data }) => data.object.status)).toEqual(['draft', 'open', 'paid']);
    expect(created.data.object).not.toHaveProperty('number');
    expect(finalized.data.object).toMatchObject({ number: expect.stringMatching(/^INV-/), amount_remaining: 3_100 });
    expect(paid.data.object).toEqual(await billing.get(`invoices/${made.latest_invoice}`));
  });
});
