import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { violationsOf } from '../payment_invariants.ts';
import { type Child, type Environment, patienceMs, until } from '../processes/child.ts';
import { Children } from '../processes/children.ts';
import { type CrashPoint, crashNote } from '../processes/crash_point.fixture.ts';
import { compileCache } from '../processes/resident.ts';
import { isTorture } from '../torture.ts';

const children = new Children();
let drop: () => Promise<void>;
let sql: Connection;
let environment: Environment;
let key: string;
let child: Child;
let client: Client;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = children.keep(await connect(database.address, 'test'));
  await sql.query(readFileSync(join(import.meta.dirname, 'tabs', 'tabs.sql'), 'utf8'));
  environment = children.serveEnvironment({
    DATABASE_URL: database.url,
    SIMULATOR: 'remote',
    CRASH_DIR: children.directory('crashes'),
  });
  key = (await children.account(environment)).test_secret_key;
  await start();
});
afterAll(async () => {
  client.close();
  await children.cleanUp();
  await drop();
});

async function start(): Promise<void> {
  const own = children.environment({ ...environment, NODE_COMPILE_CACHE: compileCache });
  const program = join(import.meta.dirname, 'serve.fixture.ts');
  child = children.spawn(process.execPath, [program], { cwd: own.HOME!, environment: own });
  const [, port] = await child.prints(/"port":(\d+),"msg":"serving"/);
  client = new Client(`https://localhost:${port}`, readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8'), key);
}

/** As if the lease and the deadline of the killed process had expired. */
async function timePasses(): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() - interval '1 minute' where state in ('open', 'unknown')`);
  await sql.query('update payments set due_at = now(), lease_until = null where open_attempt is not null');
  await sql.query(`update refunds set due_at = now(), lease_until = null where status = 'pending'`);
  await sql.query('update tabs set lease_until = null');
}

/** A charge that was never sent fails the tab. Every other tab is charged once and refunded once. */
const cases: { verb: 'authorize' | 'refund'; point: CrashPoint; ends: 'refunded' | 'failed' }[] = [
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

/** `npm test` runs a share of them, `npm run torture` all. */
const share: readonly string[] = ['authorize sent', 'refund before_call'];
const tried = cases.filter(({ verb, point }) => isTorture || share.includes(`${verb} ${point}`));

test.each(tried)('kill -9 of a duty, $verb, $point: $ends, and nothing twice', async ({ verb, point, ends }) => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  const note = crashNote(verb, point, `tab-${verb}-${point}`);
  const { id } = (await client.post('/v1/tabs', { payment_method, amount: 700, note })).json;
  expect(await child.ends()).toEqual({ code: null, signal: 'SIGKILL' });
  client.close();
  await timePasses();
  await start();
  const tab = await until(`${id} has ended`, patienceMs, async () => {
    const { rows } = await sql.query('select * from tabs where id = $1', [id]);
    const { rows: open } = await sql.query(`select 1 from attempts where state in ('open', 'unknown')`);
    return ['refunded', 'failed'].includes(rows[0].state) && open.length === 0 && rows[0];
  });
  const state = { rest: true };
  const isUnsent = point === 'claim_in_flight'; // it may or may not have been committed
  expect(isUnsent ? ['refunded', 'failed'] : [ends]).toContain(tab.state);
  const payments = await sql.query('select id from payments where description = $1', [note]);
  expect(payments.rows).toEqual([{ id: tab.payment }]);
  const refunds = await sql.query('select status from refunds where payment = $1', [tab.payment]);
  expect(refunds.rows).toEqual(tab.state === 'refunded' ? [{ status: 'succeeded' }] : []);
  expect(await violationsOf(sql, state)).toEqual([]);
});
