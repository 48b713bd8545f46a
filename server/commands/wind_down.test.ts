import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newIds } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import { connect } from '../base/sql.ts';
import { tenantOf } from '../operations/tenants.ts';
import { cardOf } from '../resources/payments/payments/payments.fixture.ts';
import { isDistributedRun } from '../test/distributed_databases.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from '../test/harness.ts';
import { patienceMs, testMs, until } from '../test/processes/child.ts';
import { Children } from '../test/processes/children.ts';
import { connectCommands, type Said, say } from './cli.fixture.ts';

/** What is left of a suspended account, ended by the command. The worker is stopped: it would settle what is to be left. */

vi.setConfig({ testTimeout: testMs });

const children = new Children();
let server: TestServer;

beforeAll(async () => {
  const environment = { SIMULATOR: 'remote', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };
  server = await startServer({ environment });
  await server.gateway.worker.stop();
});
beforeEach(async () => {
  connectCommands(server, await server.account());
  vi.stubEnv('SIMULATOR', 'remote');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await children.cleanUp();
  await server.stop();
});

type Merchant = { account: TestAccount; tenant: Tenant; customer: string; method: string };

// biome-ignore lint/suspicious/noExplicitAny: the API answers with every shape
async function post(account: TestAccount, path: string, body: object): Promise<any> {
  const { status, json } = await account.test.post(path, body);
  expect({ path, status, json }).toMatchObject({ status: 200 });
  return json;
}

async function merchant(): Promise<Merchant> {
  const account = await server.account();
  const { id: customer } = await post(account, '/v1/customers', {});
  const { id: method } = await post(account, '/v1/payment_methods', cardOf('4242424242424242'));
  await post(account, `/v1/payment_methods/${method}/attach`, { customer });
  return { account, tenant: await tenantOf(server.sql, account.id, 'test'), customer, method };
}

async function subscribe({ account, customer, method }: Merchant, more: object = {}): Promise<string> {
  const recurring = { interval: 'month' };
  const price = await post(account, '/v1/prices', {
    currency: 'eur',
    unit_amount: 900,
    recurring,
    product_name: 'Tea',
  });
  const wish = { customer, items: [{ price: price.id }], default_payment_method: method, ...more };
  return (await post(account, '/v1/subscriptions', wish)).id;
}

async function pay({ account, method }: Merchant, more: object = {}): Promise<string> {
  return (await post(account, '/v1/payments', { amount: 2_000, currency: 'eur', payment_method: method, ...more })).id;
}

async function fault({ tenant }: Merchant, verb: string, kind: string): Promise<void> {
  const text = 'insert into simulator_faults (tenant, verb, kind, remaining) values ($1, $2, $3, 1)';
  await server.sql.query(text, [tenant, verb, kind]);
}

const suspend = ({ account }: Merchant) => server.operator.run('accounts.suspend', { id: account.id });
const windDown = ({ account }: Merchant, ...more: string[]) => say('accounts', 'wind-down', account.id, ...more);

// biome-ignore lint/suspicious/noExplicitAny: a report
async function report(of: Merchant, ...more: string[]): Promise<{ code: number; value: any; left: object }> {
  const { code, stdout, stderr } = await windDown(of, ...more, '--json');
  expect(stderr).toBe('');
  const value = JSON.parse(stdout);
  const left = Object.fromEntries(Object.entries(value.modes[0].left).filter(([, count]) => count !== 0));
  return { code, value, left };
}

const rows = async (text: string, { tenant }: Merchant) => (await server.sql.query(text, [tenant])).rows;
const statuses = async (table: string, of: Merchant) =>
  (await rows(`select status from ${table} where tenant = $1 order by id`, of)).map(({ status }) => status);
async function audited({ account }: Merchant) {
  const { rows } = await server.sql.query('select id, action, subject, details from audit where account = $1', [
    account.id,
  ]);
  return rows.sort((one, other) => one.id - other.id).map(({ id: _, ...entry }) => entry); // of all places
}

/** One of everything that an account can have left. */
async function busyMerchant(): Promise<Merchant> {
  const of = await merchant();
  const { account, customer } = of;
  const subscription = await subscribe(of);
  // A cancel by the merchant would bill this immediately.
  await post(account, '/v1/invoice_items', {
    customer,
    subscription,
    amount: 500,
    currency: 'eur',
    description: 'Extra',
  });
  const { id: challenged } = await post(account, '/v1/payment_methods', cardOf('4000000000003220'));
  await post(account, `/v1/payment_methods/${challenged}/attach`, { customer });
  await subscribe(of, { default_payment_method: challenged });
  await post(account, '/v1/invoice_items', { customer, amount: 700, currency: 'eur', description: 'Repair' });
  const open = await post(account, '/v1/invoices', { customer });
  await post(account, `/v1/invoices/${open.id}/finalize`, {});
  await post(account, '/v1/invoice_items', { customer, amount: 800, currency: 'eur', description: 'Being paid' });
  const charged = await post(account, '/v1/invoices', { customer });
  await post(account, `/v1/invoices/${charged.id}/finalize`, {});
  const byCard = { payment_method: challenged, return_url: 'https://shop.example/' };
  expect(await post(account, `/v1/invoices/${charged.id}/pay`, byCard)).toMatchObject({ status: 'open' });
  await post(account, '/v1/invoice_items', { customer, amount: 300, currency: 'eur', description: 'Draft' });
  await post(account, '/v1/invoices', { customer });
  await pay(of, { capture_method: 'manual' });
  await pay(of, { payment_method: challenged });
  await fault(of, 'refund', 'lose_reply');
  expect(await post(account, '/v1/refunds', { payment: await pay(of), amount: 100 })).toMatchObject({
    status: 'pending',
  });
  await fault(of, 'authorize', 'lose_reply');
  await pay(of);
  const url = 'http://127.0.0.1:9/hook';
  await post(account, '/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
  await post(account, '/v1/customers', {});
  await suspend(of);
  return of;
}

const waiting = { payments_processing: 1, refunds_pending: 1, webhooks_undelivered: 1 };
const endable = {
  subscriptions: 2,
  open_invoices: 3,
  draft_invoices: 1,
  payments_requires_action: 3,
  payments_requires_capture: 1,
};

describe('tollgate accounts wind-down', () => {
  test('is for suspended accounts', async () => {
    const of = await merchant();
    const refused = { code: 3, stdout: '', stderr: expect.stringMatching(/^acct_\w+ is active\. Suspend it first: /) };
    expect(await windDown(of)).toMatchObject(refused);
    expect(await windDown(of, '--apply')).toMatchObject(refused);
    expect(await say('accounts', 'wind-down', 'acct_none')).toMatchObject({ code: 3 });
  });

  test('lists what is left, and changes nothing without --apply', async () => {
    const of = await busyMerchant();
    const before = await audited(of);
    const { code, value, left } = await report(of);
    expect(code).toBe(1);
    expect(value).toMatchObject({ ok: false, account: of.account.id, applied: false });
    expect(left).toEqual({ ...endable, ...waiting });
    expect(value.modes).toMatchObject([
      { mode: 'test', ended: {}, refused: [], balance: { available: [{ amount: -100, currency: 'eur' }] } },
      { mode: 'live', ended: {}, refused: [], balance: { available: [] } },
    ]);
    const { stdout } = await windDown(of);
    expect(stdout).toMatch(
      /^Test mode\nleft {2,}number {2}what becomes of them\nsubscriptions {2,}2 {2,}are canceled now/,
    );
    expect(stdout).toMatch(/\nBalance in eur: -100 available, 2900 pending, 0 disputed\.\n/);
    expect(stdout).toMatch(
      /\nLive mode\nNothing is left\.\n\nNothing was changed; --apply ends what can be ended\.\n$/,
    );
    expect(await audited(of)).toEqual(before);
    expect((await report(of)).left).toEqual(left);
  });

  test('ends with --apply what can be ended, and charges nothing', async () => {
    const of = await busyMerchant();
    const charges =
      "select count(*)::int4 as count from simulator_entries where tenant = $1 and verb in ('authorize', 'capture')";
    const before = await rows(charges, of);
    const { code, value, left } = await report(of, '--apply');
    expect({ code, left }).toEqual({ code: 1, left: waiting });
    // The invoice of the challenged payment was closed with its subscription, which was incomplete.
    const ended = { ...endable, open_invoices: 2 };
    expect(value.modes[0]).toMatchObject({ ended, refused: [] });
    expect(await statuses('subscriptions', of)).toEqual(['canceled', 'canceled']);
    expect((await statuses('invoices', of)).sort()).toEqual(['paid', 'void', 'void', 'void', 'void']);
    expect((await statuses('payments', of)).sort()).toEqual([
      ...['canceled', 'canceled', 'canceled', 'canceled', 'processing', 'succeeded', 'succeeded'],
    ]);
    expect(await rows(charges, of)).toEqual(before);
    const entries = await audited(of);
    const whole = { action: 'account.wound_down', subject: of.account.id, details: { test: ended, live: {} } };
    expect(entries.at(-1)).toEqual(whole);
    expect(entries.filter(({ action }) => action === 'subscriptions.end')).toHaveLength(2);
    expect(entries.filter(({ action }) => action === 'payments.cancel')).toHaveLength(4);

    const again = await report(of, '--apply');
    expect(again).toMatchObject({ code: 1, left: waiting });
    expect(again.value.modes[0]).toMatchObject({ ended: {}, refused: [] });
    expect(await audited(of)).toEqual(entries);
    expect((await windDown(of, '--apply')).stdout).toMatch(
      /\nLook again later: tollgate accounts wind-down acct_\w+\n$/,
    );
  });

  test('ends what lives by a test clock that stands still in an advance', async () => {
    const { account, tenant, method } = await merchant();
    const clock = await post(account, '/v1/test_clocks', { frozen_time: Math.floor(Date.now() / 1_000) });
    const { id: customer } = await post(account, '/v1/customers', { test_clock: clock.id });
    await server.sql.query('update payment_methods set customer = $1 where id = $2', [customer, method]);
    const of = { account, tenant, customer, method };
    await subscribe(of);
    await server.sql.query(`update test_clocks set status = 'advancing', target = frozen_time where id = $1`, [
      clock.id,
    ]);
    await suspend(of);
    expect(await report(of, '--apply')).toMatchObject({ code: 0, left: {}, value: { ok: true } });
    expect(await statuses('subscriptions', of)).toEqual(['canceled']);
  });

  test('names what is refused, and ends the rest', async () => {
    const of = await merchant();
    const [refused, other] = [await subscribe(of), await subscribe(of)];
    const { id: customer } = await post(of.account, '/v1/customers', {});
    await server.sql.query('update subscriptions set customer = $1 where id = $2', [customer, refused]);
    await server.sql.query('delete from customers where id = $1', [customer]);
    await suspend(of);
    const { code, value, left } = await report(of, '--apply');
    expect({ code, left }).toEqual({ code: 1, left: { subscriptions: 1 } });
    expect(value.modes[0]).toMatchObject({ ended: { subscriptions: 1 }, refused: [{ id: refused }] });
    expect(await rows("select id from subscriptions where tenant = $1 and status = 'canceled'", of)).toEqual([
      { id: other },
    ]);
    const { stdout } = await windDown(of, '--apply');
    expect(stdout).toMatch(new RegExp(`\n${refused} could not be ended: .*customer`));
    expect(stdout).toMatch(/\nLook again later: tollgate accounts wind-down acct_\w+ --apply\n$/);
  });

  test.skipIf(isDistributedRun)('says nothing of what a server has ended meanwhile', async () => {
    const of = await merchant();
    const [other] = [await subscribe(of), await subscribe(of)];
    await suspend(of);
    const blocker = await connect({ connectionString: server.databaseUrl }, 'test');
    await blocker.query('begin');
    await blocker.query(`update subscriptions set status = 'canceled', version = version + 1 where id = $1`, [other]);
    const reported = report(of, '--apply');
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until('the command waits', patienceMs, async () => (await server.sql.query(text)).rowCount! > 0);
    await blocker.query('commit');
    await blocker.end();
    const { code, value, left } = await reported;
    expect({ code, left }).toEqual({ code: 0, left: {} });
    expect(value.modes[0]).toMatchObject({ ended: { subscriptions: 1 }, refused: [] });
  });

  test.skipIf(isDistributedRun)('goes on where it was killed, and ends each object once', async () => {
    const of = await merchant();
    const first = await subscribe(of);
    const many = newIds('sub', Date.now(), 129);
    const names = (await rows('select * from subscriptions where tenant = $1', of)).flatMap(Object.keys);
    const columns = names.filter((name) => name !== 'id').join(', ');
    await server.sql.query(
      `insert into subscriptions (id, ${columns}) select x.id, ${columns} from subscriptions, unnest($2::text[]) as x (id) where subscriptions.id = $1`,
      [first, many],
    );
    await suspend(of);
    const canceled = async () => (await statuses('subscriptions', of)).filter((status) => status === 'canceled').length;
    const blocker = await connect({ connectionString: server.databaseUrl }, 'test');
    await blocker.query('begin');
    await blocker.query('select from subscriptions where id = $1 for update', [many[70]]);
    const environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey, SIMULATOR: 'remote' };
    const child = children.tollgate(['accounts', 'wind-down', of.account.id, '--apply'], {
      cwd: children.directory(),
      environment,
    });
    await until('the first page is canceled', patienceMs, async () => (await canceled()) >= 50);
    child.process.kill('SIGKILL');
    await child.ends();
    await blocker.query('rollback');
    await blocker.end();
    expect(await canceled()).toBeLessThan(130);
    expect(await report(of, '--apply')).toMatchObject({ code: 0, left: {}, value: { ok: true } });
    expect(await canceled()).toBe(130);
    const told = await rows(
      `select count(*)::int4 as events, count(distinct object_id)::int4 as objects from events
        where tenant = $1 and type = 'subscription.canceled'`,
      of,
    );
    expect(told).toEqual([{ events: 130, objects: 130 }]);
  });
});

describe('tollgate refunds create --account', () => {
  const refund = ({ account }: Merchant, ...more: string[]): Promise<Said> =>
    say('refunds', 'create', '--account', account.id, ...more);
  // biome-ignore lint/suspicious/noExplicitAny: a refund
  const made = ({ code, stdout, stderr }: Said): any => {
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
  const refunded = async (of: Merchant) =>
    (await rows('select amount from refunds where tenant = $1 order by id', of)).map(({ amount }) => Number(amount));

  test('refunds a payment of a suspended account, in the audit log', async () => {
    const of = await merchant();
    const payment = await pay(of);
    await suspend(of);
    const parameters = ['--payment', payment, '--amount', '500', '--reason', 'fraudulent', '--metadata', 'case=7'];
    const inLiveMode = await refund(of, ...parameters, '--live');
    expect(inLiveMode).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`no payment ${payment} in live mode`),
    });
    const one = made(await refund(of, ...parameters, '--json'));
    const shown = { payment, amount: 500, status: 'succeeded', reason: 'fraudulent', metadata: { case: '7' } };
    expect(one).toMatchObject({ object: 'refund', ...shown });
    expect((await audited(of)).at(-1)).toEqual({
      action: 'refunds.create',
      subject: one.id,
      details: { mode: 'test' },
    });
    const { stdout } = await refund(of, '--payment', payment);
    expect(stdout).toMatch(/\namount {2,}1500\n/); // the rest
    expect(await refunded(of)).toEqual([500, 1_500]);
  });

  test('asks the API without an account', async () => {
    const of = await merchant();
    const parameters = ['--payment', await pay(of), '--amount', '500', '--api-key', of.account.testKey, '--json'];
    const [one, other] = [await say('refunds', 'create', ...parameters), await say('refunds', 'create', ...parameters)];
    expect(made(one).id).not.toBe(made(other).id);
    expect((await audited(of)).filter(({ action }) => action === 'refunds.create')).toEqual([]);
  });

  test('refunds once, however often it is run', async () => {
    const of = await merchant();
    const payment = await pay(of);
    const parameters = ['--payment', payment, '--amount', '500', '--json'];
    const one = made(await refund(of, ...parameters));
    const again = await refund(of, ...parameters);
    expect(made(again)).toEqual(one);
    expect(again.stderr).toMatch(new RegExp(`^${one.id} was made by an earlier run, and nothing was refunded now; `));
    expect(await refund(of, ...parameters, '--reason', 'duplicate')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^In the last 24 hours this command has refunded 500 of py_\w+, with another/),
    });
    expect(await refunded(of)).toEqual([500]);
    const other = made(await refund(of, ...parameters, '--idempotency-key', 'second'));
    expect(other.id).not.toBe(one.id);
    expect(made(await refund(of, ...parameters, '--idempotency-key', 'second'))).toEqual(other);
    expect(await refunded(of)).toEqual([500, 500]);
    // The account's own keys are others.
    const headers = { 'Idempotency-Key': 'second' };
    expect((await of.account.test.post('/v1/refunds', { payment, amount: 1 }, headers)).status).toBe(200);
  });

  test('refunds once when it is killed while the processor is asked', async () => {
    const of = await merchant();
    const payment = await pay(of);
    await fault(of, 'refund', 'hang');
    const environment = { DATABASE_URL: server.databaseUrl, TOLLGATE_VAULT_KEY: testMasterKey, SIMULATOR: 'remote' };
    const parameters = ['--account', of.account.id, '--payment', payment];
    const child = children.tollgate(['refunds', 'create', ...parameters], { cwd: children.directory(), environment });
    await until('the refund is begun', patienceMs, async () => (await refunded(of)).length === 1);
    child.process.kill('SIGKILL');
    await child.ends();
    await server.sql.query(`update attempts set deadline_at = now() where tenant = $1 and verb = 'refund'`, [
      of.tenant,
    ]);
    const [stored] = await rows('select id from refunds where tenant = $1', of);
    expect(made(await refund(of, ...parameters.slice(2), '--json'))).toMatchObject({
      id: stored.id,
      status: 'pending',
    });
    expect(await refunded(of)).toEqual([2_000]);
  });

  test.each([
    [['--amount', ''], 3, /^--amount must not be empty/],
    [['--amount', 'many'], 3, /^--amount must be an integer/],
    [['--amount', '3000'], 3, /2000/],
    [['--amount', '0'], 3, /^The amount must be at least 1/],
    [['--live'], 3, /payment/],
    [['--idempotency-key', ''], 3, /^An Idempotency-Key has 1 to 255/],
  ])('refuses %j', async (more, code, stderr) => {
    const of = await merchant();
    const payment = await pay(of);
    expect(await refund(of, '--payment', payment, ...more)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(stderr),
    });
    expect(await refunded(of)).toEqual([]);
    // A refusal is not kept.
    expect((await refund(of, '--payment', payment)).code).toBe(0);
  });
});
