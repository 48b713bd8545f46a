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

/** Mostly the first value, so that many batches have one value in each column. */
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 60, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const usual: Cell = {
  small: 200,
  large: null,
  word: 'null',
  bytes: null,
  facts: null,
  moment: new Date(1_700_000_000_123),
  day: '2024-02-29',
  flag: true,
};

const cell: fc.Arbitrary<Cell> = fc.record({
  small: mostly(usual.small, null, -1),
  large: mostly(usual.large, 9_007_199_254_740_991, 0),
  word: mostly(usual.word, null, '', '{"a",\\b\n}', 'ü'),
  bytes: mostly(usual.bytes, Buffer.from([0, 255]), Buffer.alloc(0)),
  facts: mostly(usual.facts, { a: ['"', null] }, []),
  moment: mostly(usual.moment, null, new Date(0)),
  day: mostly(usual.day, null, '1999-12-31'),
  flag: mostly(usual.flag, null, false),
});

describe('columns that are the same in most batches', () => {
  const builder = new StatementBuilder([]);
  const sent: string[] = [];
  const expected = new Map<string, CellRow>();

  async function commit(rows: CellRow[], write: (table: typeof cells, row: CellRow) => Write): Promise<void> {
    const statement = builder.build(rows.map((row) => write(cells, row)));
    sent.push(statement.text);
    await sql.query(statement);
    for (const row of rows) expected.set(row.id, row);
  }

  async function commitNew(batch: readonly Cell[]): Promise<void> {
    const rows = batch.map((one, at) => ({ ...one, tenant: 7, id: String(expected.size + at), version: 1 }));
    await commit(rows, insert);
  }

  /** As stored, by id. */
  async function stored(): Promise<Map<string, CellRow>> {
    const found = await sql.query<CellRow>(`select ${cells.columns.join(', ')} from cells`);
    return new Map(found.rows.map((row) => [row.id, row]));
  }

  test('are sent as one value each from the next batch on, and a batch in which one differs as arrays', async () => {
    // No batch is random: what random ones have in common differs by seed.
    for (let batch = 0; batch < 65; batch++) await commitNew([usual, usual]);
    await commitNew([usual, { ...usual, small: -1 }]);
    const isSingle = sent.map((text) => /\$\d+::int2(?!\[)/.test(text));
    expect(isSingle.indexOf(true)).toBe(63); // the 64th batch
    expect(isSingle.slice(63)).toEqual([true, true, false]);
    expect(await stored()).toEqual(expected);
  });

  test('are sent by few statements, and every row of random batches is stored as it was', async () => {
    const batches = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 150, maxLength: 150 });
    for (const batch of fc.sample(batches, { numRuns: 1, seed })[0]!) await commitNew(batch);
    const rows = [...expected.values()].map((row) => ({ ...row, version: 2, small: 3 }));
    for (let at = 0; at < rows.length; at += 3) await commit(rows.slice(at, at + 3), update);
    expect(await stored()).toEqual(expected);
    expect(new Set(sent).size).toBeLessThan(12); // so that they are prepared
  });
});
