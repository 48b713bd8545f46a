import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { parseMasterKey } from '../../base/keyring.ts';
import { loadKeyring } from '../../base/root_key.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { openServices } from '../../commands/operator.ts';
import { readConfig } from '../../config.ts';
import { Client } from '../client.ts';
import { createDatabase, testMasterKey } from '../harness.ts';
import { type Child, type Environment, patienceMs, until } from '../processes/child.ts';
import { Children } from '../processes/children.ts';
import { compileCache } from '../processes/resident.ts';
import { harborSignature } from './harbor/accounts.ts';
import { attemptOf, openHarborAccount } from './harbor/merchant.ts';

const secret = 'whsec_harbor';
const children = new Children();
let drop: () => Promise<void>;
let sql: Connection;
let environment: Environment;
let key: string;
let account: string;
let child: Child;
let client: Client;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = children.keep(await connect(database.address, 'test'));
  await sql.query(readFileSync(join(import.meta.dirname, 'tabs', 'tabs.sql'), 'utf8'));
  environment = children.serveEnvironment({ DATABASE_URL: database.url, LIVE_CONNECTOR: 'harbor' });
  const made = await children.account({ ...environment, LIVE_CONNECTOR: 'none' });
  key = made.live_secret_key;
  const masters = { current: parseMasterKey(testMasterKey), previous: undefined };
  const keyring = await loadKeyring(sql, masters);
  const config = readConfig('command', { ...environment, LIVE_CONNECTOR: 'none' });
  const { services, close } = await openServices({ address: database.address, config, keyring, masters });
  const owner = `select tenant from tenants where account = $1 and mode = 'live'`;
  const [{ tenant }] = (await sql.query(owner, [made.account])).rows;
  account = await openHarborAccount(services, tenant, { webhook_secret: secret });
  await close();
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

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await sql.query(text, values)).rows;

test('kill -9 between the answer to a notice and its work: the work is done by the next process, once', async () => {
  const card = { number: '5555555555554444', exp_month: 12, exp_year: 2040 };
  const { id: payment_method } = (await client.post('/v1/payment_methods', { type: 'card', card })).json;
  const body = { amount: 900, currency: 'eur', payment_method };
  const paid = (await client.post('/v1/payments', body)).json;
  expect(paid).toMatchObject({ status: 'succeeded' });
  const { id: payment } = paid;
  const attempt = await attemptOf(rows, payment, account);
  const facts = { about: 'dispute', attempt, dispute: 'dp_killed', amount: 900, currency: 'eur' };
  const notice = JSON.stringify({ id: 'evt_killed', ...facts });
  await sql.query('begin; lock table disputes in access exclusive mode'); // holds up the work, not the answer
  const headers = { 'Harbor-Signature': harborSignature(secret, Date.now(), notice) };
  expect((await client.as().post(`/processors/${account}`, notice, headers)).status).toBe(200);
  process.kill(child.pid, 'SIGKILL');
  expect(await child.ends()).toEqual({ code: null, signal: 'SIGKILL' });
  client.close();
  await sql.query('rollback');
  expect(await rows('select event_id, due_at is null as done from notices')).toEqual([
    { event_id: 'evt_killed', done: false },
  ]);
  await sql.query('update notices set lease_until = null'); // as if the lease of the killed process had expired
  await start();
  const isDone = async () => (await rows('select 1 from notices where due_at is not null')).length === 0;
  await until('the notice is recorded', patienceMs, isDone);
  expect(await rows('select payment, status from disputes')).toEqual([{ payment, status: 'needs_response' }]);
  expect(await rows(`select 1 from events where type = 'dispute.created'`)).toHaveLength(1);
  expect(await rows(`select amount from postings where kind = 'dispute'`)).toEqual([{ amount: 900 }]);
});
