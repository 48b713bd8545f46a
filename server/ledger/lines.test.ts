import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyCharacter } from '../base/any_character.fixture.ts';
import { type Connection, connect } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { leafOf, leafSql, lineColumnsSql, lineOf, type PostingLine } from './lines.ts';

let drop: () => Promise<void>;
let sql: Connection;
beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  sql = await connect(database.address, 'test');
});
afterAll(async () => {
  await sql.end();
  await drop();
});

/** Any text that PostgreSQL accepts, often with characters that are escaped. */
const odd = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom('\\', '\n', 'n', 'N', '\r', '\t', "'", '"', '|', 'é', '漢', '😀', '\u202e', ' ') }),
);
const int8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const line: fc.Arbitrary<PostingLine> = fc.record({
  tenant: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  ...{ id: odd, kind: odd, debit: odd, credit: odd, currency: odd, source: odd },
  amount: int8,
  payment: fc.option(odd),
  reference: fc.option(odd),
  available_on: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  position: int8,
});

const columns = `$1::int4 as tenant, $2::text as id, $3::text as kind, $4::text as debit, $5::text as credit, $6::int8 as amount,
  $7::text as currency, $8::text as source, $9::text as payment, $10::text as reference, $11::date as available_on,
  $12::int8 as position`;

const valuesOf = (one: PostingLine) => [
  ...[one.tenant, one.id, one.kind, one.debit, one.credit, one.amount, one.currency, one.source, one.payment],
  ...[one.reference, one.available_on, one.position],
];

test('SQL and TypeScript make the same leaf of a posting, and its columns are read back unchanged', async () => {
  await sql.query(`set datestyle = 'SQL, DMY'`); // a server may write dates in its own way
  await fc.assert(
    fc.asyncProperty(line, async (one) => {
      const { rows } = await sql.query(
        `select ${lineColumnsSql}, ${leafSql} as leaf from (select ${columns}) postings`,
        valuesOf(one),
      );
      const { leaf, ...back } = rows[0];
      expect(back).toEqual(one);
      expect(leaf.toString('hex')).toBe(leafOf(one).toString('hex'));
      expect(leaf).toHaveLength(16);
    }),
    { numRuns: 300 },
  );
});

test('the text of a posting that was sealed before payments could be null is still the same', async () => {
  const sealed: PostingLine = {
    ...{
      tenant: 7,
      id: 'txn_1',
      kind: 'payment',
      debit: 'processor',
      credit: 'balance',
      amount: '2000',
      currency: 'eur',
    },
    ...{ source: 'py_1', payment: 'py_1', reference: null, available_on: '2027-01-01', position: '812' },
  };
  const credit: PostingLine = { ...sealed, kind: 'credit_granted', source: 'ctx_1', payment: null };
  expect(lineOf(sealed)).toBe('7\ntxn_1\npayment\nprocessor\nbalance\n2000\neur\npy_1\npy_1\n\\N\n2027-01-01\n812\n');
  expect(lineOf(credit)).toBe(
    '7\ntxn_1\ncredit_granted\nprocessor\nbalance\n2000\neur\nctx_1\n\\N\n\\N\n2027-01-01\n812\n',
  );
  const leaves = [sealed, credit].map(async (one) => {
    const { rows } = await sql.query(`select ${leafSql} as leaf from (select ${columns}) postings`, valuesOf(one));
    return rows[0].leaf?.toString('hex');
  });
  expect(await Promise.all(leaves)).toEqual([sealed, credit].map((one) => leafOf(one).toString('hex')));
  expect(leafOf(sealed).toString('hex')).toBe('93f9f5564c11b9812406d4c1ddfc3c1b');
});

test('different postings have different texts, whatever their columns hold', () => {
  const chars = ['\\', '\n', 'n', 'N'];
  const texts = ['', ...chars, ...chars.flatMap((first) => chars.map((second) => first + second))];
  const sample = {
    ...{ tenant: 1, id: 'i', kind: 'k', debit: 'd', credit: 'c', amount: '1', currency: 'eur' },
    ...{ available_on: '2027-01-01', position: '1' },
  };
  const lines = new Set<string>();
  for (const source of texts)
    for (const payment of [null, ...texts])
      for (const reference of [null, ...texts]) lines.add(lineOf({ ...sample, source, payment, reference }));
  expect(lines.size).toBe(texts.length * (texts.length + 1) ** 2);
});

test('every column of a posting is part of its text', async () => {
  const sample: Record<string, unknown> = {
    ...{ tenant: 1, id: 'i', kind: 'k', debit: 'd', credit: 'c', amount: '1', currency: 'eur', source: 's' },
    ...{ payment: 'p', reference: 'r', available_on: '2027-01-01', position: '1' },
  };
  const { rows } = await sql.query(
    `select column_name as name from information_schema.columns where table_name = 'postings' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(sample).sort());
  for (const name of Object.keys(sample))
    expect(lineOf({ ...sample, [name]: '7' } as PostingLine), name).not.toBe(lineOf(sample as PostingLine));
});
