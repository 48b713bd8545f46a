import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { seed } from '../../test/torture.ts';
import { type Connection, connect } from '../sql.ts';
import { insert, type Table, table, update, type Write } from './index.ts';
import { StatementBuilder } from './statement.ts';

/** A column of each type. */
type Cell = {
  small: number | null;
  large: number | null;
  word: string | null;
  bytes: Buffer | null;
  facts: object | null;
  moment: Date | null;
  day: string | null;
  flag: boolean | null;
};
type CellRow = Cell & { tenant: number; id: string; version: number };

const cells: Table<CellRow> = table('cells', {
  int4: 'tenant version',
  text: 'id word',
  int2: 'small',
  int8: 'large',
  bytea: 'bytes',
  json: 'facts',
  timestamptz: 'moment',
  date: 'day',
  bool: 'flag',
});

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query(`create table cells (
    tenant int4, id text collate "C", version int4, small int2, large int8, word text, bytes bytea, facts json, moment timestamptz,
    day date, flag bool, primary key (tenant, id))`);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Mostly the first value, so that whole batches have it. */
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 60, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const cell: fc.Arbitrary<Cell> = fc.record({
  small: mostly<number | null>(200, null, -1),
  large: mostly<number | null>(null, 9_007_199_254_740_991, 0),
  word: mostly<string | null>('null', null, '', '{"a",\\b\n}', 'ü'),
  bytes: mostly<Buffer | null>(null, Buffer.from([0, 255]), Buffer.alloc(0)),
  facts: mostly<object | null>(null, { a: ['"', null] }, []),
  moment: mostly<Date | null>(new Date(1_700_000_000_123), null, new Date(0)),
  day: mostly<string | null>('2024-02-29', null, '1999-12-31'),
  flag: mostly<boolean | null>(true, null, false),
});

describe('columns that are the same in most batches', () => {
  const builder = new StatementBuilder([]);
  const sent: string[] = [];
  let rows = 0;

  async function commit(writes: Write[]): Promise<void> {
    const statement = builder.build(writes);
    sent.push(statement.text);
    await sql.query(statement);
  }

  /** As stored, by id. */
  async function stored(): Promise<Map<string, CellRow>> {
    const found = await sql.query<CellRow>(`select ${cells.columns.join(', ')} from cells`);
    return new Map(found.rows.map((row) => [row.id, row]));
  }

  test('are sent as one value each, and every row is stored as it was', async () => {
    const expected = new Map<string, CellRow>();
    const batches = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 200, maxLength: 200 });
    for (const batch of fc.sample(batches, { numRuns: 1, seed })[0]!) {
      const made = batch.map((one) => ({ ...one, tenant: 7, id: String(++rows), version: 1 }));
      for (const row of made) expected.set(row.id, row);
      await commit(made.map((row) => insert(cells, row)));
    }
    const changed = [...expected.values()].map((row) => ({ ...row, version: 2 }));
    for (let at = 0; at < changed.length; at += 3) {
      const some = changed.slice(at, at + 3).map((row) => ({ ...row, small: 3 }));
      for (const row of some) expected.set(row.id, row);
      await commit(some.map((row) => update(cells, row)));
    }
    expect(await stored()).toEqual(expected);
    const single = /\$\d+::int2(?!\[)/;
    expect(sent.filter((text) => single.test(text)).length).toBeGreaterThan(sent.length / 4);
    expect(new Set(sent).size).toBeLessThan(12); // few, so that they are prepared
  });

  test('are sent as arrays in a batch in which they differ', async () => {
    const row = { ...fc.sample(cell, 1)[0]!, tenant: 7, version: 1 };
    const differing = [100, 200].map((small) => insert(cells, { ...row, id: `differs ${small}`, small }));
    const { text } = builder.build(differing);
    expect(text).toMatch(/\$\d+::int2\[\]/);
    await sql.query(builder.build(differing));
    const found = await stored();
    expect([found.get('differs 100')?.small, found.get('differs 200')?.small]).toEqual([100, 200]);
  });
});
