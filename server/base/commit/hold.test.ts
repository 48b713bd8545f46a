import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase } from '../../test/harness.ts';
import { commitsAt } from '../places/commits.ts';
import { hasMoved } from '../places/moved.ts';
import type { Places } from '../places/places.ts';
import { type Connection, connect } from '../sql.ts';
import type { Tenant } from '../tenant.ts';
import { type Commits, Committer, claim, insert, type Table, table, type Unit, update } from './index.ts';

type Row = { tenant: Tenant; id: string; version: number };
const orders: Table<Row> = table('orders', { int4: 'tenant version', text: 'id' });

const [shop, other] = [7 as Tenant, 8 as Tenant];
const place = (tenant: Tenant, id: string, version = 1): Row => ({ tenant, id, version });

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let committer: Committer;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query(`
    create table orders (tenant int4, id text, version int4, primary key (tenant, id));
    create table moved (tenant int4);
    create table held (tenants int4[]);
    create function hold(tenants int4[]) returns void language plpgsql as $$
    begin
      insert into held values (tenants);
      if exists (select from moved m where m.tenant = any (tenants)) then
        raise exception 'tenants live elsewhere' using errcode = 'TG001';
      end if;
    end $$`);
  committer = new Committer(database.address, { hold: 'hold' });
});
afterAll(async () => {
  await committer.close();
  await sql.end();
  await database.drop();
});
beforeEach(() => sql.query('truncate orders, moved, held'));

const stored = async () => (await sql.query('select tenant, id, version from orders order by tenant, id')).rows;
const held = async () =>
  (await sql.query<{ tenants: number[] }>('select tenants from held')).rows.map((r) => r.tenants);
const unitOf = (row: Row): Unit => ({ tenant: row.tenant, writes: [insert(orders, row)] });

test('a batch holds each of its tenants once, in the statement that writes it', async () => {
  const rows = [place(shop, 'a'), place(shop, 'b'), place(other, 'c')];
  await Promise.all(rows.map((row) => committer.commit(unitOf(row))));
  expect(await stored()).toEqual(rows);
  expect(await held()).toEqual([[shop, other]]);
});

test('a batch after a conflict holds them too, in the transaction that writes it', async () => {
  await committer.commit(unitOf(place(shop, 'a')));
  await sql.query('truncate held');
  const units: Unit[] = [
    { tenant: shop, writes: [claim(orders, place(shop, 'a'))] },
    { tenant: other, writes: [claim(orders, place(other, 'b'))] },
  ];
  expect(await Promise.all(units.map((unit) => committer.commit(unit)))).toEqual(['conflict', 'committed']);
  expect(await held()).toContainEqual([shop, other]);
});

const forms: [string, (row: Row) => Unit['writes']][] = [
  ['inserts', (row) => [insert(orders, row)]],
  ['claims', (row) => [claim(orders, row)]],
  ['guards that fail', (row) => [update(orders, { ...row, version: 9 })]],
];
test.each(forms)('a batch with a tenant that has moved is refused as a whole: %s', async (_, writes) => {
  await sql.query('insert into moved values ($1)', [other]);
  const units = [place(shop, 'a'), place(other, 'b')].map(
    (row) => ({ tenant: row.tenant, writes: writes(row) }) as Unit,
  );
  const outcomes = await Promise.allSettled(units.map((unit) => committer.commit(unit)));
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && hasMoved(outcome.reason))).toEqual([true, true]);
  expect(await stored()).toEqual([]);
});

test('units are committed where their tenant lives, and those without a tenant in the directory', async () => {
  const committed: [string, Unit][] = [];
  const at = (name: string): { committer: Commits } => ({
    committer: {
      async commit(unit) {
        committed.push([name, unit]);
        return 'committed';
      },
    },
  });
  const [directory, east, west] = [at('directory'), at('east'), at('west')];
  const places: Places<{ committer: Commits }> = {
    directory,
    all: () => [east, west],
    at: (tenant, work) => work(tenant === shop ? east : west),
  };
  const units: Unit[] = [unitOf(place(shop, 'a')), unitOf(place(other, 'b')), { writes: [] }];
  for (const unit of units) await commitsAt(places).commit(unit);
  expect(committed.map(([name]) => name)).toEqual(['east', 'west', 'directory']);
});
