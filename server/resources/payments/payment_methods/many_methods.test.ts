import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { shareOf } from '../../../test/torture.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;
let tenant: number;

beforeAll(async () => {
  server = await startServer();
  second = await startServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  tenant = rows[0].tenant;
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const path = '/v1/payment_methods';
const methodsMax = 100;
const card = { number: '4242424242424242', exp_month: 12, exp_year: new Date().getUTCFullYear() + 4 };
const make = (body: object = {}, client = account.test) => client.post(path, { type: 'card', card, ...body });
const attach = (id: string, customer: string, client = account.test) =>
  client.post(`${path}/${id}/attach`, { customer });

type Kept = { attached?: number; detached?: number; metadata?: object };

/** A customer, with methods that were stored before there was a limit. */
async function customerWith({ attached = 0, detached = 0, metadata }: Kept): Promise<string> {
  const { id } = (await account.test.post('/v1/customers', { name: 'Ada' })).json;
  const ids = Array.from({ length: attached + detached }, () => newId('pm', Date.now()));
  await server.sql.query(
    `insert into payment_methods (tenant, id, version, customer, detached, detached_from, brand, last4, exp_month, exp_year, billing, metadata)
     select $1, id, 1, case when n <= $4 then $3 end, n > $4, case when n > $4 then $3 end, 'visa', '4242', 12, 2040, '{"name":"Ada"}', $5
       from unnest($2::text[]) with ordinality x (id, n)`,
    [tenant, ids, id, attached, metadata === undefined ? null : JSON.stringify(metadata)],
  );
  return id;
}

async function attachedTo(customer: string): Promise<number> {
  const { rows } = await server.sql.query('select count(*) from payment_methods where customer = $1', [customer]);
  return rows[0].count;
}

describe('a customer with as many payment methods as it can have', () => {
  const refused = {
    code: 'payment_method_limit_reached',
    message: 'A customer can have 100 payment methods. Detach one first.',
    param: 'customer',
    type: 'invalid_request_error',
  };

  test('gets the hundredth and no further one, until one is detached', async () => {
    const customer = await customerWith({ attached: methodsMax - 1, detached: 20 });
    const last = await make({ customer });
    expect(last.status).toBe(200);
    const loose = (await make()).json.id; // a method without a customer counts for nobody
    for (const answer of [await make({ customer }), await attach(loose, customer)])
      expect([answer.status, answer.json.error]).toEqual([400, refused]);
    expect((await attach(last.json.id, customer)).status).toBe(200); // it is attached already
    expect((await account.test.post(`${path}/${last.json.id}/detach`)).status).toBe(200);
    expect((await attach(loose, customer)).status).toBe(200);
    expect((await make({ customer })).json.error).toEqual(refused);
    expect(await attachedTo(customer)).toBe(methodsMax);
  });

  test('gets no further one from requests that race through two servers', async () => {
    const free = 3;
    const customer = await customerWith({ attached: methodsMax - free });
    const loose = await Promise.all(Array.from({ length: 6 }, async () => (await make()).json.id as string));
    const clients = [account.test, second.client(account.testKey)];
    const answers = await Promise.all(
      loose.flatMap((id, at) => [make({ customer }, clients[at % 2]), attach(id, customer, clients[(at + 1) % 2])]),
    );
    const held = answers.filter(({ status }) => status === 200).length;
    expect(await attachedTo(customer)).toBe(methodsMax - free + held);
    expect(held).toBeLessThanOrEqual(free);
    for (const { status, json } of answers.filter((answer) => answer.status !== 200))
      expect([
        [400, refused.code],
        [429, 'lock_timeout'],
      ]).toContainEqual([status, json.error.code]);
  });
});

describe('the deletion of a customer from before there was a limit', () => {
  /** What each transaction has written about the methods of a customer. */
  async function transactions(ids: readonly string[]): Promise<{ methods: number; bytes: number }[]> {
    const { rows } = await server.sql.query(
      `select count(*) as methods, sum(length(payload)) as bytes from events
        where type = 'payment_method.detached' and object_id = any($1) group by xmin::text`,
      [ids],
    );
    return rows.map(({ methods, bytes }) => ({ methods, bytes: Number(bytes) }));
  }

  async function methodsOf(customer: string): Promise<string[]> {
    const { rows } = await server.sql.query(
      'select id from payment_methods where customer = $1 or detached_from = $1 order by id',
      [customer],
    );
    return rows.map(({ id }) => id);
  }

  async function expectReleased(ids: readonly string[]): Promise<void> {
    const { rows } = await server.sql.query(
      `select count(*) as methods, bool_and(detached) as detached, bool_or(customer is not null or detached_from is not null) as theirs,
              string_agg(distinct billing::text, '') as billing
         from payment_methods where id = any($1)`,
      [ids],
    );
    expect(rows).toEqual([{ methods: ids.length, detached: true, theirs: false, billing: '{}' }]);
  }

  const sizes: [string, Kept, number][] = [
    ['with thousands of methods', { attached: shareOf(10_000, 350), detached: shareOf(10_000, 250) }, methodsMax],
    ['with methods that each carry 100 kB of metadata', { attached: 50, metadata: { a: 'x'.repeat(100_000) } }, 25],
  ];
  test.each(sizes)('%s is answered at once and done in steps', async (_, kept, methodsPerStep) => {
    const customer = await customerWith(kept);
    const ids = await methodsOf(customer);
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    expect((await account.test.get(`/v1/customers/${customer}`)).status).toBe(404);
    await server.settled();
    await second.settled();
    await expect.poll(() => methodsOf(customer)).toEqual([]);
    await expectReleased(ids);
    const steps = await transactions(ids);
    expect(steps.reduce((sum, { methods }) => sum + methods, 0)).toBe(kept.attached);
    for (const { methods, bytes } of steps) {
      expect(methods).toBeLessThanOrEqual(methodsPerStep);
      expect(bytes).toBeLessThan(2.5 * 1_048_576);
    }
    const { rows } = await server.sql.query('select due_at from deleted_customers where id = $1', [customer]);
    expect(rows).toEqual([{ due_at: null }]);
  });

  test('with as much of everything as one step may hold of each is done in steps', async () => {
    const customer = await customerWith({ attached: methodsMax });
    const ids = await methodsOf(customer);
    await server.sql.query(
      `insert into invoice_items (tenant, id, version, customer, amount, currency, description)
       select $1, 'ii_' || n, 1, $2, 1, 'eur', 'Setup' from generate_series(1, 60) n`,
      [tenant, customer],
    );
    const line = { id: 'il_1', amount: 1, discount: 0, description: 'x'.repeat(500), period: {}, proration: false };
    await server.sql.query(
      `insert into invoices (tenant, id, version, customer, status, billing_reason, currency, number, lines, subtotal, discount,
                             credit_applied, amount_due, amount_paid, period_start, period_end, is_charging, attempt_count, created)
       select $1, 'in_' || n, 1, $2, 'open', 'manual', 'eur', 1000000 + n, $3, 1, 0, 0, 1, 0, 0, 0, false, 0, 0
         from generate_series(1, 60) n`,
      [tenant, customer, JSON.stringify(Array.from({ length: 200 }, () => line))],
    );
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    await server.settled();
    await second.settled();
    await expect.poll(() => methodsOf(customer)).toEqual([]);
    await expectReleased(ids);
    const left = () =>
      server.sql.query(
        `select (select count(*) from invoice_items where customer = $1) as items,
                (select count(*) from invoices where customer = $1 and status = 'open') as invoices,
                (select due_at from deleted_customers where id = $1) as due`,
        [customer],
      );
    await expect.poll(async () => (await left()).rows).toEqual([{ items: 0, invoices: 0, due: null }]);
  });

  /** The other server deleted the customer, leased the rest, and was killed. */
  async function halfDeleted(customer: string, leaseLeft: string): Promise<void> {
    await server.sql.query('delete from customers where id = $1', [customer]);
    await server.sql.query(
      `insert into deleted_customers (tenant, id, deleted_at, version, due_at, lease_until)
       values ($1, $2, now(), 3, now(), now() + $3::interval)`,
      [tenant, customer, leaseLeft],
    );
  }

  test('goes on where a server that died has left it', async () => {
    const customer = await customerWith({ attached: 2 });
    const ids = await methodsOf(customer);
    await halfDeleted(customer, '0');
    await server.settled();
    await expect.poll(() => methodsOf(customer)).toEqual([]);
    await expectReleased(ids);
    const { rows } = await server.sql.query(
      `select count(*) from events where type = 'payment_method.detached' and object_id = any($1)`,
      [ids],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  describe('leaves no method that can be used until its step has come', () => {
    let id: string;
    let customer: string;
    let other: string;
    beforeAll(async () => {
      [customer, other] = [await customerWith({}), await customerWith({})];
      id = (await make({ customer })).json.id;
      await halfDeleted(customer, '1 hour');
    });

    const pay = (more = {}) =>
      account.test.post('/v1/payments', { amount: 100, currency: 'eur', payment_method: id, ...more });
    const missing = (param: string, resource = 'payment method') => ({
      ...{ code: 'resource_missing', param, type: 'invalid_request_error' },
      message: expect.stringContaining(resource),
    });

    test.each<[string, () => Promise<Answer>, object]>([
      ['it is not charged', () => pay(), missing('payment_method')],
      ['it is not charged for another customer', () => pay({ customer: other }), missing('payment_method')],
      ['it is not charged for its own', () => pay({ customer }), missing('customer', 'customer')],
      ['it is not shown', () => account.test.get(`${path}/${id}`), missing('id')],
      ['it is not updated', () => account.test.post(`${path}/${id}`, { metadata: { a: 1 } }), missing('id')],
      ['it is not attached', () => attach(id, other), missing('id')],
      ['it is not detached', () => account.test.post(`${path}/${id}/detach`), missing('id')],
      [
        'it is no default',
        () => account.test.post(`/v1/customers/${other}`, { default_payment_method: id }),
        missing('default_payment_method'),
      ],
    ])('%s', async (_, ask, error) => {
      const answer = await ask();
      expect([answer.status, answer.json.error]).toEqual([404, error]);
    });

    test('it is not listed, and a page before and after it is whole', async () => {
      const [older, newer] = [id, (await make()).json.id];
      const all = (await account.test.get(`${path}?limit=100`)).json.data.map((one: { id: string }) => one.id);
      expect(all).toContain(newer);
      expect(all).not.toContain(older);
      expect((await account.test.get(`${path}?limit=2`)).json.data).toHaveLength(2);
      expect((await account.test.get(`${path}?customer=${customer}`)).json.data).toEqual([]);
    });

    test('it is detached by its step, and shown as such', async () => {
      await server.sql.query('update deleted_customers set lease_until = now() where id = $1', [customer]);
      await server.settled();
      await expect.poll(() => methodsOf(customer)).toEqual([]);
      expect((await account.test.get(`${path}/${id}`)).json).toMatchObject({ id, billing_details: {} });
      expect((await pay()).json.error).toMatchObject({ code: 'payment_method_not_usable', param: 'payment_method' });
    });
  });
});
