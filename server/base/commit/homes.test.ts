import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { type Connection, connect } from '../sql.ts';
import type { Tenant } from '../tenant.ts';
import { Committer, insert, type Table, table, type Unit } from './index.ts';

type Row = { tenant: Tenant; id: string };
type Person = { id: string };

const orders: Table<Row> = table('orders', { int4: 'tenant', text: 'id' });
const people: Table<Person, 'directory'> = table('people', { home: 'directory', text: 'id', key: ['id'] });
const letters: Table<Row, 'both'> = table('letters', { home: 'both', int4: 'tenant', text: 'id' });

const [shop, other] = [7 as Tenant, 8 as Tenant];
const order = insert(orders, { tenant: shop, id: 'o' });
const person = insert(people, { id: 'p' });
const letter = insert(letters, { tenant: shop, id: 'l' });

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let committer: Committer;
beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query(
    `create table orders (tenant int4, id text); create table people (id text); create table letters (tenant int4, id text)`,
  );
  committer = new Committer(database.address);
});
afterAll(async () => {
  await committer.close();
  await sql.end();
  await database.drop();
});

test('rows of a table that is in both homes are committed with those of a tenant, and with those of the directory', async () => {
  expect(await committer.commit({ tenant: shop, writes: [order, letter] })).toBe('committed');
  expect(await committer.commit({ writes: [person, letter] })).toBe('committed');
  expect((await sql.query('select id from letters')).rows).toHaveLength(2);
});

// What `@ts-expect-error` marks does not compile. It could still be reached by units whose type is not known.
const mixed: [string, Unit][] = [
  // @ts-expect-error
  ['of a tenant with a row of the directory', { tenant: shop, writes: [order, person] }],
  // @ts-expect-error
  ['of the directory with a row of a tenant', { writes: [person, order] }],
  // @ts-expect-error
  ['without a tenant', { writes: [order] }],
  ['with a row of another tenant', { tenant: other, writes: [order] }],
];
test.each(mixed)('a unit %s is refused, and nothing of it is written', async (_, unit) => {
  await sql.query('truncate orders, people');
  await expect(committer.commit(unit)).rejects.toThrow('has a row of another home in');
  expect((await sql.query('select id from orders union all select id from people')).rows).toEqual([]);
});
