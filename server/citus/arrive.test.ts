import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Committer, insert, update } from '../base/commit/index.ts';
import { type Connection, sqlState } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { joinOwnSchema } from '../database.ts';
import { eventually } from '../test/eventually.ts';
import { arrive, prepareArrival } from './arrive.ts';
import { needsCitus, withoutCitus } from './cluster.fixture.ts';
import { DistributedWorld } from './distributed.fixture.ts';
import { tidyNode } from './leave.ts';
import { hook, hooksTable, paymentUnit, placeCommitter } from './place.fixture.ts';
import { placeSchema, type ShardRange } from './shards.ts';

const stateOf = (doing: Promise<unknown>) =>
  doing.then(
    () => 'done',
    (error) => sqlState(error.cause ?? error) ?? String(error),
  );

describe.skipIf(withoutCitus)(`a place (${needsCitus})`, () => {
  let world: DistributedWorld;
  /** Of two ranges on different servers: its tenants, and connections of its place. */
  let [here, there]: { range: ShardRange; tenants: Tenant[]; place: Connection; owner: Connection }[] = [];
  beforeAll(async () => {
    world = await DistributedWorld.start();
    const { ranges } = await world.topology();
    const open = async (range: ShardRange) => {
      const owner = await world.owner(range);
      const { rows } = await owner.query<{ t: Tenant }>(
        'select t from generate_series(1, 200) t where hashint4(t) between $1 and $2',
        [range.min, range.max],
      );
      return { range, owner, tenants: rows.map(({ t }) => t), place: await world.place(range) };
    };
    [here, there] = [await open(ranges[0]!), await open(ranges[1]!)];
  });
  afterAll(() => world?.stop());

  test('is made once, by whoever comes first', async () => {
    const { ranges } = await world.topology();
    const range = ranges[2]!;
    const owners: Connection[] = [];
    for (let at = 0; at < 4; at++) owners.push(await world.owner(range));
    const made = await Promise.all(owners.map((sql) => arrive(sql, range.shard)));
    expect(made.toSorted()).toEqual(['made', 'there', 'there', 'there']);
    expect(await arrive(owners[0]!, range.shard)).toBe('there');
  });

  test('is made where its rows are being copied to, and is closed until they are there', async () => {
    const range = (await world.topology()).ranges[3]!;
    const { rows } = await (await world.owner(range)).query<{ t: Tenant }>(
      'select t from generate_series(1, 200) t where hashint4(t) between $1 and $2',
      [range.min, range.max],
    );
    const isOver = { value: false };
    const moving = world.move(range).finally(() => {
      isOver.value = true;
    });
    const coming = await eventually(async () => {
      const [found] = (await world.topology()).coming;
      if (found === undefined) throw new Error('nothing is coming');
      return found;
    });
    expect(coming.shard).toBe(range.shard);
    const target = await world.owner({ ...range, group: coming.group });
    const madeRows = `select arrived_at from local.places where shard = ${range.shard}`;
    await eventually(async () => {
      await prepareArrival(target, range.shard);
      expect((await target.query(madeRows)).rows).toEqual([{ arrived_at: null }]);
    });
    expect(isOver.value).toBe(false);
    const schema = placeSchema(range.shard);
    expect(await stateOf(target.query(`set search_path = ${schema}, local; select count(*) from payments`))).toBe(
      'TG001',
    );
    expect(await stateOf(target.query(`select ${schema}.hold('{${rows[0]!.t}}')`))).toBe('TG001');
    await target.query('reset search_path');
    const moved = await moving;
    await prepareArrival(target, range.shard);
    expect((await target.query(madeRows)).rows).toEqual([{ arrived_at: null }]);
    expect(await arrive(target, range.shard)).toBe('made');
    expect(await arrive(target, range.shard)).toBe('there');
    const place = await world.place(moved);
    expect(
      (
        await place.query(
          'select (select count(*) from payments) as payments, (select count(*) from arrivals) as arrivals',
        )
      ).rows,
    ).toEqual([{ payments: 0, arrivals: 1 }]);
    expect((await world.topology()).coming).toEqual([]);
  });

  test('is not made where the shard is not', async () => {
    expect(await stateOf(arrive(here!.owner, there!.range.shard))).toBe('TG001');
  });

  test('has the tables of the product by their plain names, and the migrations that every new connection checks', async () => {
    await joinOwnSchema(here!.place);
    const { rows } = await here!.place.query('select current_user as role, current_schemas(false)::text as path');
    const { shard } = here!.range;
    expect(rows[0]).toEqual({ role: `tollgate_place_${shard}`, path: `{place_${shard},local}` });
    const empty = ['payments', 'requests', 'vault_contents', 'simulator_charges', 'search_position'];
    const counts = empty.map((name) => `(select count(*) from ${name})`).join(' + ');
    expect(
      (await here!.place.query(`select ${counts} as n, (select count(*) from ledger_sealer) as one`)).rows,
    ).toEqual([{ n: 0, one: 1 }]);
  });

  test('sees neither the shards nor another place', async () => {
    const { shard } = here!.range;
    expect(await stateOf(here!.place.query(`select from public.payments_${shard}`))).toBe('42501');
    expect(await stateOf(here!.place.query('select from public.payments'))).toBe('42501');
    const other = (await world.topology()).ranges.find(
      ({ shard: id, group }) => id !== shard && group === here!.range.group,
    )!;
    await arrive(here!.owner, other.shard);
    expect(await stateOf(here!.place.query(`select from ${placeSchema(other.shard)}.payments`))).toBe('42501');
  });

  test('takes the commits of its tenants: claims, guards, inserts', async () => {
    const [tenant, neighbour] = here!.tenants as [Tenant, Tenant];
    const committer = placeCommitter(await world.arrived(here!.range));
    const units = Array.from({ length: 40 }, (_, at) => paymentUnit(at % 2 === 0 ? tenant : neighbour));
    const verdicts = await Promise.all([...units, units[0]!].map((unit) => committer.commit(unit).catch(String)));
    expect(verdicts.filter((verdict) => verdict === 'committed')).toHaveLength(40);
    expect(verdicts.at(-1)).toBe('conflict');
    const save = (version: number) => ({ tenant, writes: [update(hooksTable, hook(tenant, 'we_1', version))] });
    await committer.commit({ tenant, writes: [insert(hooksTable, hook(tenant, 'we_1', 1))] });
    expect(await committer.commit(save(2))).toBe('committed');
    expect(await committer.commit(save(2))).toBe('conflict');
    await committer.close();
    const counted = 'select count(*)::int as n from postings where tenant = any ($1)';
    expect((await world.sql.query(counted, [[tenant, neighbour]])).rows[0].n).toBe(40);
    expect((await here!.place.query(counted, [[tenant, neighbour]])).rows[0].n).toBe(40);
  });

  test.each([
    ['a tenant of another place', () => there!.tenants[0]!],
    ['no tenant', () => null as unknown as Tenant],
  ])('refuses a commit with %s', async (_, tenantOf) => {
    const tenant = tenantOf();
    expect(await stateOf(here!.place.query('select hold($1::int4[])', [[here!.tenants[0], tenant]]))).toBe('TG002');
    const committer = new Committer(await world.arrived(here!.range), { hold: 'hold' });
    expect(await stateOf(committer.commit(paymentUnit(tenant)))).toBe(tenant === null ? '23502' : 'TG002');
    await committer.close();
    expect((await here!.place.query('select from postings where tenant = $1', [tenant])).rowCount).toBe(0);
  });

  test('numbers what the tables of one PostgreSQL number by themselves', async () => {
    const text = `insert into audit (tenant, actor, action) values ($1, 'test', 'test') returning id`;
    const ids = [];
    for (const tenant of here!.tenants.slice(0, 3)) ids.push((await here!.place.query(text, [tenant])).rows[0].id);
    expect(ids).toEqual([1, 2, 3]);
  });

  test('sees the security codes of its own tenants alone, in a table of the node', async () => {
    const other = (await world.topology()).ranges.find(
      ({ shard, group }) => shard !== here!.range.shard && group === here!.range.group,
    )!;
    const neighbour = await world.place(other);
    const text = `insert into vault_cvcs (tenant, id, key_version, sealed, expires_at) values ($1, 'pm_1', 1, '\\x00', now() + $2::interval)`;
    await here!.place.query(text, [here!.tenants[0], '10 minutes']);
    expect(await stateOf(neighbour.query(text, [here!.tenants[1], '10 minutes']))).toBe('44000');
    expect((await here!.place.query('select id from vault_cvcs')).rowCount).toBe(1);
    expect((await neighbour.query('select id from vault_cvcs')).rowCount).toBe(0);
    expect(
      (await here!.place.query('delete from vault_cvcs where ctid = any (array(select ctid from vault_cvcs))'))
        .rowCount,
    ).toBe(1);
    await here!.place.query(text, [here!.tenants[0], '-1 minutes']);
    await tidyNode(here!.owner);
    expect((await here!.place.query('select id from vault_cvcs')).rowCount).toBe(0);
  });

  test('an insert into a distributed table, past a place, has no position', async () => {
    const text = `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
      values ($1, 'txn_x', 'payment', 'processor', 'balance', 1, 'eur', 'py_x', 'py_x', '2027-01-10')`;
    expect(await stateOf(world.sql.query(text, [here!.tenants[0]]))).toBe('23502');
  });

  test('is refreshed after a migration that servers can live with', async () => {
    const named = 'select count(phone_note) from customers';
    expect(await stateOf(here!.place.query(named))).toBe('42703');
    await world.sql.query(
      'alter table customers add column phone_note text; create table extras (tenant int4, id text, primary key (tenant, id))',
    );
    await world.sql.query(`select create_distributed_table('extras', 'tenant', colocate_with => 'public.payments')`);
    await world.sql.query('alter table search_position add column probe int4 not null default 7');
    await world.prepare();
    expect(await arrive(here!.owner, here!.range.shard)).toBe('renewed');
    expect(await arrive(here!.owner, here!.range.shard)).toBe('there');
    expect(await stateOf(here!.place.query(named))).toBe('done');
    expect(await stateOf(here!.place.query('select from extras, search_position where probe = 7'))).toBe('done');
    const columns = `select attname as name from pg_attribute where attrelid = 'customers'::regclass and attnum > 0 order by attnum`;
    const names = (await here!.place.query(columns)).rows.map(({ name }) => name);
    expect([names[0], names[1], names.at(-1)]).toEqual(['ctid', 'xmin', 'phone_note']);
  });

  test('leaves no security code behind, and finds none when it comes back', async () => {
    const { range, owner, tenants } = here!;
    const text = `insert into vault_cvcs (tenant, id, key_version, sealed, expires_at) values ($1, 'pm_1', 1, '\\x00', now() + interval '10 minutes')`;
    const left = async () => (await owner.query('select from local.vault_cvcs')).rowCount;
    const awayAndBack = async (meanwhile: () => Promise<unknown>) => {
      await (await world.place(range)).query(text, [tenants[0]]);
      const away = await world.move(range);
      expect(await left()).toBe(1);
      await meanwhile();
      await world.sql.query('call citus_cleanup_orphaned_resources()');
      await world.move(away);
    };
    await awayAndBack(() => tidyNode(owner));
    expect(await left()).toBe(0);
    await awayAndBack(async () => {});
    expect((await (await world.place(range)).query('select from vault_cvcs')).rowCount).toBe(0);
    expect(await left()).toBe(0);
  });
});
