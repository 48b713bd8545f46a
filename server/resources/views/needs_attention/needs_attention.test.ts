import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../base/id.ts';
import { Reads } from '../../../base/reads.ts';
import { catalog } from '../../../catalog.ts';
import { type Attention, needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Client } from '../../../test/client.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import type { DayReconciled, NamedDifference } from '../../payments/reconciliations/reconcile.ts';
import { recordComparison } from '../../payments/reconciliations/record.ts';
import { findResolvable, joinedKinds, readMax, shownMax } from './find.ts';

let server: TestServer;
let shop: TestAccount;
let owner: Client;
let tenant: Awaited<ReturnType<typeof tenantOf>>;

beforeAll(async () => {
  server = await startServer({ environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  await server.gateway.worker.stop(); // it would settle what is made up here
  shop = await server.account();
  tenant = await tenantOf(server.sql, shop.id, 'test');
  owner = (await server.person(shop.id, 'owner')).client;
});
afterAll(() => server.stop());

const list = async (kind?: string) => (await owner.get(`/v1/needs_attention${kind ? `?kind=${kind}` : ''}`)).json;
const sql = (text: string, values: unknown[]) => server.sql.query(text, values);
const at = (second: number) => new Date(second * 1_000);

async function payment(status: string, flagged: number): Promise<string> {
  const id = newId('py', Date.now());
  await sql(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     values ($1, $2, 1, 700, 0, 'eur', 'pm_x', $3, 1, $4)`,
    [tenant, id, status, at(flagged)],
  );
  return id;
}

async function dispute(status: string, due: number, flagged: number | null = null): Promise<string> {
  const id = newId('dp', Date.now());
  await sql(
    `insert into disputes (tenant, id, version, payment, amount, currency, reason, status, evidence, due_by, submission_count, connector,
                           reference, inquiries, flagged_at)
     values ($1, $2, 1, 'py_x', 900, 'usd', 'not_received', $3, '{}', $4, 0, 'simulator', $2, 0, $5)`,
    [tenant, id, status, at(due), flagged === null ? null : at(flagged)],
  );
  return id;
}

async function endpoint(url: string): Promise<string> {
  return (await shop.test.post('/v1/webhook_endpoints', { url, enabled_events: ['payment.*'] })).json.id;
}

test('nothing waits in an account without anything', async () => {
  const { counts, data } = await list();
  expect(data).toEqual([]);
  expect(counts).toHaveLength(11);
  for (const count of counts) expect(count).toMatchObject({ count: 0, has_more: false });
});

describe('what needs a person', () => {
  test('unknown outcomes, the oldest first, whatever they are outcomes of', async () => {
    const held = await payment('requires_capture', 3_000);
    const contested = await dispute('under_review', 9_000, 2_000);
    const lost = await payment('processing', 1_000);
    const { data, counts } = await list('unknown_outcome');
    expect(counts).toEqual([{ kind: 'unknown_outcome', count: 3, has_more: false }]);
    expect(data.map(({ id, object, since }: never) => [id, object, since])).toEqual([
      [lost, 'payment', 1_000],
      [contested, 'dispute', 2_000],
      [held, 'payment', 3_000],
    ]);
    expect(data[0]).toEqual({
      ...{ id: lost, object: 'payment', kind: 'unknown_outcome', since: 1_000, amount: 700, currency: 'eur' },
      reason: 'The processor has given no final answer.',
      action: `Ask the processor for the outcome. The operator records it: tollgate payments settle ${lost} --as <status>`,
    });
    expect(data[2]).toMatchObject({ operation: 'payments.cancel' });
  });

  test('disputes that wait for evidence, by their due dates', async () => {
    const later = await dispute('needs_response', 8_000);
    const sooner = await dispute('needs_response', 7_000);
    await dispute('won', 1);
    const { data } = await list('dispute');
    expect(data.map(({ id, due_by }: never) => [id, due_by])).toEqual([
      [sooner, 7_000],
      [later, 8_000],
    ]);
    expect(data[0]).toMatchObject({ operation: 'disputes.update', amount: 900, currency: 'usd' });
  });

  test('endpoints that fail, or were disabled because they did, and not those that their owners have disabled', async () => {
    const [failing, gone, off] = [
      await endpoint('http://127.0.0.1:9/failing'),
      await endpoint('http://127.0.0.1:9/gone'),
      await endpoint('http://127.0.0.1:9/off'),
    ];
    await sql('insert into webhook_health (tenant, endpoint, failing_since) values ($1, $2, $3), ($1, $4, $3)', [
      ...[tenant, failing, at(5_000), off],
    ]);
    await sql(
      `update webhook_endpoints set status = 'disabled', disabled_at = $2, disabled_reason = 'gone' where id = $1`,
      [...[gone, at(4_000)]],
    );
    await shop.test.post(`/v1/webhook_endpoints/${off}`, { status: 'disabled' });
    const { data } = await list('webhook_endpoint');
    expect(data.map(({ id, since, operation }: never) => [id, since, operation])).toEqual([
      [gone, 4_000, 'webhook_endpoints.update'],
      [failing, 5_000, 'webhook_endpoints.list_deliveries'],
    ]);
    await shop.test.post(`/v1/webhook_endpoints/${gone}`, { status: 'enabled' });
    expect((await list('webhook_endpoint')).data.map(({ id }: never) => id)).toEqual([failing]);
  });

  test('invoices whose charge has failed, until they are paid', async () => {
    const { id: customer } = (await shop.test.post('/v1/customers', { name: 'Ada' })).json;
    await shop.test.post('/v1/invoice_items', { customer, amount: 1_200, currency: 'eur', description: 'Seat' });
    const draft = (await shop.test.post('/v1/invoices', { customer })).json;
    const { id, number: name } = (await shop.test.post(`/v1/invoices/${draft.id}/finalize`)).json;
    expect(name).toMatch(/^INV-\d{6}$/);
    expect((await list('invoice')).data).toEqual([]);
    const failure = JSON.stringify({ code: 'card_declined', message: 'The card was declined.' });
    await sql('update invoices set failed_at = 6000, last_failure = $2 where id = $1', [id, failure]);
    expect((await list('invoice')).data).toEqual([
      {
        ...{ id, object: 'invoice', name, kind: 'invoice', since: 6_000, amount: 1_200, currency: 'eur' },
        reason: 'The card was declined.',
        action: 'It is not tried again by itself. Ask the customer for another payment method, and charge it.',
        operation: 'invoices.pay',
      },
    ]);
    await shop.test.post(`/v1/invoices/${id}/void`);
    expect((await list('invoice')).data).toEqual([]);
  });

  test('notices that could not be recorded, without the error, which is for the operator', async () => {
    const id = newId('ntc', Date.now());
    await sql(
      `insert into notices (tenant, id, version, connector, event_id, reported, failures, reason, flagged_at)
       values ($1, $2, 1, 'simulator', 'evt_1', '[{"kind":"dispute"}]', 6, 'secret error', $3)`,
      [tenant, id, at(3_500)],
    );
    const { data } = await list('notice');
    expect(data).toMatchObject([{ id, object: 'notice', since: 3_500 }]);
    expect(data[0].reason).toBe('A notice of simulator (dispute, evt_1) could not be recorded.');
    expect(JSON.stringify(data)).not.toContain('secret error');
  });

  test('differences that a comparison has found, until the next one of the day finds none', async () => {
    const source = { connector: 'stripe', processor_account: null };
    const comparison = { source, date: '2027-01-31', tenants: [tenant] };
    const line = (reference: string) => ({
      ...{ tenant, kind: 'payment', reference, at: at(0), money: { amount: 50, currency: 'eur' } },
    });
    const found = (reference: string, paid: string | null): NamedDifference => ({
      what: 'missing_in_ledger',
      ledger: undefined,
      processor: line(reference),
      line: line(reference),
      owner: { tenant, account: shop.id as never, mode: 'test' },
      payment: paid,
    });
    const nobody: NamedDifference = { ...found('ch_3', null), owner: undefined };
    const differences: DayReconciled['differences'] = [found('ch_1', 'py_1'), found('ch_2', null), nobody];
    const record = (all: DayReconciled['differences'], date = comparison.date) =>
      recordComparison(server.sql, { ...comparison, date }, { differences: all, tenants: new Map() }, Date.now());
    await record(differences);
    await record([found("ch'4; x", null)], '2027-02-01');
    await record(differences); // in place of the first
    const { data } = await list('reconciliation_difference');
    expect(data).toMatchObject([
      { object: 'reconciliation_difference', since: Date.UTC(2027, 0, 31) / 1_000, amount: 50, currency: 'eur' },
      { object: 'reconciliation_difference', since: Date.UTC(2027, 0, 31) / 1_000 },
      { since: Date.UTC(2027, 1, 1) / 1_000, operation: 'reconciliation_differences.accept' },
    ]);
    expect(data[0].reason).toBe(
      'In the books of 2027-01-31, the payment ch_1 of stripe is a difference: missing in our ledger.',
    );
    expect(data[0].action).toMatch(/: tollgate reconcile --connector stripe --date 2027-01-31 --accept ch_1$/);
    expect(data[2].action).toContain(` --date 2027-02-01 --accept 'ch'\\''4; x'`); // safe to paste
    await shop.test.post(`/v1/reconciliation_differences/${data[0].id}/follow_up`, { note: 'Asked Stripe' });
    await shop.test.post(`/v1/reconciliation_differences/${data[1].id}/accept`, { note: 'Rounding' });
    const left = (await list('reconciliation_difference')).data;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([data[0].id, data[2].id]);
    expect(left[0].reason).toMatch(/missing in our ledger\. .+ is following up\.$/);
    await record([]);
    expect((await list('reconciliation_difference')).data).toHaveLength(1);
  });

  test('is of one account and mode, and for those who can resolve it', async () => {
    const live = owner.with({ 'X-Tollgate-Mode': 'live' });
    expect((await live.get('/v1/needs_attention')).json.data).toEqual([]);
    expect((await list()).data.length).toBeGreaterThan(5);
    const kinds = async (role: 'support' | 'finance' | 'viewer') => {
      const { data } = (await (await server.person(shop.id, role)).client.get('/v1/needs_attention')).json;
      return [...new Set(data.map(({ kind, operation }: never) => `${kind} ${operation ?? ''}`.trim()))];
    };
    expect(await kinds('support')).toEqual(['unknown_outcome payments.cancel', 'dispute disputes.update']);
    expect(await kinds('finance')).toEqual(['reconciliation_difference reconciliation_differences.accept']);
    expect(await kinds('viewer')).toEqual([]);
    const wrong = await owner.get('/v1/needs_attention?kind=tea');
    expect([wrong.status, wrong.json.error.param]).toEqual([400, 'kind']);
  });

  test('beyond a hundred of a kind says that there are more', async () => {
    const other = await server.account();
    const busy = (await server.person(other.id, 'owner')).client;
    await sql(
      `insert into refunds (tenant, id, version, payment, amount, currency, status, attempt, inquiries, flagged_at)
       select $1, 're_' || lpad(n::text, 22, '0'), 1, 'py_x', n, 'eur', 'pending', 'att_x', 1, to_timestamp(1000 - n)
         from generate_series(1, 102) n`,
      [await tenantOf(server.sql, other.id, 'test')],
    );
    const { counts, data } = (await busy.get('/v1/needs_attention?kind=unknown_outcome')).json;
    expect(counts).toEqual([{ kind: 'unknown_outcome', count: 100, has_more: true }]);
    expect([data.length, data[0].amount, data[99].amount]).toEqual([100, 102, 3]);
  });
});

test('a role is not denied what it can resolve by more urgent items that it cannot', async () => {
  const other = await server.account();
  await sql(
    `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries, flagged_at)
     select $1, 'py_' || lpad(n::text, 22, '0'), 1, n, 0, 'eur', 'pm_x', case when n > 150 then 'requires_capture' else 'processing' end,
            1, to_timestamp(n) from generate_series(1, 300) n`,
    [await tenantOf(server.sql, other.id, 'test')],
  );
  const seen = async (role: 'support' | 'owner') =>
    (await (await server.person(other.id, role)).client.get('/v1/needs_attention?kind=unknown_outcome')).json;
  const support = await seen('support');
  expect(support.counts).toEqual([{ kind: 'unknown_outcome', count: 100, has_more: true }]);
  expect([support.data[0].amount, support.data[99].amount]).toEqual([151, 250]);
  expect((await seen('owner')).data[0].amount).toBe(1);
});

test('nothing is read for a role that can resolve nothing of a kind', async () => {
  const { client } = await server.person(shop.id, 'viewer');
  const run = vi.spyOn(Reads.prototype as unknown as { run: (sql: unknown, text: string) => Promise<unknown> }, 'run');
  const { counts, data } = (await client.get('/v1/needs_attention')).json;
  const texts = run.mock.calls.map(([, text]) => text).filter((text) => /flagged|failed_at|webhook_health/.test(text));
  run.mockRestore();
  expect([data, texts]).toEqual([[], []]);
  expect(counts).toContainEqual({ kind: 'invoice', count: 0, has_more: false });
});

test('every source names the operations of its items, and each of them exists', async () => {
  const sources = catalog.extensionsOf(needsAttention);
  const named = (kind: string) =>
    sources.filter((one) => one.kind === kind).flatMap(({ operations = [] }) => operations);
  for (const { kind, operation } of (await list()).data)
    if (operation !== undefined) expect(named(kind)).toContain(operation);
  const existing = catalog.operations.map(({ name }) => name);
  expect(existing).toEqual(expect.arrayContaining(sources.flatMap(({ operations = [] }) => [...operations])));
});

test('what a role can resolve is looked for among ten thousand, and then there may be more', async () => {
  const item = (since: number): Attention => ({ id: 'x', object: 'x', since, reason: '', action: '' });
  const limits: number[] = [];
  const first = async (limit: number, all: number) => {
    limits.push(limit);
    return Array.from({ length: Math.min(limit, all) }, (_, since) => item(since));
  };
  const isLate = ({ since }: Attention) => since > 9_990;
  expect((await findResolvable((limit) => first(limit, 20_000), isLate)).isCut).toBe(true);
  expect(limits.splice(0)).toEqual([101, 1_010, readMax]);
  const all = await findResolvable((limit) => first(limit, 9_995), isLate);
  expect([all.items.length, all.isCut]).toEqual([4, false]);
  const { counts } = joinedKinds([{ kind: 'a', items: [item(1)], isCut: true }]);
  expect(counts).toEqual([{ kind: 'a', count: 1, has_more: true }]);
});

test.skipIf(isDistributedRun)(
  'every source reads a range of an index and sorts nothing, whatever there is',
  async () => {
    const sorted: string[] = [];
    const explaining = {
      async rows(text: string, values: unknown[]) {
        const { rows } = await server.sql.query(`explain ${text}`, values);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        if (!text.includes('webhook_health') && !text.includes('reconciliation') && plan.includes('Sort'))
          sorted.push(plan);
        return [];
      },
    } as never;
    await server.sql.query('set enable_seqscan = off');
    await server.sql.query('set enable_bitmapscan = off');
    for (const source of catalog.extensionsOf(needsAttention)) await source.find(explaining, tenant, 101);
    expect(sorted).toEqual([]);
  },
);

test('kinds keep their order, and the items of several sources are one list', () => {
  const item = (id: string, since: number, due_by?: number) => ({
    ...{ id, object: 'x', since, reason: '', action: '' },
    ...(due_by === undefined ? {} : { due_by }),
  });
  const many = Array.from({ length: shownMax }, (_, n) => item(`m${n}`, n));
  const { counts, data } = joinedKinds([
    { kind: 'a', items: [item('late', 5), item('due', 9, 1)] },
    { kind: 'b', items: many },
    { kind: 'a', items: [item('early', 2)] },
    { kind: 'b', items: [item('more', 0)] },
  ]);
  expect(counts).toEqual([
    { kind: 'a', count: 3, has_more: false },
    { kind: 'b', count: shownMax, has_more: true },
  ]);
  expect(data.slice(0, 4).map(({ id }) => id)).toEqual(['due', 'early', 'late', 'm0']);
});
