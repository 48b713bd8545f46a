import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { createDatabase } from '../../test/harness.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await sql.query(text, values)).rows;

/** The statements of the previous version, which runs beside this one during an upgrade. */
test('servers of the previous version go on with the tables by their earlier names', async () => {
  const entry = {
    tenant: 1,
    attempt: 'att_1',
    authorization_attempt: 'att_1',
    verb: 'authorize',
    sequence: 0,
    amount: 5,
  };
  const facts = { captures: true, result: 'approved', reference: 'sim_1', at: '2027-01-01T00:00:00Z' };
  const columns = Object.keys({ ...entry, ...facts }).join(', ');
  const add = () =>
    sql.query(
      `insert into simulator.entries (${columns})
       select ${columns} from json_populate_recordset(null::simulator.entries, $1::json) on conflict do nothing`,
      [JSON.stringify([{ ...entry, ...facts }])],
    );
  expect([(await add()).rowCount, (await add()).rowCount]).toEqual([1, 0]);
  expect(await rows('select attempt, amount from simulator_entries')).toEqual([{ attempt: 'att_1', amount: 5 }]);
  expect(await rows('select attempt, net from simulator.charges')).toEqual([{ attempt: 'att_1', net: 5 }]);

  await sql.query(`insert into simulator.news (tenant, id, kind, attempt, authorization_attempt, at)
    values (1, 'n_1', 'dispute', 'att_1', 'att_1', now())`);
  await sql.query('update simulator.news set told_at = now() where told_at is null');
  expect(await rows('select 1 from simulator_news where told_at is null')).toEqual([]);

  await sql.query(`insert into simulator.faults (verb, kind) values ('find', 'down')`);
  const take = 'update simulator.faults set remaining = remaining - 1 where remaining > 0 returning kind, milliseconds';
  expect(await rows(take)).toEqual([{ kind: 'down', milliseconds: 0 }]);
  expect(await rows('select remaining from simulator_faults')).toEqual([{ remaining: 0 }]);
});
