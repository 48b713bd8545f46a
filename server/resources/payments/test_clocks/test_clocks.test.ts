import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { newId } from '../../../base/id.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { advanceLimit, type TestClockId } from './test_clock.ts';
import { clockedFor } from './time.ts';

const clock = virtualClock(Date.now());
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ clock });
  account = await server.account();
});
afterAll(() => server.stop());

const seconds = (text: string) => Date.parse(`${text}Z`) / 1_000;
const start = seconds('2030-01-31T12:00:00');
const day = 86_400;

const post = async (path: string, body: object = {}) => (await account.test.post(`/v1/${path}`, body)).json;
const get = async (path: string) => (await account.test.get(`/v1/${path}`)).json;
const makeClock = async (frozen_time = start) => (await post('test_clocks', { frozen_time })).id as string;
const advance = (id: string, frozen_time: number) =>
  account.test.post(`/v1/test_clocks/${id}/advance`, { frozen_time });
const sql = async (text: string, values: unknown[] = []) => (await server.sql.query(text, values)).rows;

/** As if an advance were under way that no process works on. */
const freeze = (clock: string) =>
  sql(`update test_clocks set status = 'advancing', target = frozen_time, version = version + 1 where id = $1`, [
    clock,
  ]);
const thaw = (clock: string) =>
  sql(`update test_clocks set status = 'ready', target = null, version = version + 1 where id = $1`, [clock]);

/** In real time. */
async function later(seconds: number): Promise<void> {
  clock.advance(seconds * 1_000);
  await server.settled();
}

const card = (number = '4242424242424242', exp_year = 2040) => ({ number, exp_month: 12, exp_year, cvc: '123' });
const makeMethod = async (more: object = {}, number?: string) =>
  (await post('payment_methods', { type: 'card', card: card(number), ...more })).id as string;

/** `created` of the events about an object. */
async function eventsOf(id: string): Promise<{ type: string; created: number }[]> {
  const rows = await sql('select payload from events where object_id = $1 order by object_version', [id]);
  return rows.map(({ payload }) => JSON.parse(payload.toString())).map(({ type, created }) => ({ type, created }));
}

describe('a test clock', () => {
  test('is created, shown, listed and found, with exactly the fields that it has', async () => {
    const made = await post('test_clocks', { frozen_time: start, name: 'Dunning' });
    const created = expect.any(Number);
    const shown = { object: 'test_clock', name: 'Dunning', frozen_time: start, status: 'ready', created };
    expect(made).toEqual({ id: expect.stringMatching(/^clock_/), ...shown });
    expect(made.created).toBe(Math.floor(clock.now() / 1_000));
    clock.advance(1_000);
    const nameless = await post('test_clocks', { frozen_time: start });
    expect(nameless).not.toHaveProperty('name');
    expect(await get(`test_clocks/${made.id}`)).toEqual(made);
    expect((await get('test_clocks?limit=2')).data).toEqual([nameless, made]);
  });

  test('is created once with an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'one clock' };
    const first = await account.test.post('/v1/test_clocks', { frozen_time: start }, headers);
    const again = await account.test.post('/v1/test_clocks', { frozen_time: start }, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  test.each([
    [{}, 'parameter_missing'],
    [{ frozen_time: '2030-01-01' }, 'parameter_invalid'],
    [{ frozen_time: seconds('1999-12-31T23:59:59') }, 'parameter_invalid'],
    [{ frozen_time: seconds('2100-01-01T00:00:01') }, 'parameter_invalid'],
    [{ frozen_time: 1.5 }, 'parameter_invalid'],
  ])('is refused for %j', async (body, code) => {
    const answer = await account.test.post('/v1/test_clocks', body);
    expect([answer.status, answer.json.error]).toMatchObject([400, { code, param: 'frozen_time' }]);
  });

  test('exists in test mode only', async () => {
    const id = await makeClock();
    const { live } = account;
    const answers = [
      live.post('/v1/test_clocks', { frozen_time: start }),
      live.get('/v1/test_clocks'),
      live.get(`/v1/test_clocks/${id}`),
      live.post(`/v1/test_clocks/${id}/advance`, { frozen_time: start + day }),
      live.delete(`/v1/test_clocks/${id}`),
    ];
    for (const answer of await Promise.all(answers))
      expect([answer.status, answer.json.error.code]).toEqual([400, 'test_mode_only']);
    const customer = await live.post('/v1/customers', { test_clock: id });
    expect(customer.json.error).toMatchObject({ code: 'test_mode_only', param: 'test_clock' });
  });

  test('takes a key with the scope test_clocks', async () => {
    const reader = await server.key(account.id, { scopes: ['test_clocks:read'] });
    const id = await makeClock();
    expect((await reader.client.get(`/v1/test_clocks/${id}`)).status).toBe(200);
    expect((await reader.client.delete(`/v1/test_clocks/${id}`)).json.error.code).toBe('scope_missing');
  });
});

describe('an advance', () => {
  test('is answered while it is under way, and ends with the clock ready and an event in real time', async () => {
    const id = await makeClock();
    const answer = await advance(id, start + day);
    expect([answer.status, answer.json]).toMatchObject([200, { id, frozen_time: start, status: 'advancing' }]);
    await server.settled();
    const ready = await get(`test_clocks/${id}`);
    expect(ready).toMatchObject({ frozen_time: start + day, status: 'ready' });
    const [event, ...more] = await sql(`select payload from events where object_id = $1`, [id]);
    const { type, created, data } = JSON.parse(event.payload);
    expect([type, data.object, more]).toEqual(['test_clock.ready', ready, []]);
    expect(created).toBe(Math.floor(clock.now() / 1_000));
    expect(await sql('select target, due_at, lease_until from test_clocks where id = $1', [id])).toEqual([
      { target: null, due_at: null, lease_until: null },
    ]);
  });

  test.each([
    ['to where it is', 0],
    ['backwards', -1],
    ['by more than ten years', advanceLimit({ frozen_time: new Date(start * 1_000) }).getTime() / 1_000 - start + 1],
  ])('%s is refused', async (_, by) => {
    const answer = await advance(await makeClock(), start + by);
    expect([answer.status, answer.json.error]).toMatchObject([
      400,
      { code: 'parameter_invalid', param: 'frozen_time', message: expect.stringMatching(/must be later|at most/) },
    ]);
  });

  test('by ten years is the most, by the calendar', () => {
    const limitOf = (text: string) => advanceLimit({ frozen_time: new Date(`${text}T00:00:00Z`) }).toISOString();
    expect(limitOf('2030-06-15')).toBe('2040-06-15T00:00:00.000Z');
    expect(limitOf('2028-02-29')).toBe('2038-03-01T00:00:00.000Z');
  });

  test('is not begun twice, and the clock is not deleted meanwhile', async () => {
    const id = await makeClock();
    await freeze(id);
    const refused = { code: 'clock_not_ready', param: 'id' };
    expect((await advance(id, start + day)).json.error).toMatchObject(refused);
    expect((await account.test.delete(`/v1/test_clocks/${id}`)).json.error).toMatchObject(refused);
  });
});

describe('a customer with a clock', () => {
  test('lives in its time: created, payments, refunds, and the events of all of them', async () => {
    const test_clock = await makeClock();
    const customer = await post('customers', { test_clock, name: 'Ada' });
    const expected = { test_clock, created: start, name: 'Ada' };
    expect(customer).toMatchObject(expected);
    const method = await makeMethod({ customer: customer.id });
    const charge = { amount: 500, currency: 'eur', payment_method: method };
    const payment = await post('payments', { ...charge, customer: customer.id });
    expect(payment).toMatchObject({ status: 'succeeded', created: start });
    expect((await get(`payments/${payment.id}`)).created).toBe(start);
    await advance(test_clock, start + day);
    await server.settled();
    await post(`customers/${customer.id}`, { name: 'Grace' });
    const refund = await post('refunds', { payment: payment.id });
    expect(refund).toMatchObject({ status: 'succeeded', created: start + day });
    const held = await post('payments', { ...charge, capture_method: 'manual' }); // the method is the customer's
    expect((await post(`payments/${held.id}/cancel`)).canceled_at).toBe(start + day);
    await post(`payments/${payment.id}`, { description: 'shoes' });
    expect(await eventsOf(customer.id)).toEqual([
      { type: 'customer.created', created: start },
      { type: 'customer.updated', created: start + day },
    ]);
    expect(await eventsOf(method)).toEqual([{ type: 'payment_method.attached', created: start }]);
    expect(await eventsOf(payment.id)).toEqual([
      { type: 'payment.succeeded', created: start },
      { type: 'payment.refunded', created: start + day },
      { type: 'payment.updated', created: start + day },
    ]);
    expect(await eventsOf(refund.id)).toEqual([{ type: 'refund.created', created: start + day }]);
    expect(await eventsOf(held.id)).toEqual([
      { type: 'payment.requires_capture', created: start + day },
      { type: 'payment.canceled', created: start + day },
    ]);
  });

  test('is listed by its clock', async () => {
    const [clock, other] = [await makeClock(), await makeClock()];
    const { id } = await post('customers', { test_clock: clock });
    await post('customers', { test_clock: other });
    await post('customers');
    const ids = async (test_clock: string) =>
      (await get(`customers?test_clock=${test_clock}`)).data.map((customer: { id: string }) => customer.id);
    expect(await ids(clock)).toEqual([id]);
    expect(await ids(newId('clock', 0))).toEqual([]);
  });

  test('is listed by its real time', async () => {
    const test_clock = await makeClock();
    clock.advance(1_000);
    const { id } = await post('customers', { test_clock });
    const soon = Math.floor(clock.now() / 1_000) + 60;
    const { data } = await get(`customers?limit=1&created[lt]=${soon}&created[gt]=${soon - 120}`);
    expect(data[0].id).toBe(id);
  });

  test('needs a clock that exists and is ready', async () => {
    const frozen = await makeClock();
    await freeze(frozen);
    const other = (await (await server.account()).test.post('/v1/test_clocks', { frozen_time: start })).json.id;
    const codes: [string, string][] = [
      [frozen, 'clock_not_ready'],
      [other, 'resource_missing'],
      ['clock_nonsense', 'resource_missing'],
    ];
    for (const [test_clock, code] of codes) {
      const { error } = await post('customers', { test_clock });
      expect(error).toMatchObject({ code, param: 'test_clock' });
    }
  });

  test('settles by its clock what a processor answers later', async () => {
    const test_clock = await makeClock();
    const { id: customer } = await post('customers', { test_clock });
    const payment_method = await makeMethod({}, '4000000000000259'); // approved, then disputed
    const { id } = await post('payments', { amount: 500, currency: 'eur', payment_method, customer });
    await later(5);
    const [dispute] = (await get(`disputes?payment=${id}`)).data;
    expect(dispute.created).toBe(start);
    await post(`disputes/${dispute.id}`, { evidence: { uncategorized_text: 'a receipt' } });
    await post(`disputes/${dispute.id}/close`);
    for (const { created } of await eventsOf(dispute.id)) expect(created).toBe(start);
    expect(await eventsOf(dispute.id)).toHaveLength(3);
    const unknown = await makeMethod({ customer }, '4000000000000408'); // found approved when the processor is asked
    const lost = await post('payments', { amount: 500, currency: 'eur', payment_method: unknown });
    await later(10);
    expect(await eventsOf(lost.id)).toEqual([
      { type: 'payment.processing', created: start },
      { type: 'payment.succeeded', created: start },
    ]);
  });

  test('has cards that expire by its clock', async () => {
    const test_clock = await makeClock(seconds('2041-02-01T00:00:00'));
    const { id: customer } = await post('customers', { test_clock });
    const payment_method = await makeMethod(); // until 12/2040
    const answer = await account.test.post('/v1/payments', {
      ...{ amount: 500, currency: 'eur', payment_method, customer },
    });
    expect([answer.status, answer.json.error.code]).toEqual([402, 'expired_card']);
    const failed = await get(`payments/${answer.json.error.payment}`);
    expect([failed.status, failed.created]).toEqual(['failed', seconds('2041-02-01T00:00:00')]);
    const refused = await post('payment_methods', { type: 'card', card: card(undefined, 2040), customer });
    expect(refused.error.code).toBe('invalid_expiry_year');
    const late = await post('payment_methods', { type: 'card', card: card(undefined, 2090), customer });
    expect(late.card.exp_year).toBe(2090);
    const past = await post('customers', { test_clock: await makeClock(seconds('2010-01-01T00:00:00')) });
    expect((await makeMethod({ customer: past.id, card: card(undefined, 2011) })).slice(0, 3)).toBe('pm_');
  });

  test('cannot be changed while the clock advances, nor can anything that is theirs', async () => {
    const test_clock = await makeClock();
    const { id: customer } = await post('customers', { test_clock });
    const attached = await makeMethod({ customer });
    const loose = await makeMethod();
    const charge = { amount: 500, currency: 'eur', payment_method: attached };
    const paid = (await post('payments', charge)).id;
    const hold = async () => (await post('payments', { ...charge, capture_method: 'manual' })).id as string;
    const [captured, canceled] = [await hold(), await hold()];
    const refund = (await post('refunds', { payment: paid, amount: 1 })).id;
    const disputed = (
      await post('payments', { ...charge, payment_method: await makeMethod({ customer }, '4000000000000259') })
    ).id;
    await later(5);
    const [{ id: dispute }] = (await get(`disputes?payment=${disputed}`)).data;
    const item = (await post('invoice_items', { customer, amount: 5, currency: 'eur', description: 'x' })).id;
    await freeze(test_clock);
    const changes: [path: string, body: object, param: string][] = [
      [`customers/${customer}`, { name: 'Eve' }, 'id'],
      ['payment_methods', { type: 'card', card: card(), customer }, 'customer'],
      [`payment_methods/${attached}`, { metadata: { a: 1 } }, 'id'],
      [`payment_methods/${loose}/attach`, { customer }, 'customer'],
      ['payments', charge, 'payment_method'],
      ['payments', { ...charge, payment_method: loose, customer }, 'customer'],
      [`payments/${paid}`, { description: 'x' }, 'id'],
      [`payments/${captured}/capture`, {}, 'id'],
      [`payments/${canceled}/cancel`, {}, 'id'],
      ['refunds', { payment: paid }, 'payment'],
      ['invoice_items', { customer, amount: 5, currency: 'eur', description: 'x' }, 'customer'],
      [`refunds/${refund}`, { metadata: { a: 1 } }, 'id'],
      [`disputes/${dispute}`, { metadata: { a: 1 } }, 'id'],
      [`disputes/${dispute}/close`, {}, 'id'],
      [`payment_methods/${attached}/detach`, {}, 'id'],
    ];
    for (const [path, body, param] of changes) {
      const answer = await account.test.post(`/v1/${path}`, body);
      expect([path, answer.status, answer.json.error]).toMatchObject([path, 400, { code: 'clock_not_ready', param }]);
    }
    for (const path of [`customers/${customer}`, `invoice_items/${item}`]) {
      const gone = await account.test.delete(`/v1/${path}`);
      expect([path, gone.json.error]).toMatchObject([path, { code: 'clock_not_ready', param: 'id' }]);
    }
    await thaw(test_clock);
    // Each change commits the version of the clock, so that it cannot be committed beside an advance.
    const versionOf = async () => (await sql('select version from test_clocks where id = $1', [test_clock]))[0].version;
    for (const [path, body] of changes) {
      const before = await versionOf();
      expect((await account.test.post(`/v1/${path}`, body)).status, path).toBe(200);
      expect([path, await versionOf()]).toEqual([path, before + 1]);
    }
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
  });

  test('is not changed by a decision from before an advance', async () => {
    const id = (await makeClock()) as TestClockId;
    const { reads, committer } = server.gateway.services;
    const [{ tenant }] = await sql('select tenant from test_clocks where id = $1', [id]);
    const { now, writes } = await clockedFor({ reads, tenant, now: 0 }, id);
    expect(now).toBe(start * 1_000);
    await advance(id, start + day);
    expect(await committer.commit({ tenant, writes })).toBe('conflict');
  });

  test('can be changed by many concurrent requests to one server', async () => {
    const test_clock = await makeClock();
    const { first } = account.test;
    const made = await Promise.all(Array.from({ length: 30 }, () => first.post('/v1/customers', { test_clock })));
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
    const updates = made.map(({ json }, at) => first.post(`/v1/customers/${json.id}`, { name: `n${at}` }));
    for (const { status } of await Promise.all(updates)) expect(status).toBe(200);
  });

  test('and an advance that races are decided one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      const test_clock = await makeClock();
      const { id } = await post('customers', { test_clock });
      const [advanced, changed] = await Promise.all([
        advance(test_clock, start + day),
        account.test.post(`/v1/customers/${id}`, { name: 'Grace' }),
      ]);
      await server.settled();
      expect(advanced.status).toBe(200);
      const [, updated] = await eventsOf(id);
      if (changed.status === 200) expect([start, start + day]).toContain(updated!.created);
      else expect([changed.json.error.code, updated]).toEqual(['clock_not_ready', undefined]);
    }
  });
});

describe('a deleted clock', () => {
  test('is gone immediately, and its customers are deleted after it, in its time', async () => {
    const test_clock = await makeClock();
    // On one server: of several, one may be told to try again.
    const create = async () => (await account.test.first.post('/v1/customers', { test_clock })).json;
    const made = await Promise.all(Array.from({ length: 70 }, create));
    const method = await makeMethod({ customer: made[0].id });
    const [other] = [await post('customers', { test_clock: await makeClock() })];
    const answer = await account.test.delete(`/v1/test_clocks/${test_clock}`);
    expect([answer.status, answer.json]).toEqual([200, { id: test_clock, object: 'test_clock', deleted: true }]);
    const path = `/v1/test_clocks/${test_clock}`;
    for (const later of [account.test.get(path), account.test.delete(path), advance(test_clock, start + day)])
      expect((await later).json.error).toMatchObject({ code: 'resource_missing', param: 'id' });
    await server.settled();
    expect(await sql('select id from customers where test_clock = $1', [test_clock])).toEqual([]);
    expect(await sql('select due_at, lease_until from deleted_test_clocks where id = $1', [test_clock])).toEqual([
      { due_at: null, lease_until: null },
    ]);
    for (const { id } of made)
      expect(await eventsOf(id)).toEqual([
        { type: 'customer.created', created: start },
        { type: 'customer.deleted', created: start },
      ]);
    expect((await eventsOf(method)).at(-1)).toEqual({ type: 'payment_method.detached', created: start });
    expect((await get(`customers/${other.id}`)).id).toBe(other.id);
  });
});
