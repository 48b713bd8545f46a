import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { type Connection, connect } from '../sql.ts';
import { arrayLiteral } from './array_literal.ts';
import { rowSource } from './row_source.ts';
import type { ColumnType } from './unit.ts';

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

/** The values as PostgreSQL reads them. */
async function read(type: ColumnType, cells: readonly unknown[]): Promise<unknown[]> {
  if (type === 'json') return readJson(cells);
  const result = await sql.query(`select x from unnest($1::${type}[]) with ordinality as u (x, n) order by n`, [
    arrayLiteral(type, cells),
  ]);
  return result.rows.map((row) => row.x);
}

/** JSON is not sent as an array. */
async function readJson(cells: readonly unknown[]): Promise<unknown[]> {
  const source = rowSource(['c', 'n'], { c: 'json', n: 'int4' }, 1);
  const rows = cells.map((c, n) => ({ kind: 'insert', table: {} as never, row: { c, n } }) as const);
  const text = `select ${source.expression('c')} as c from ${source.from} order by x.n`;
  return (await sql.query(text, source.values(rows))).rows.map((row) => row.c);
}

describe('an array literal is read back unchanged by PostgreSQL', () => {
  const texts = [
    '',
    ' ',
    'null',
    'NULL',
    '{}',
    '{a,b}',
    'a,b',
    '"',
    '\\',
    '\\"',
    "'",
    '\n\r\t',
    '🧾',
    '$1',
    '\\x00',
    '\u0001',
  ];
  const cases: [ColumnType, unknown[]][] = [
    ['text', []],
    ['text', texts],
    ['text', [null, 'a', undefined, null]],
    ['int2', [0, -1, 32_767, null]],
    ['int4', [0, -2_147_483_648, null]],
    ['int8', [0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]],
    ['bool', [true, false, null]],
    ['timestamptz', [new Date(0), new Date('2026-03-01T12:00:00.123Z'), null]],
    ['json', [{}, [], 'text', 0, true, { 'a"b\\': ['{', null] }, null]],
  ];
  test.each(cases)('%s: %j', async (type, cells) => {
    expect(await read(type, cells)).toEqual(cells.map((cell) => cell ?? null));
  });

  const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0'));
  const syntax = fc.string({ unit: fc.constantFrom('"', '\\', ',', '{', '}', ' ', "'", 'N', '\n') });

  test('works for any texts', async () => {
    const cell = fc.option(fc.oneof(text, syntax));
    await fc.assert(
      fc.asyncProperty(fc.array(cell), async (cells) => {
        expect(await read('text', cells)).toEqual(cells);
      }),
    );
  });

  test('works for any JSON', async () => {
    const value = fc.jsonValue({ stringUnit: 'grapheme' }).filter((each) => each !== null);
    await fc.assert(
      fc.asyncProperty(fc.array(value), async (cells) => {
        expect(JSON.stringify(await read('json', cells))).toBe(JSON.stringify(cells));
      }),
    );
  });
});

test('bytes are refused', () => {
  expect(() => arrayLiteral('bytea', [Buffer.of(1)])).toThrow('one binary parameter');
});
