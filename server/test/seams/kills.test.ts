import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseMasterKey } from '../../base/keyring.ts';
import { loadKeyring } from '../../base/root_key.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { openServices } from '../../commands/operator.ts';
import { readConfig } from '../../config.ts';
import { kioskSql } from '../../resources/payments/payments/kiosk.fixture.ts';
import type { Client } from '../client.ts';
import { createDatabase, testMasterKey } from '../harness.ts';
import { violationsOf } from '../payment_invariants.ts';
import { type Child, type Environment, patienceMs, until } from '../processes/child.ts';
import { Children } from '../processes/children.ts';
import { type CrashPoint, crashNote, holdNote } from '../processes/crash_point.fixture.ts';
import { isTorture, shareOf } from '../torture.ts';
import { harborSignature } from './harbor/accounts.ts';
import { attemptOf, openHarborAccount } from './harbor/merchant.ts';

const webhookSecret = 'whsec_harbor';
const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let environment: Environment;
let keys: Awaited<ReturnType<Children['account']>>;
let harborAccount: string;
let child: Child;
let client: Client;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connection();
  for (const name of ['tabs', 'alarms'])
    await sql.query(readFileSync(join(import.meta.dirname, name, `${name}.sql`), 'utf8'));
  await sql.query(kioskSql);
  environment = children.serveEnvironment({
    ...{ DATABASE_URL: database.url, SIMULATOR: 'remote', LIVE_CONNECTOR: 'harbor' },
    CRASH_DIR: children.directory('crashes'),
  });
  const ofCommands = { ...environment, LIVE_CONNECTOR: 'none' };
  keys = await children.account(ofCommands);
  harborAccount = await openAccount(ofCommands);
  await start();
});
afterAll(async () => {
  client.close();
  await children.cleanUp();
  await database.drop();
});

async function connection(): Promise<Connection> {
  return children.keep(await connect(database.address, 'test'));
}

async function openAccount(ofCommands: Environment): Promise<string> {
  const masters = { current: parseMasterKey(testMasterKey), previous: undefined };
  const keyring = await loadKeyring(sql, masters);
  const config = readConfig('command', ofCommands);
  const { services, close } = await openServices({ address: database.address, config, keyring, masters });
  const owner = `select tenant from tenants where account = $1 and mode = 'live'`;
  const [{ tenant }] = await rows(owner, [keys.account]);
  const account = await openHarborAccount(services, tenant, { webhook_secret: webhookSecret });
  await close();
  return account;
}

async function start(): Promise<void> {
  const running = await children.serveBy(join(import.meta.dirname, 'serve.fixture.ts'), environment);
  child = running.child;
  client = running.client(keys.test_secret_key);
}

/** It kills itself, or is killed here. */
async function dies({ by }: { by: 'itself' | 'us' }): Promise<void> {
  if (by === 'us') child.signal('SIGKILL');
  expect(await child.ends()).toEqual({ code: null, signal: 'SIGKILL' });
  client.close();
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await sql.query(text, values)).rows;

/** As if the leases and the deadlines of the killed process had expired. */
async function timePasses(): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() - interval '1 minute' where state in ('open', 'unknown')`);
  await sql.query('update payments set due_at = now(), lease_until = null where open_attempt is not null');
  await sql.query(`update refunds set due_at = now(), lease_until = null where status = 'pending'`);
  for (const table of ['tabs', 'notices', 'test_clocks']) await sql.query(`update ${table} set lease_until = null`);
}

type TabCase = { verb: 'authorize' | 'refund'; point: CrashPoint; ends: 'refunded' | 'failed' };
/** A charge that was never sent fails the tab. Every other tab is charged once and refunded once. */
const tabCases: TabCase[] = [
  { verb: 'authorize', point: 'before_claim', ends: 'refunded' },
  { verb: 'authorize', point: 'claim_in_flight', ends: 'failed' },
  { verb: 'authorize', point: 'before_call', ends: 'failed' },
  { verb: 'authorize', point: 'sent', ends: 'refunded' },
  { verb: 'authorize', point: 'reply', ends: 'refunded' },
  { verb: 'authorize', point: 'committed', ends: 'refunded' },
  { verb: 'refund', point: 'before_claim', ends: 'refunded' },
  { verb: 'refund', point: 'before_call', ends: 'refunded' },
  { verb: 'refund', point: 'sent', ends: 'refunded' },
  { verb: 'refund', point: 'reply', ends: 'refunded' },
  { verb: 'refund', point: 'committed', ends: 'refunded' },
];

/** A tab whose job has come to its point when this resolves. */
async function openTab({ verb, point }: TabCase, noteFor: typeof crashNote): Promise<string> {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  const name = `tab-${verb}-${point}`;
  const note = noteFor(verb, point, name);
  const { id } = (await client.post('/v1/tabs', { payment_method, amount: 700, note })).json;
  const marker = join(environment.CRASH_DIR!, name);
  await until(`${id} has come to ${point}`, patienceMs, () => existsSync(marker));
  return id;
}

async function expectTab({ point, ends }: TabCase, id: string): Promise<void> {
  await until('all tabs have ended', patienceMs, async () => {
    const open = `select 1 from attempts where state in ('open', 'unknown')
      union all select 1 from tabs where state not in ('refunded', 'failed')`;
    return (await rows(open)).length === 0;
  });
  const [tab] = await rows('select * from tabs where id = $1', [id]);
  const isUnsent = point === 'claim_in_flight'; // it may or may not have been committed
  expect(isUnsent ? ['refunded', 'failed'] : [ends]).toContain(tab.state);
  expect(await rows('select id from payments where description = $1', [tab.note])).toEqual([{ id: tab.payment }]);
  const refunds = await rows('select status from refunds where payment = $1', [tab.payment]);
  expect(refunds).toEqual(tab.state === 'refunded' ? [{ status: 'succeeded' }] : []);
  expect(await violationsOf(sql, { rest: true, tenant: tab.tenant })).toEqual([]);
}

describe.runIf(isTorture)('each tab has a separate kill', () => {
  test.each(tabCases)('kill -9 of a job, $verb, $point: $ends, and nothing twice', async (one) => {
    const id = await openTab(one, crashNote);
    await dies({ by: 'itself' });
    await timePasses();
    await start();
    await expectTab(one, id);
  });
});

type PageCase = { point: CrashPoint; ends: 'requires_action' | 'failed' };
/** A page that was never asked for fails the payment. Every other page is found, and can be paid on. */
const pageCases: PageCase[] = [
  { point: 'claimed', ends: 'failed' },
  { point: 'before_call', ends: 'failed' },
  { point: 'sent_not_done', ends: 'failed' },
  { point: 'sent', ends: 'requires_action' },
  { point: 'reply', ends: 'requires_action' },
  { point: 'committed', ends: 'requires_action' },
];

/** A payment on a page of the processor, whose request has come to its point when this resolves. The description of the payment. */
async function openKiosk({ point }: PageCase, noteFor: typeof crashNote): Promise<string> {
  const name = `kiosk-${point}`;
  const note = noteFor('authorize', point, name);
  void client.post('/v1/kiosks', { note }).catch(() => {}); // it is killed
  const marker = join(environment.CRASH_DIR!, name);
  await until(`the kiosk has come to ${point}`, patienceMs, () => existsSync(marker));
  return note;
}

/** The row of the owner is always that of the payment, whichever commit the kill came after. */
async function expectKiosk({ ends }: PageCase, note: string): Promise<void> {
  const read = async () => {
    const found = await rows(
      `select p.id, p.tenant, p.status, p.open_attempt, p.next_action, p.payment_method, k.status as shown
         from payments p join kiosks k on k.payment = p.id where p.description = $1`,
      [note],
    );
    expect(found).toHaveLength(1);
    return found[0];
  };
  const settled = await until('the payment is settled', patienceMs, async () => {
    const payment = await read();
    return payment.open_attempt === null && payment.status !== 'processing' && payment;
  });
  expect(settled).toMatchObject({ status: ends, shown: ends, payment_method: null });
  if (ends === 'requires_action') {
    const { pathname } = new URL(settled.next_action);
    const answers = await Promise.all([1, 2].map(() => client.as().form(pathname, 'card=visa')));
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const paid = await read();
    expect(paid).toMatchObject({ status: 'succeeded', shown: 'succeeded', payment_method: expect.any(String) });
    expect(
      await rows(`select 1 from events where object_id = $1 and type = 'payment.succeeded'`, [paid.id]),
    ).toHaveLength(1);
  }
  expect(await violationsOf(sql, { rest: false, tenant: settled.tenant })).toEqual([]);
}

describe.runIf(isTorture)('each page of a processor has a separate kill', () => {
  test.each(pageCases)('kill -9 of a request for a page, $point: $ends, and nothing twice', async (one) => {
    const note = await openKiosk(one, crashNote);
    await dies({ by: 'itself' });
    await timePasses();
    await start();
    await expectKiosk(one, note);
  });
});

const kills = shareOf(8, 1);
const ringsPerLife = 12;
const rings = ringsPerLife * (kills + 1);
const begins = Date.UTC(2030, 0, 1) / 1_000;

async function rung(): Promise<number[]> {
  const found = await rows('select at from alarm_rings order by place');
  return found.map(({ at }) => at.getTime() / 1_000 - begins);
}

/** Makes the advance wait when it comes to this ring, because another connection is writing it down. */
async function holdUp(other: Connection, ring: number): Promise<void> {
  await other.query('begin');
  await other.query('insert into alarm_rings (tenant, id, at) select tenant, id, to_timestamp($1) from alarms', [
    begins + ring,
  ]);
}

/** An advance that has come to its first ring that another connection holds up. */
async function beginAdvance(): Promise<{ clock: string; other: Connection }> {
  const { id: clock } = (await client.post('/v1/test_clocks', { frozen_time: begins })).json;
  const { id: customer } = (await client.post('/v1/customers', { test_clock: clock })).json;
  await client.post('/v1/alarms', { customer, after: 1, every: 1, rings });
  const other = await connection();
  await holdUp(other, ringsPerLife);
  await client.post(`/v1/test_clocks/${clock}/advance`, { frozen_time: begins + rings + 5 });
  await comesToRing(ringsPerLife);
  return { clock, other };
}

async function comesToRing(ring: number): Promise<void> {
  await until('it has come to the next ring', patienceMs, async () => (await rung()).length === ring - 1);
}

/** In the middle when the shared kill comes; under torture it has separate kills. */
let advance: Awaited<ReturnType<typeof beginAdvance>> | undefined;

describe('one kill for a notice that was answered, for jobs in the middle of their calls and for an advance', () => {
  const share = ['authorize sent', 'refund before_call'];
  const tried = isTorture ? [] : tabCases.filter(({ verb, point }) => share.includes(`${verb} ${point}`));
  const tabs = new Map<TabCase, string>();
  const pages = isTorture ? [] : pageCases.filter(({ point }) => point === 'claimed' || point === 'sent');
  const sold = new Map<PageCase, string>();
  let payment: string;

  beforeAll(async () => {
    // First, because what is held up below holds up every commit for a while, and a payment has 15 s.
    payment = await paidAtHarbor();
    for (const one of tried) tabs.set(one, await openTab(one, holdNote));
    for (const one of pages) sold.set(one, await openKiosk(one, holdNote));
    if (!isTorture) advance = await beginAdvance();
    await dispute(payment);
    await dies({ by: 'us' });
    await sql.query('rollback');
    await advance?.other.query('rollback');
    expect(await rows('select event_id, due_at is null as done from notices')).toEqual([
      { event_id: 'evt_killed', done: false },
    ]);
    await timePasses();
    await start();
  });

  async function paidAtHarbor(): Promise<string> {
    const live = client.as(keys.live_secret_key);
    const card = { number: '5555555555554444', exp_month: 12, exp_year: 2040 };
    const { id: payment_method } = (await live.post('/v1/payment_methods', { type: 'card', card })).json;
    const paid = (await live.post('/v1/payments', { amount: 900, currency: 'eur', payment_method })).json;
    expect(paid).toMatchObject({ status: 'succeeded' });
    return paid.id;
  }

  /** By a notice, which is answered. Its work is held up until the rollback. */
  async function dispute(id: string): Promise<void> {
    const attempt = await attemptOf(rows, id, harborAccount);
    const facts = { about: 'dispute', attempt, dispute: 'dp_killed', amount: 900, currency: 'eur' };
    const notice = JSON.stringify({ id: 'evt_killed', ...facts });
    await sql.query('begin; lock table disputes in access exclusive mode'); // holds up the work, not the answer
    const headers = { 'Harbor-Signature': harborSignature(webhookSecret, Date.now(), notice) };
    expect((await client.as().post(`/processors/${harborAccount}`, notice, headers)).status).toBe(200);
  }

  test.each(tried)('a job, $verb, $point: $ends, and nothing twice', (one) => expectTab(one, tabs.get(one)!));

  test.each(pages)('a request for a page, $point: $ends, and nothing twice', (one) => expectKiosk(one, sold.get(one)!));

  test('between the answer to a notice and its work: the work is done by the next process, once', async () => {
    const isDone = async () => (await rows('select 1 from notices where due_at is not null')).length === 0;
    await until('the notice is recorded', patienceMs, isDone);
    expect(await rows('select payment, status from disputes')).toEqual([{ payment, status: 'needs_response' }]);
    expect(await rows(`select 1 from events where type = 'dispute.created'`)).toHaveLength(1);
    expect(await rows(`select amount from postings where kind = 'dispute'`)).toEqual([{ amount: 900 }]);
  });
});

describe('an advance', () => {
  test('kill -9 in the middle of it: the next process continues it, in order, and does nothing twice', async () => {
    const { clock, other } = advance ?? (await beginAdvance());
    for (let kill = advance === undefined ? 1 : 2; kill <= kills; kill++) {
      await comesToRing(kill * ringsPerLife);
      await dies({ by: 'us' });
      await other.query('rollback');
      if (kill < kills) await holdUp(other, (kill + 1) * ringsPerLife);
      await timePasses();
      await start();
    }
    const ready = await until('the clock is ready', patienceMs, async () => {
      const { json } = await client.get(`/v1/test_clocks/${clock}`);
      return json.status === 'ready' && json;
    });
    expect(ready.frozen_time).toBe(begins + rings + 5);
    expect(await rung()).toEqual(Array.from({ length: rings }, (_, at) => at + 1));
    const counts = await rows(`select type, count(*)::int4 from events group by type order by type`);
    expect(counts).toContainEqual({ type: 'alarm.rang', count: rings });
    expect(counts).toContainEqual({ type: 'test_clock.ready', count: 1 });
  });
});
