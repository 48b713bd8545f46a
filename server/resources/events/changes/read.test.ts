import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../base/id.ts';
import { positionAt, readPosition, type TailPosition, writePosition } from '../../../base/position.ts';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { type Connection, connect, openPool } from '../../../base/sql.ts';
import { eventually } from '../../../test/eventually.ts';
import { createDatabase } from '../../../test/harness.ts';
import { readChanges, readNow } from './read.ts';

const tenant = 7 as Tenant;
let drop: () => Promise<void>;
let pool: ReturnType<typeof openPool>;
let [one, other]: Connection[] = [];
let reads: Reads;

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  pool = openPool(database.address, { use: 'reads', connectionsMax: 1, onError: () => {} });
  reads = new Reads(pool);
  [one, other] = [await connect(database.address, 'test'), await connect(database.address, 'test')];
});
afterAll(async () => {
  await Promise.all([one!.end(), other!.end(), pool.end()]);
  await drop();
});

async function commit(sql: Connection, moment: number, of: number = tenant): Promise<string> {
  const id = newId('evt', moment);
  await sql.query(
    `insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $2, 'x.y', 'x', 1, '')`,
    [of, id],
  );
  return id;
}

/** Reads until these ids were reported, and returns all that was reported. Transactions in other databases hold the horizon back too. */
async function readOn(from: TailPosition, now: number, ids: readonly string[]) {
  let position = from;
  const told: string[] = [];
  await eventually(async () => {
    const page = await readChanges(reads, tenant, position, now);
    position = page.position;
    told.push(...page.changes.map(({ id }) => id));
    expect(told).toEqual(expect.arrayContaining([...ids]));
  });
  return { told, position };
}

test('what commits out of the order of ids is reported once, and what was visible before the start is not', async () => {
  const now = Date.now();
  await commit(one!, now - 90_000);
  const { position: start } = await readNow(reads, tenant, now);
  await one!.query('begin');
  const held = await commit(one!, now + 1);
  const later = await commit(other!, now + 2);
  await commit(other!, now + 2, 8);
  const early = await readChanges(reads, tenant, start, now + 3);
  expect(early.changes).toEqual([]); // the open transaction may still tell of something before
  await one!.query('commit');
  const { told, position } = await readOn(early.position, now + 4, [held, later]);
  expect(told).toEqual([held, later]);
  expect((await readOn(position, now + 5, [])).told).toEqual([]);
});

test('what others commit while a transaction stays open for long is reported when it ends', async () => {
  const now = Date.now() + 10_000_000;
  const { position: start } = await readNow(reads, tenant, now);
  await one!.query('begin');
  await one!.query('select pg_current_xact_id()');
  const waiting = await commit(other!, now + 1_000);
  let position = start;
  for (let minute = 1; minute <= 5; minute++)
    ({ position } = await readChanges(reads, tenant, position, now + minute * 60_000));
  const written = readPosition(writePosition(position))!;
  await one!.query('commit');
  const end = now + 301_000;
  expect((await readOn(position, end, [waiting])).told).toEqual([waiting]);
  expect((await readOn(written, end, [waiting])).told).toEqual([waiting]);
});

test('how far back is read follows the horizon, even if some transaction is always open', () => {
  let position: TailPosition = { xact: 9, id: '', since: 0 };
  for (let at = 1; at <= 5; at++) position = positionAt({ horizon: at * 10, top: at * 10 + 3, at }, position);
  expect(position.since).toBe(4);
  for (let at = 6; at <= 9; at++) position = positionAt({ horizon: 50, top: at * 10, at }, position);
  expect(position.since).toBe(4);
  expect(positionAt({ horizon: 100, top: 100, at: 10 }, position)).toEqual({ xact: 99, id: '', since: 10 });
});

test.each(['', '7', '7-', '-7', '0-1', '7-evt_short', '7-evt_!!!!!!!!!!!!!!!!!!!!!!', '7-1 ', 'x-1', '7-1-1'])(
  '"%s" is no position',
  (text) => expect(readPosition(text)).toBeUndefined(),
);
