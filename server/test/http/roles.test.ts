import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../base/reads.ts';
import { catalog, requestable } from '../../catalog.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { permits, type Right, type Role, rights, roles } from '../../operations/role.ts';
import { TestStream } from '../../resources/events/changes/stream.fixture.ts';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { card } from './objects.ts';

let server: TestServer;
let shop: TestAccount;
const people = {} as Record<Role, Client>;
const modes = ['test', 'live'] as const satisfies readonly Mode[];

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  shop = await server.account();
  await Promise.all(
    roles.map(async (role) => {
      people[role] = (await server.person(shop.id, role)).client;
    }),
  );
});
afterAll(() => server.stop());

const inMode = (client: Client, mode: Mode) => client.with({ 'X-Tollgate-Mode': mode });
const forPeople = requestable(catalog).filter(({ callers, isPersonal }) => callers.includes('person') && !isPersonal);

/** The table as it was decided: by right the roles that have it, a role in brackets in test mode alone. */
const decided: Record<Right, string> = {
  read: 'owner developer finance support viewer',
  read_money: 'owner developer finance viewer',
  read_activity: 'owner developer support',
  read_keys: 'owner developer',
  handle: 'owner developer support',
  pay_out: 'owner (developer) support',
  books: 'owner (developer) finance',
  change: 'owner developer',
  settings: 'owner (developer)',
  people: 'owner',
};

/** What is not `read` of what reads, and not `change` of what changes. */
const special: Partial<Record<Right, string>> = {
  read: 'invoices.preview needs_attention.update_mail saved_views.create saved_views.update saved_views.delete',
  read_money:
    'balance.retrieve balance.retrieve_breakdown balance.list_transactions balance.retrieve_transaction reconciliations.list reconciliations.retrieve reconciliation_differences.list reconciliation_differences.retrieve statistics.retrieve statistics.breakdown statistics.checkout_sessions statistics.subscriptions',
  read_activity:
    'events.retrieve events.list events.list_deliveries mails.list mails.retrieve mails.content webhook_endpoints.list_deliveries webhook_endpoints.list_all_deliveries request_logs.list request_logs.retrieve request_logs.list_errors',
  read_keys:
    'api_keys.retrieve api_keys.list webhook_endpoints.retrieve webhook_endpoints.list inbox.retrieve inbox.list inbox.list_requests inbox_requests.retrieve',
  handle:
    'checkout_sessions.review customers.update payments.capture payments.cancel setups.cancel disputes.update disputes.close subscriptions.cancel notes.create notes.delete mails.resend portal_sessions.create portal_codes.shown',
  pay_out: 'refunds.create',
  books:
    'invoices.finalize invoices.void invoices.mark_uncollectible reconciliation_differences.accept reconciliation_differences.follow_up',
  settings:
    'processor_accounts.create processor_accounts.update processor_accounts.delete processor_accounts.verify routing.update portal_settings.update',
  people:
    'users.list users.retrieve users.update users.remove invitations.create invitations.list invitations.revoke audit_log.list branding.update',
};

describe('the table of rights', () => {
  test('is the one that was decided', () => {
    const words = (right: Right) => {
      const word = (role: Role) =>
        permits(role, 'live', right) ? role : permits(role, 'test', right) ? `(${role})` : '';
      return roles.map(word).filter(Boolean).join(' ');
    };
    const table = Object.fromEntries((Object.keys(rights) as Right[]).map((right) => [right, words(right)]));
    expect(table).toEqual(decided);
  });

  test('has every operation in its place', () => {
    const usual = ({ method }: AnyOperation): Right => (method === 'GET' ? 'read' : 'change');
    for (const right of Object.keys(rights) as Right[]) {
      const named = forPeople.filter((one) => one.right === right && one.right !== usual(one)).map(({ name }) => name);
      expect(named.sort(), right).toEqual((special[right] ?? '').split(' ').filter(Boolean).sort());
    }
  });
});

/** Whether a role is refused the operation with no parameters, which are none that a lesser right would be enough for. */
const isBeyond = ({ right }: AnyOperation, role: Role, mode: Mode) => !permits(role, mode, right);

describe.each(roles)('the role %s', (role) => {
  test.each(modes)('is refused in %s mode what it does not permit, and nothing else', async (mode) => {
    const client = inMode(people[role], mode);
    const called = forPeople.filter((one) => isBeyond(one, role, mode) || (isTorture && !one.isLive));
    const refusals = await Promise.all(
      called.map(async ({ name, method, route }) => {
        const path = `/v1${route.replace(':id', 'x_0')}`;
        const { status, json } = await client.request(method, path, method === 'POST' ? { body: {} } : {});
        return [name, status === 403 && json.error.code === 'role_missing'];
      }),
    );
    expect(refusals).toEqual(called.map((one) => [one.name, isBeyond(one, role, mode)]));
    if (role === 'viewer') expect(called.length).toBeGreaterThan(70);
  });
});

describe('somebody who may not read something', () => {
  const made = {} as Record<
    'payment' | 'customer' | 'dispute' | 'endpoint' | 'event' | 'transaction' | 'request',
    string
  >;
  const codeOf = async (client: Client, path: string, headers = {}) =>
    (await client.get(path, { headers })).json.error?.code;

  beforeAll(async () => {
    const post = async (path: string, body: object) => (await shop.test.post(`/v1/${path}`, body)).json;
    made.endpoint = (await post('webhook_endpoints', { url: 'http://127.0.0.1:9/', enabled_events: ['*'] })).id;
    made.customer = (await post('customers', { name: 'Ada Lovelace', email: 'ada@example.com' })).id;
    const method = await post('payment_methods', { type: 'card', card: { ...card, number: '4000000000000259' } });
    await post(`payment_methods/${method.id}/attach`, { customer: made.customer });
    const payment = { amount: 1_900, currency: 'eur', payment_method: method.id, customer: made.customer };
    made.payment = (await post('payments', payment)).id;
    await inMode(people.support, 'test').post(`/v1/payments/${made.payment}/cancel`, {}); // refused, and in the log
    await server.settled();
    const first = async (path: string) => (await shop.test.get(`/v1/${path}`)).json.data[0].id;
    await eventually(async () => expect((await shop.test.get('/v1/disputes')).json.data).toHaveLength(1));
    made.dispute = await first('disputes');
    made.event = await first(`events?object_id=${made.payment}`);
    made.transaction = await first('balance/transactions');
    await eventually(async () => expect(await first(`request_logs?object_id=${made.payment}`)).toMatch(/^req_/));
    made.request = await first(`request_logs?object_id=${made.payment}`);
  });

  test('does not find it by a search', async () => {
    const found = async (role: Role) => {
      const asked = [made.payment, made.transaction, made.event, made.endpoint, made.request];
      const answers = await Promise.all(asked.map((q) => people[role].get(`/v1/search?q=${q}`)));
      return answers.map(({ json }) => json.data.length);
    };
    expect(await found('owner')).toEqual([1, 1, 1, 1, 1]);
    expect(await found('finance')).toEqual([1, 1, 0, 0, 0]);
    expect(await found('support')).toEqual([1, 0, 1, 0, 1]);
    expect(await found('viewer')).toEqual([1, 1, 0, 0, 0]);
  });

  test('does not see it in a timeline, which keeps what happened to the object itself', async () => {
    await people.owner.post(`/v1/payments/${made.payment}`, { description: 'Seen by people' });
    const seen = async (role: Role) => {
      const { data } = (await people[role].get(`/v1/timeline/${made.payment}?limit=100`)).json;
      const typed = (type: string) => data.filter((entry: { type: string }) => entry.type === type);
      return {
        types: [...new Set(data.map(({ type }: { type: string }) => type))].sort(),
        deliveries: typed('event').flatMap(({ event }: never) => (event as { deliveries: object[] }).deliveries).length,
        requests: typed('event').filter(({ event }: never) => 'request' in (event as object)).length,
        addresses: typed('audit').filter(({ audit }: never) => 'address' in (audit as object)).length,
      };
    };
    const all = ['attempt', 'audit', 'event', 'posting', 'request'];
    const owner = await seen('owner');
    expect(owner.types).toEqual(all);
    expect(Math.min(owner.deliveries, owner.requests, owner.addresses)).toBeGreaterThan(0);
    expect(await seen('support')).toEqual({ ...owner, types: all.filter((type) => type !== 'posting'), addresses: 0 });
    for (const role of ['finance', 'viewer'] as const)
      expect(await seen(role), role).toEqual({
        types: ['attempt', 'audit', 'event', 'posting'],
        deliveries: 0,
        requests: 0,
        addresses: 0,
      });
  });

  test('gets no file of a list, although it may read the list', async () => {
    const csv = { Accept: 'text/csv' };
    expect((await people.finance.get('/v1/payments', { headers: csv })).text).toMatch(/^id,/);
    expect(await codeOf(people.support, '/v1/payments', csv)).toBe('role_missing');
    expect(await codeOf(people.support, '/v1/payments')).toBeUndefined();
  });

  test('cannot expand it', async () => {
    const expanded = forPeople.filter(({ name, input }) => name.endsWith('.list') && 'expand' in input.properties);
    expect(expanded.length).toBeGreaterThan(5);
    for (const role of ['finance', 'support', 'viewer'] as const)
      for (const { route, input, right } of expanded) {
        const paths = (input.properties.expand as { items: { enum: string[] } }).items.enum;
        const answer = await people[role].get(`/v1${route}?${paths.map((path) => `expand[]=${path}`).join('&')}`);
        if (permits(role, 'test', right))
          expect(answer.text).not.toMatch(/"object":"(event|webhook_endpoint|balance_transaction)"/);
        else expect(answer.json.error.code).toBe('role_missing');
      }
  });

  test('follows which objects change, and not the events', async () => {
    const refused = await people.viewer.get('/v1/changes?payload=true');
    expect([refused.status, refused.json.error.code]).toEqual([403, 'role_missing']);
    const [viewer, support] = [await TestStream.open(people.viewer), await TestStream.open(people.support)];
    try {
      await shop.test.post(`/v1/webhook_endpoints/${made.endpoint}/test`, {});
      await shop.test.post(`/v1/customers/${made.customer}`, { name: 'Ada King' });
      await eventually(() =>
        expect(support.messages.map(({ data }) => data.type)).toEqual(
          expect.arrayContaining(['customer.updated', 'webhook_delivery.attempted', 'webhook_endpoint.test']),
        ),
      );
      await eventually(() => expect(viewer.messages.map(({ data }) => data.subject)).toContain(made.customer));
      const seen = viewer.messages.map(({ data }) => data);
      // What the processor has reported about the payment may come as late as this.
      expect(seen.filter(({ subject }) => subject !== made.payment)).toEqual([
        { object: 'change', type: 'customer.updated', subject: made.customer },
      ]);
    } finally {
      viewer.close();
      support.close();
    }
  });

  test('is asked for nothing else than what its role can do', async () => {
    await server.sql.query(
      `insert into webhook_health (tenant, endpoint, failing_since)
       select tenant, id, now() from webhook_endpoints where id = $1 on conflict do nothing`,
      [made.endpoint],
    );
    const kinds = async (role: Role) => {
      const { data, counts } = (await people[role].get('/v1/needs_attention')).json;
      const counted = counts
        .filter(({ count }: { count: number }) => count > 0)
        .map(({ kind }: { kind: string }) => kind);
      expect(counted).toEqual([...new Set(data.map(({ kind }: { kind: string }) => kind))]);
      return counted;
    };
    expect(await kinds('owner')).toEqual(['dispute', 'webhook_endpoint']);
    expect(await kinds('developer')).toEqual(['dispute', 'webhook_endpoint']);
    expect(await kinds('support')).toEqual(['dispute']);
    expect(await kinds('finance')).toEqual([]);
    expect(await kinds('viewer')).toEqual([]);
  });

  test('can answer a dispute as support', async () => {
    const evidence = { evidence: { uncategorized_text: 'It was delivered.' } };
    for (const role of ['finance', 'viewer'] as const)
      expect((await people[role].post(`/v1/disputes/${made.dispute}`, evidence)).json.error.code).toBe('role_missing');
    expect((await people.support.post(`/v1/disputes/${made.dispute}`, evidence)).status).toBe(200);
    expect((await people.support.post(`/v1/customers/${made.customer}`, { phone: '+49 30 1' })).status).toBe(200);
  });
});

test('support takes back the end of a subscription, and changes nothing else of it', async () => {
  const post = async (path: string, body: object) => (await shop.test.post(`/v1/${path}`, body)).json;
  const { id: customer } = await post('customers', {});
  const { id: method } = await post('payment_methods', { type: 'card', card });
  await post(`payment_methods/${method}/attach`, { customer });
  const recurring = { interval: 'month' };
  const price = await post('prices', { product_name: 'Gold', unit_amount: 900, currency: 'eur', recurring });
  const { id } = await post('subscriptions', {
    customer,
    items: [{ price: price.id }],
    default_payment_method: method,
  });
  const { support, finance, developer } = people;
  const path = `/v1/subscriptions/${id}`;
  expect((await support.post(`${path}/cancel`, { at_period_end: true })).json.cancel_at_period_end).toBe(true);
  const takeBack = { cancel_at_period_end: false };
  for (const body of [{ ...takeBack, metadata: { a: '1' } }, { cancel_at_period_end: true }, { coupon: 'x' }, {}]) {
    const { status, json } = await support.post(path, body);
    expect([status, json.error?.code]).toEqual([403, 'role_missing']);
    expect(json.error.message).toContain('Roles that can: owner, developer.');
  }
  expect((await finance.post(path, takeBack)).json.error.code).toBe('role_missing');
  expect((await support.post(path, { ...takeBack, expand: ['customer'] })).json).toMatchObject(takeBack);
  expect((await developer.post(path, { metadata: { a: '1' } })).status).toBe(200);
});
