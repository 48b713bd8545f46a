import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout, cards } from './checkout.fixture.ts';
import { eraseDetails } from './store.ts';

let server: TestServer;
let account: TestAccount;
let checkout: Checkout;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  checkout = new Checkout(server, account);
});
afterAll(() => server.stop());

const details = { name: 'Ada Lovelace', phone: '+44 20 7946 0000', address: { country: 'GB' } };
const none = { customer_email: null };
const collect = { name: true, phone: true, billing_address: 'country' };

/** What the table and the index of the search still know. */
async function known(id: string): Promise<{ details: object | null; words: string; due: boolean }> {
  const { rows } = await server.sql.query(
    `select customer_details as details, due_at is not null as due,
            coalesce((select words from search_objects o where o.tenant = s.tenant and o.object = s.id), '') as words
       from checkout_sessions s where id = $1`,
    [id],
  );
  return rows[0];
}

/** Erased for good, in the index too; what was sold is still found. */
async function expectErased(id: string): Promise<void> {
  await eventually(async () => expect((await known(id)).due).toBe(false));
  const { details: kept, words } = await known(id);
  expect(kept).toBeNull();
  expect(words).not.toMatch(/lovelace|ada/);
  expect(words).toContain('poster');
  expect(await checkout.get(id)).not.toHaveProperty('customer_details');
}

const indexed = (id: string) => eventually(async () => expect((await known(id)).words).toContain('lovelace'));
const poster = {
  ...none,
  amount: null,
  currency: null,
  line_items: [{ name: 'Poster', unit_amount: 900, currency: 'eur' }],
};

async function paid(more: object = {}) {
  const made = await checkout.create({ ...poster, collect, ...more });
  const email = 'customer' in more ? {} : { email: 'ada@example.com' };
  expect((await checkout.pay(made, cards.good, { details: { ...details, ...email } }))?.view.status).toBe('complete');
  expect((await checkout.get(made.id)).customer_details).toMatchObject({ name: 'Ada Lovelace' });
  await indexed(made.id);
  return made;
}

/** What maintenance does at every place. */
async function eraseOld(): Promise<void> {
  const { durable } = server.gateway.services;
  const tenants = () => everyTenant(durable.directory);
  for (const { sql } of durable.places('tenant')) await eraseDetails(sql, { eventDays: 90 }, tenants);
}

describe('what a customer has typed', () => {
  test('is erased by a redaction', async () => {
    const { id } = await paid();
    const { json } = await account.test.post(`/v1/checkout_sessions/${id}/redact`, {});
    expect(json).not.toHaveProperty('customer_details');
    await expectErased(id);
    expect(await checkout.events(id)).toEqual(['created', 'completed']);
    expect((await account.test.post(`/v1/checkout_sessions/${id}/redact`, {})).json).toEqual(json);
  });

  test('is erased when the events of its time are, and not before', async () => {
    const [old, young] = [await paid(), await paid()];
    // The time of a session is that of its id.
    const aged = newId('cs', Date.now() - 91 * 86_400_000);
    await server.sql.query('update checkout_sessions set id = $2 where id = $1', [old.id, aged]);
    await eraseOld();
    await eventually(async () => expect((await known(aged)).due).toBe(false));
    expect((await known(aged)).details).toBeNull();
    expect((await known(young.id)).details).toMatchObject({ name: 'Ada Lovelace' });
  });

  test.each([
    ['a payment', 'is redacted', { ...poster, collect, capture_method: 'manual' }],
    ['a payment', 'is 91 days old', { ...poster, collect, capture_method: 'manual' }],
    ['a setup', 'is redacted', { ...none, amount: null, currency: null, mode: 'setup', collect }],
  ])('is erased of the cards that were typed for the tries of %s, when the session %s', async (_, how, more) => {
    const made = await checkout.create(more);
    const email = 'ada@example.com';
    await checkout.pay(made, cards.declined, { details: { ...details, email } });
    if ('mode' in more) await account.test.post(`/v1/checkout_sessions/${made.id}/expire`);
    else await checkout.pay(made, cards.good, { details });
    const other = await paid();
    const of = async (id: string) =>
      (
        await server.sql.query(
          `select m.id, m.billing from payment_methods m where m.id in (select payment_method from payments where checkout_session = $1
            union all select payment_method from setups where checkout_session = $1) order by m.id`,
          [id],
        )
      ).rows;
    const typed = await of(made.id);
    expect(typed.length).toBeGreaterThan(0);
    for (const { billing } of typed)
      expect(billing).toMatchObject({ name: 'Ada Lovelace', address: { country: 'GB' } });
    if (how === 'is redacted') await account.test.post(`/v1/checkout_sessions/${made.id}/redact`, {});
    else {
      const aged = newId('cs', Date.now() - 91 * 86_400_000);
      for (const table of ['payments', 'setups'])
        await server.sql.query(`update ${table} set checkout_session = $2 where checkout_session = $1`, [
          made.id,
          aged,
        ]);
      await server.sql.query('update checkout_sessions set id = $2 where id = $1', [made.id, aged]);
      made.id = aged;
      await eraseOld();
    }
    await eventually(async () => expect((await known(made.id)).due).toBe(false));
    expect(await of(made.id)).toEqual(typed.map(({ id }) => ({ id, billing: {} })));
    for (const { billing } of await of(other.id)) expect(billing).toMatchObject({ name: 'Ada Lovelace' });
    // What was authorized can be captured all the same.
    const { payment } = await checkout.get(made.id);
    if (payment !== undefined)
      expect((await account.test.post(`/v1/payments/${payment}/capture`)).json.status).toBe('succeeded');
  });

  test('goes with the customer; a session that is open expires then, and an open page cannot be paid', async () => {
    const customer = (await account.test.post('/v1/customers', { name: 'Ada' })).json.id;
    const done = await paid({ customer });
    const open = await checkout.create({ ...poster, collect, customer });
    await checkout.pay(open, cards.declined, { details });
    const challenged = await checkout.create({ ...poster, customer });
    expect((await checkout.pay(challenged, cards.challenged))?.view.try.state).toBe('action');
    const other = await paid();
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    await expectErased(done.id);
    for (const { id } of [open, challenged]) {
      await eventually(async () =>
        expect(await checkout.get(id)).toMatchObject({ status: 'expired', expired_reason: 'requested', customer }),
      );
      expect(await checkout.get(id)).not.toHaveProperty('customer_details');
    }
    expect((await checkout.pay(open, cards.good, { details }))?.view.status).toBe('expired');
    expect(await checkout.payments(challenged.id)).toEqual(['canceled']);
    expect((await known(other.id)).details).toMatchObject({ name: 'Ada Lovelace' });
  });

  test('of more sessions than a commit holds goes too', async () => {
    const customer = (await account.test.post('/v1/customers', {})).json.id;
    const { id } = await checkout.create({ ...poster, customer });
    await server.sql.query(
      `insert into checkout_sessions
       select (json_populate_record(s, json_build_object('id', 'cs_copy' || n, 'due_at', null, 'status', 'expired',
               'expired_reason', 'time', 'customer_details', json_build_object('name', 'Ada')))).*
         from checkout_sessions s cross join generate_series(1, 250) n where s.id = $1`,
      [id],
    );
    await account.test.delete(`/v1/customers/${customer}`);
    const left = async () =>
      (
        await server.sql.query(
          'select count(*)::int as n from checkout_sessions where customer = $1 and customer_details is not null',
          [customer],
        )
      ).rows[0].n;
    await eventually(async () => expect(await left()).toBe(0));
  });
});
