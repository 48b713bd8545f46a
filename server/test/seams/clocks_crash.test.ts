import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { type Child, type Environment, patienceMs, until } from '../processes/child.ts';
import { Children } from '../processes/children.ts';
import { compileCache } from '../processes/resident.ts';
import { shareOf } from '../torture.ts';

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
  for (const name of ['tabs', 'alarms'])
    await sql.query(readFileSync(join(import.meta.dirname, name, `${name}.sql`), 'utf8'));
  environment = children.serveEnvironment({ DATABASE_URL: database.url, CRASH_DIR: children.directory('crashes') });
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

const begins = Date.UTC(2030, 0, 1) / 1_000;
const rings = 400;

async function rung(): Promise<number[]> {
  const { rows } = await sql.query('select at from alarm_rings order by place');
  return rows.map(({ at }) => at.getTime() / 1_000 - begins);
}

test('kill -9 in the middle of an advance: the next process continues it, in order, and does nothing twice', async () => {
  const { id: clock } = (await client.post('/v1/test_clocks', { frozen_time: begins })).json;
  const { id: customer } = (await client.post('/v1/customers', { test_clock: clock })).json;
  await client.post('/v1/alarms', { customer, after: 1, every: 1, rings });
  await client.post(`/v1/test_clocks/${clock}/advance`, { frozen_time: begins + rings + 5 });
  for (let kills = 1; kills <= shareOf(8, 2); kills++) {
    const before = (await rung()).length;
    await until('some alarms rang', patienceMs, async () => (await rung()).length > before + 10);
    child.signal('SIGKILL');
    expect(await child.ends()).toEqual({ code: null, signal: 'SIGKILL' });
    client.close();
    expect((await rung()).length).toBeLessThan(rings);
    await sql.query('update test_clocks set lease_until = null'); // as if it had expired
    await start();
  }
  const ready = await until('the clock is ready', patienceMs, async () => {
    const { json } = await client.get(`/v1/test_clocks/${clock}`);
    return json.status === 'ready' && json;
  });
  expect(ready.frozen_time).toBe(begins + rings + 5);
  expect(await rung()).toEqual(Array.from({ length: rings }, (_, at) => at + 1));
  const { rows } = await sql.query(`select type, count(*)::int4 from events group by type order by type`);
  expect(rows).toContainEqual({ type: 'alarm.rang', count: rings });
  expect(rows).toContainEqual({ type: 'test_clock.ready', count: 1 });
});
