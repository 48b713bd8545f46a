import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { card } from '../../../test/http/objects.ts';
import type { TestPerson } from '../../../test/person.ts';

let server: TestServer;
let shop: TestAccount;
const people = {} as Record<'owner' | 'support' | 'viewer', TestPerson>;
const made = {} as Record<'customer' | 'payment' | 'subscription' | 'dispute', string>;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  for (const role of ['owner', 'support', 'viewer'] as const) people[role] = await server.person(shop.id, role);
  Object.assign(made, await objectsOf(shop.test));
});
afterAll(() => server.stop());

/** A customer who pays, subscribes and disputes. */
async function objectsOf(client: Client): Promise<typeof made> {
  const post = async (path: string, body: object) => (await client.post(`/v1/${path}`, body)).json;
  const { id: customer } = await post('customers', { name: 'Ada' });
  const method = async (number: string) => {
    const { id } = await post('payment_methods', { type: 'card', card: { ...card, number } });
    await post(`payment_methods/${id}/attach`, { customer });
    return id;
  };
  const [plain, contested] = [await method(card.number), await method('4000000000000259')];
  const { id: payment } = await post('payments', { amount: 900, currency: 'eur', payment_method: contested, customer });
  const recurring = { interval: 'month' };
  const price = await post('prices', { product_name: 'Gold', unit_amount: 900, currency: 'eur', recurring });
  const wish = { customer, items: [{ price: price.id }], default_payment_method: plain };
  const { id: subscription } = await post('subscriptions', wish);
  await server.settled();
  const disputes = async () => (await client.get(`/v1/disputes?payment=${payment}`)).json.data;
  await eventually(async () => expect(await disputes()).toHaveLength(1));
  return { customer, payment, subscription, dispute: (await disputes())[0].id };
}

const refused = ({ status, json }: Answer) => [status, json.error?.code, json.error?.param];
const write = async (client: Client, object: string, text = 'Called twice.') =>
  (await client.post('/v1/notes', { object, text })).json;
const notesOn = async (object: string, client = people.viewer.client) =>
  (await client.get(`/v1/notes?object=${object}`)).json.data;

describe('a note', () => {
  test('of a person is on a customer, payment, dispute or subscription, with its author and time', async () => {
    const { client, id, email } = people.support;
    for (const object of Object.values(made)) {
      const note = await write(client, object, 'Prefers mail.\nNo calls 📵');
      expect(note).toEqual({
        id: expect.stringMatching(/^note_/),
        object: 'note',
        subject: object,
        text: 'Prefers mail.\nNo calls 📵',
        author: { user: id, name: email },
        created: expect.any(Number),
      });
      expect(await notesOn(object)).toEqual([note]);
    }
  });

  test('of an API key names the key', async () => {
    const { client, id } = await server.key(shop.id, { name: 'Help desk', scopes: ['notes:write'] });
    const note = await write(client, made.payment);
    expect(note.author).toEqual({ api_key: id, name: 'Help desk' });
    const [newest] = (await client.get('/v1/notes?limit=1')).json.data;
    expect(newest).toEqual(note);
    const reader = (await server.key(shop.id, { scopes: ['notes:read'] })).client;
    expect(await notesOn(made.payment, reader)).toHaveLength(2);
    expect(refused(await reader.post('/v1/notes', { object: made.payment, text: 'x' }))[1]).toBe('scope_missing');
    const other = (await server.key(shop.id, { scopes: ['payments:write'] })).client;
    expect(refused(await other.get('/v1/notes'))[1]).toBe('scope_missing');
  });

  test('makes no event, and its text is not in the request log', async () => {
    const last = async () => (await shop.test.get('/v1/events?limit=1')).json.data[0].id;
    const before = await last();
    const { id } = await write(shop.test, made.customer, 'Lives in Ratcliffe Street');
    expect(await last()).toBe(before);
    const logged = async () => (await shop.test.get(`/v1/request_logs?object_id=${id}`)).json.data;
    await expect.poll(async () => (await logged()).length).toBe(1);
    const [{ parameters }] = await logged();
    expect(parameters).toEqual({ object: made.customer, text: '[redacted]' });
  });

  test.each([
    ['on an invoice', { object: 'in_0000000000000000000000', text: 'x' }, [404, 'resource_missing', 'object']],
    ['on nothing', { object: 'cus_0000000000000000000000', text: 'x' }, [404, 'resource_missing', 'object']],
    ['without an object', { text: 'x' }, [400, 'parameter_missing', 'object']],
    ['that is blank', { object: 'cus_0000000000000000000000', text: ' \n' }, [400, 'parameter_invalid', 'text']],
    [
      'that is too long',
      { object: 'cus_0000000000000000000000', text: 'x'.repeat(5_001) },
      [400, 'parameter_invalid', 'text'],
    ],
  ])('%s is refused', async (_, body, expected) => {
    expect(refused(await shop.test.post('/v1/notes', body))).toEqual(expected);
  });

  test('may have 5,000 characters, whatever they are', async () => {
    const text = '𝒜'.repeat(5_000);
    expect((await write(shop.test, made.customer, text)).text).toBe(text);
  });
});

describe('a note is deleted', () => {
  const gone = async (client: Client, id: string) => refused(await client.delete(`/v1/notes/${id}`))[1] ?? 'deleted';

  test('by its author or an owner, and nobody else', async () => {
    const [owner, support] = [people.owner.client, people.support.client];
    const [one, two] = [await write(support, made.customer), await write(owner, made.customer)];
    const colleague = (await server.person(shop.id, 'support')).client;
    expect(await gone(colleague, one.id)).toBe('role_missing');
    expect(await gone(people.viewer.client, one.id)).toBe('role_missing');
    expect(await gone(shop.test, one.id)).toBe('role_missing');
    expect(await gone(support, two.id)).toBe('role_missing');
    expect((await support.delete(`/v1/notes/${one.id}`)).json).toEqual({ id: one.id, object: 'note', deleted: true });
    const three = await write(support, made.customer);
    expect(await gone(owner, three.id)).toBe('deleted');
    expect(await gone(owner, three.id)).toBe('resource_missing');
    const [key, other] = [await server.key(shop.id, {}), await server.key(shop.id, {})];
    const four = await write(key.client, made.customer);
    expect(await gone(other.client, four.id)).toBe('role_missing');
    expect(await gone(key.client, four.id)).toBe('deleted');
  });

  test('with the customer, and so are those on what the customer paid, disputed and subscribed to', async () => {
    const mine = await objectsOf(shop.test);
    const tenantless = (await shop.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
    const wish = { amount: 500, currency: 'eur', payment_method: tenantless };
    const anonymous = (await shop.test.post('/v1/payments', wish)).json.id;
    for (const object of [...Object.values(mine), anonymous]) await write(shop.test, object, 'About Ada');
    // More than one commit deletes.
    await server.sql.query(
      `insert into notes (tenant, id, version, subject, customer, text, author_key, author_name)
       select tenant, 'note_' || lpad(n::text, 22, '0'), 1, id, id, 'x', 'key_x', 'x'
         from customers, generate_series(1, 101) n where id = $1`,
      [mine.customer],
    );
    expect((await shop.test.delete(`/v1/customers/${mine.customer}`)).status).toBe(200);
    await server.settled();
    const { rows } = await server.sql.query('select subject from notes where subject = any($1)', [
      [...Object.values(mine), anonymous],
    ]);
    expect(rows).toEqual([{ subject: anonymous }]);
    // A payment stays, and can have notes again; no customer is left whose deletion would end them.
    expect((await write(people.support.client, mine.payment)).subject).toBe(mine.payment);
    expect(refused(await shop.test.post('/v1/notes', { object: mine.customer, text: 'x' }))[1]).toBe(
      'resource_missing',
    );
  });

  test('with a customer who is deleted while it is written, or the note is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = (await shop.test.post('/v1/customers', {})).json;
      const [, note] = await Promise.all([
        shop.test.delete(`/v1/customers/${id}`),
        shop.test.post('/v1/notes', { object: id, text: 'x' }),
      ]);
      expect([200, 404]).toContain(note.status);
      await server.settled();
      expect((await server.sql.query('select from notes where subject = $1', [id])).rowCount).toBe(0);
    }
  });
});
