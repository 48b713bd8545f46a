import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newIds } from '../../../base/id.ts';
import type { Client } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { card } from '../../../test/http/objects.ts';
import type { TestPerson } from '../../../test/person.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
type Entry = any;

let server: TestServer;
let account: TestAccount;
let owner: TestPerson;
let receiver: Server;
let payment: string;
let refund: string;

const entriesOf = async (id: string, client: Client = account.test, query = '?limit=100'): Promise<Entry[]> =>
  (await client.get(`/v1/timeline/${id}${query}`)).json.data;
const typed = (entries: Entry[], type: string): Entry[] =>
  entries.filter((entry) => entry.type === type).map((entry) => ({ ...entry[type], summary: entry.summary }));

const pay = async (more: object = {}, number = card.number) => {
  const method = (await account.test.post('/v1/payment_methods', { type: 'card', card: { ...card, number } })).json.id;
  const { status, json } = await account.test.post('/v1/payments', {
    amount: 2_000,
    currency: 'eur',
    payment_method: method,
    ...more,
  });
  return status === 402 ? json.error.payment : json.id;
};

beforeAll(async () => {
  receiver = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  owner = await server.person(account.id, 'owner');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['payment.*'] });
  payment = await pay();
  await account.test.post(`/v1/payments/${payment}/capture`);
  const answer = await owner.client.post('/v1/refunds', { payment, amount: 500 });
  refund = answer.json.id;
  await account.test.post(`/v1/payments/${payment}`, { description: 'Two seats' });
  await account.test.get(`/v1/payments/${payment}`);
  await server.settled();
});
afterAll(async () => {
  await server.stop();
  receiver.closeAllConnections();
  receiver.close();
});

describe('the timeline of a payment', () => {
  test('has its requests, also refused ones and those of its refunds, but no reads', async () => {
    await eventually(async () => expect(typed(await entriesOf(payment), 'request')).toHaveLength(4));
    const requests = typed(await entriesOf(payment), 'request');
    expect(requests.map(({ summary }) => summary)).toEqual([
      'POST /v1/payments/:id was answered with 200',
      'POST /v1/refunds was answered with 200',
      'POST /v1/payments/:id/capture was answered with 400 payment_not_capturable',
      'POST /v1/payments was answered with 200',
    ]);
    expect(requests[1]).toMatchObject({ user: owner.id, status: 200 });
    expect(requests[2]).toMatchObject({
      error_code: 'payment_not_capturable',
      api_key: expect.stringMatching(/^key_/),
    });
    expect(requests[0]).not.toHaveProperty('parameters');
  });

  test('has its attempts, with the answer and the reason', async () => {
    const attempts = typed(await entriesOf(payment), 'attempt');
    expect(attempts.map(({ verb, state, summary }) => [verb, state, summary])).toEqual([
      ['refund', 'approved', 'simulator was asked to refund: approved'],
      ['authorize', 'approved', 'simulator was asked to authorize: approved'],
    ]);
    expect(attempts[1].reason).toBe('no processor account is enabled: simulator');
    const declined = await pay({}, '4000000000000002');
    const [one] = typed(await entriesOf(declined), 'attempt');
    expect(one).toMatchObject({ state: 'declined', summary: expect.stringMatching(/: declined with \w+/) });
  });

  test('has its postings, and whether they are sealed', async () => {
    const kinds = (entries: Entry[]) => typed(entries, 'posting').map(({ kind }) => kind);
    expect(kinds(await entriesOf(payment)).sort()).toEqual(['payment', 'refund', 'refund_settled']);
    await eventually(async () =>
      expect(typed(await entriesOf(payment), 'posting').map(({ sealed }) => sealed)).toEqual([true, true, true]),
    );
    const [newest] = typed(await entriesOf(refund), 'posting');
    expect(newest).toMatchObject({ source: refund, amount: 500, currency: 'eur', position: expect.any(Number) });
  });

  test('has its events, what they have changed, and each delivery', async () => {
    await eventually(async () => {
      const events = typed(await entriesOf(payment), 'event').filter(({ object_id }) => object_id === payment);
      expect(events.map(({ type, status }) => [type, status])).toEqual([
        ['payment.updated', 'succeeded'],
        ['payment.refunded', 'succeeded'],
        ['payment.succeeded', 'succeeded'],
      ]);
      expect(events[0]).toMatchObject({
        previous_attributes: { description: null },
        summary: 'payment.updated: description',
      });
      for (const { deliveries } of events)
        expect(deliveries).toEqual([
          {
            id: expect.stringMatching(/^whd_/),
            webhook_endpoint: expect.stringMatching(/^we_/),
            status: 'delivered',
            attempts: [{ at_ms: expect.any(Number), duration_ms: expect.any(Number), status: 200 }],
          },
        ]);
    });
  });

  test('has who did it, for people', async () => {
    expect(typed(await entriesOf(payment), 'audit')).toEqual([]);
    const [audit] = typed(await entriesOf(payment, owner.client), 'audit');
    expect(audit).toEqual({
      action: 'refunds.create',
      actor: owner.email,
      subject: refund,
      user: owner.id,
      address: expect.any(String),
      request: expect.stringMatching(/^req_/),
      summary: `${owner.email}: refunds.create`,
    });
  });

  test('has a group for all entries of one cause, and who it was', async () => {
    const all = await entriesOf(payment, owner.client);
    const groups = Map.groupBy(all, ({ group }) => group);
    const refunding = all.find(({ audit }) => audit?.action === 'refunds.create');
    const together = groups.get(refunding.group)!;
    expect(refunding.group).toMatch(/^req_/);
    expect(together.map(({ type, event, posting }) => event?.type ?? posting?.kind ?? type).sort()).toEqual(
      ['attempt', 'audit', 'payment.refunded', 'refund', 'refund.created', 'refund_settled', 'request'].sort(),
    );
    for (const { by } of together) expect(by).toEqual({ user: owner.id, name: owner.email });
    const made = all.find(({ event }) => event?.type === 'payment.succeeded');
    expect(groups.get(made.group)!.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['event', 'posting', 'attempt', 'request']),
    );
    expect(made.by).toEqual({ api_key: expect.stringMatching(/^key_/) });
    for (const { by } of await entriesOf(payment)) expect(by).not.toHaveProperty('name'); // for people
    const viewer = (await server.person(account.id, 'viewer')).client;
    const seen = (await entriesOf(payment, viewer)).find(({ event }) => event?.type === 'refund.created');
    expect(seen).toMatchObject({ group: refunding.group, by: { user: owner.id, name: owner.email } });
    expect(seen.event).toMatchObject({ amount: 500, currency: 'eur', deliveries: [] });
    expect(seen.event).not.toHaveProperty('request');
  });

  test('what happened without a request has one group for each cause, too', async () => {
    const disputed = await pay({}, '4000000000000259');
    await eventually(async () => {
      await server.settled();
      const all = await entriesOf(disputed);
      const opened = all.find(({ event }) => event?.type === 'dispute.created');
      expect(opened).toMatchObject({ event: { amount: 2_000, currency: 'eur', reason: 'fraudulent' } });
      const together = all.filter(({ group }) => group === opened.group);
      expect(together.map(({ event, posting }) => event?.type ?? posting?.kind).sort()).toEqual([
        'dispute',
        'dispute.created',
      ]);
      expect(together[0]).not.toHaveProperty('by');
    });
  });

  test('names who it was on every page, also when the request is on the next one', async () => {
    const whole = await entriesOf(payment);
    const doer = ({ by }: Entry) => by?.user ?? by?.api_key;
    expect(whole.filter((entry) => doer(entry) === undefined)).toEqual([]);
    for (const [at, entry] of whole.entries()) {
      const after = at === 0 ? '' : `&starting_after=${whole[at - 1].id}`;
      const [alone] = await entriesOf(payment, account.test, `?limit=3${after}`);
      expect([alone.id, doer(alone)]).toEqual([entry.id, doer(entry)]);
    }
  });

  test('is in order of time, whatever the size of its pages', async () => {
    const all = await entriesOf(payment, owner.client);
    expect(new Set(all.map(({ type }) => type)).size).toBe(5);
    const times = all.map(({ created_ms }) => created_ms);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const paged: Entry[] = [];
    for (let after = ''; ; after = `&starting_after=${paged.at(-1).id}`) {
      const { data, has_more } = (await owner.client.get(`/v1/timeline/${payment}?limit=3${after}`)).json;
      paged.push(...data);
      if (!has_more) break;
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('with ten thousand events and reads is paged as quickly as a short one', async () => {
    const busy = await pay();
    const { rows } = await server.sql.query('select tenant from payments where id = $1', [busy]);
    const ids = newIds('evt', Date.now(), 10_000);
    await server.sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select $1, id, 'payment.updated', $2, 1, '{"data":{"object":{}}}' from unnest($3::text[]) id`,
      [rows[0].tenant, busy, ids],
    );
    const page = (await account.test.get(`/v1/timeline/${busy}?limit=100&starting_after=${ids[5_000]}`)).json;
    expect(page.has_more).toBe(true);
    expect(page.data.map(({ id }: Entry) => id)).toEqual(ids.slice(4_900, 5_000).reverse());
  });
});

test('an invoice has the entries of its payment, a subscription those of its invoices, a customer those of all that is its own', async () => {
  const customer = (await account.test.post('/v1/customers', { name: 'Ada' })).json.id;
  const method = (await account.test.post('/v1/payment_methods', { type: 'card', card, customer })).json.id;
  await account.test.post(`/v1/customers/${customer}`, { default_payment_method: method });
  const recurring = { interval: 'month' };
  const price = (
    await account.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, recurring, product_name: 'Seat' })
  ).json.id;
  const subscription = (await account.test.post('/v1/subscriptions', { customer, items: [{ price }] })).json;
  const types = async (id: string) =>
    typed(await entriesOf(id), 'event')
      .map(({ type }) => type)
      .sort();
  expect(await types(subscription.latest_invoice)).toEqual(
    expect.arrayContaining(['invoice.paid', 'payment.succeeded']),
  );
  expect(await types(subscription.id)).toEqual(expect.arrayContaining(['subscription.created', 'invoice.paid']));
  expect(await types(subscription.id)).not.toContain('payment.succeeded');
  expect(await types(method)).toEqual(['payment_method.attached']);
  const refunded = await pay({ customer });
  await account.test.post('/v1/refunds', { payment: refunded, amount: 100 });
  const own = ['customer.created', 'customer.updated', 'payment_method.attached'];
  expect(await types(customer)).toEqual(expect.arrayContaining([...own, 'payment.succeeded', 'refund.created']));
  expect(await types(customer)).toEqual(expect.arrayContaining(['subscription.created', 'invoice.paid']));
  const { client } = await server.key(account.id, { scopes: ['customers:read'] });
  const seen = typed(await entriesOf(customer, client), 'event').map(({ type }) => type);
  expect(seen.sort()).toEqual(['customer.created', 'customer.updated']);
});

describe('a caller', () => {
  test('needs the scope of the object, and sees what it may of the others', async () => {
    const key = async (...scopes: string[]) => (await server.key(account.id, { scopes })).client;
    const payments = await key('payments:read');
    const code = async (client: Client, id: string) => (await client.get(`/v1/timeline/${id}`)).json.error?.code;
    expect(await code(payments, refund)).toBe('scope_missing');
    expect(await code(await key('refunds:write'), refund)).toBeUndefined();
    expect(await code(await key('events:read', 'balance:read'), payment)).toBe('scope_missing');
    const subjects = new Set(typed(await entriesOf(payment, payments), 'event').map(({ object_id }) => object_id));
    expect([...subjects]).toEqual([payment]);
    const both = typed(await entriesOf(payment, await key('payments:read', 'refunds:read')), 'event');
    expect(both.map(({ object_id }) => object_id)).toContain(refund);
  });

  test('of an owner sees all of it', async () => {
    const { client } = await server.person(account.id, 'owner');
    expect(typed(await entriesOf(payment, client), 'posting')).toHaveLength(3);
  });

  test('of another account or mode does not find it', async () => {
    const other = await server.account();
    const live = await server.person(account.id, 'owner', { mode: 'live' });
    for (const client of [account.live, other.test, live.client])
      expect((await client.get(`/v1/timeline/${payment}`)).json.error.code).toBe('resource_missing');
  });

  test('a request for something else is refused', async () => {
    for (const id of [newId('py', 0), newId('evt', 0), 'py_1', "py_' or 1=1 --", 'x'])
      expect((await account.test.get(`/v1/timeline/${encodeURIComponent(id)}`)).json.error.code).toBe(
        'resource_missing',
      );
    for (const cursor of ['x', newId('py', 0), `evt_${"'".repeat(22)}`]) {
      const { json } = await account.test.get(`/v1/timeline/${payment}?starting_after=${encodeURIComponent(cursor)}`);
      expect(json.error).toMatchObject({ code: 'parameter_invalid', param: 'starting_after' });
    }
  });
});
