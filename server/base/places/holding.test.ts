import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { type Connection, connect, openPool, type Pool, query } from '../sql.ts';
import { writes } from './holding.ts';

test.each([
  ['insert into things (tenant) values ($1)', true],
  ['update things set version = version + 1 where tenant = $1', true],
  ['delete from things\n where tenant = $1', true],
  ['with due as (select id from things for update skip locked)\n update things t set state = 1 from due', true],
  ['with gone as (delete from things where tenant = $1 returning id) select count(*) from gone', true],
  ['insert into things (tenant) values ($1) on conflict (tenant) do update set version = 2', true],
  ['select id from things where tenant = $1', false],
  ['select id from things where tenant = $1 for update', false],
  ['select id from things where tenant = $1 for no key update skip locked', false],
  ['select t.id from things t join others o using (id) for update of t', false],
  ['select updated_at, deleted_from, insert_into from things', false],
])('%s', (text, isWriting) => {
  expect(writes.test(text)).toBe(isWriting);
});

describe('each write of a pool holds its place', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let sql: Connection;
  let pool: Pool;
  beforeAll(async () => {
    database = await createDatabase();
    sql = await connect(database.address, 'test');
    await sql.query(`
      create table things (id int4 primary key, size int4);
      create table holds (allowed bool);
      create sequence held;
      create function hold(tenants int4[]) returns int4 language plpgsql as $$
      begin
        perform nextval('held');
        if exists (select from holds where not allowed) then raise exception 'gone' using errcode = 'TG001'; end if;
        return 1;
      end $$`);
    pool = openPool(database.address, { use: 'durable', connectionsMax: 1, hold: 'hold', onError: () => {} });
  });
  afterAll(async () => {
    await pool.end();
    await sql.end();
    await database.drop();
  });
  beforeEach(() =>
    sql.query(`truncate things, holds; alter sequence held restart; insert into things values (1, 10), (2, 20)`),
  );

  const stored = async () => (await sql.query('select id, size from things order by id')).rows;
  const held = async () => Number((await sql.query(`select nextval('held') - 1 as times`)).rows[0].times);
  const before = [
    { id: 1, size: 10 },
    { id: 2, size: 20 },
  ];

  describe.each([
    ['prepared', 'statement_name'],
    ['not prepared', undefined],
  ])('%s', (_, prefix) => {
    test.each([
      ['insert into things values ($1, 30)', [3], [], [...before, { id: 3, size: 30 }]],
      [
        'insert into things values ($1, 30) returning id as made, size',
        [3],
        [{ made: 3, size: 30 }],
        [...before, { id: 3, size: 30 }],
      ],
      [
        'update things t set size = size + 1 where id = $1 returning t.size',
        [2],
        [{ size: 21 }],
        [before[0], { id: 2, size: 21 }],
      ],
      ['update things set size = 0 where id = $1 returning id', [9], [], before],
      ['delete from things where id = $1', [2], [], [before[0]]],
      [
        'with gone as (delete from things where id = $1 returning id) select id from gone',
        [2],
        [{ id: 2 }],
        [before[0]],
      ],
    ] as const)('%s', async (text, values, rows, after) => {
      const name = prefix && `${prefix}_${text.length}`;
      for (const times of [1, 2]) {
        if (times === 2) await sql.query('truncate things; insert into things values (1, 10), (2, 20)');
        expect(await query(pool, text, values, name)).toEqual(rows);
        expect(await stored()).toEqual(after);
        expect(await held()).toBe(1);
        await sql.query('alter sequence held restart');
      }
      await sql.query('truncate things; insert into things values (1, 10), (2, 20); insert into holds values (false)');
      await expect(query(pool, text, values, name)).rejects.toMatchObject({ code: 'TG001' });
      expect(await stored()).toEqual(before);
    });
  });

  test('and what only reads does not', async () => {
    expect(await query(pool, 'select id from things where id = $1', [1], 'reading')).toEqual([{ id: 1 }]);
    expect(await held()).toBe(0);
  });
});
