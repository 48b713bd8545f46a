import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../base/migration.ts';
import { joinSchema } from '../base/schema_lock.ts';
import { type Connection, connect, sqlState } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { adoptLedger, joinOwnSchema, migrateOwn, prepareSchema } from '../database.ts';
import { arrive } from './arrive.ts';
import { needsCitus, withoutCitus } from './cluster.fixture.ts';
import { distributionState } from './distribute.ts';
import { DistributedWorld } from './distributed.fixture.ts';
import { hashOf } from './hash.ts';
import { openSessions } from './migrate.ts';
import { nodeAddress } from './nodes.ts';
import { paymentUnit, placeCommitter } from './place.fixture.ts';
import { placeSchema, type ShardRange } from './shards.ts';

const own = join(import.meta.dirname, '../migrations');
const rolling = '-- tollgate: rolling\n';
const apart = '-- tollgate: no transaction\n';

describe.skipIf(withoutCitus)(`migrations of a cluster (${needsCitus})`, () => {
  let world: DistributedWorld;
  let ranges: readonly ShardRange[];
  let tenants: Tenant[];
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
  let number = 900;
  beforeAll(async () => {
    cpSync(own, folder, { recursive: true });
    world = await DistributedWorld.start();
    ({ ranges } = await world.topology());
    tenants = ranges.map(({ min, max }) => {
      for (let tenant = 1; ; tenant++)
        if (hashOf(tenant as Tenant) >= min && hashOf(tenant as Tenant) <= max) return tenant as Tenant;
    });
    for (const [at, range] of ranges.entries()) {
      const committer = placeCommitter(await world.arrived(range));
      for (let times = 0; times < 3; times++)
        expect(await committer.commit(paymentUnit(tenants[at]!))).toBe('committed');
      await committer.close();
      const place = await world.place(range);
      await place.query(
        `insert into customers (tenant, id, version, metadata, name, phone) values ($1, 'cus_1', 1, '{}', 'Ada', '0049 30')`,
        [tenants[at]],
      );
      await place.query(`insert into audit (tenant, actor, action) values ($1, 'test', 'test')`, [tenants[at]]);
      await place.query(`insert into search_position (xact, id, since) values (1, '', 1)`);
      await place.end();
    }
    await world.sql.query(`insert into directory.audit (actor, action) values ('test', 'of the directory')`);
  });
  afterAll(async () => {
    await world?.stop();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.end();
  });

  const opened: Connection[] = [];
  const lines: string[] = [];
  const run = (client = world.sql) => migrateOwn(client, world.address, (line) => void lines.push(line), folder);
  const add = (text: string) => {
    const name = `${String(++number).padStart(4, '0')}_test.sql`;
    writeFileSync(join(folder, name), text);
    return name;
  };
  /** Runs a migration that nobody can be connected during. */
  const migrated = async (text: string) => {
    const name = add(text);
    expect(await run()).toEqual([name]);
  };
  const place = async (at: number) => {
    const range = ranges[at]!;
    const { group } = await world.rangeOf(tenants[at]!);
    const sql = await connect(await world.arrived({ ...range, group }), 'test');
    opened.push(sql);
    return sql;
  };
  /** What a statement returns at each place; a place is made again by the migration itself, and not by who looks. */
  const everywhere = async (text: string) => {
    const found = [];
    for (const [at, range] of ranges.entries()) {
      const owner = await world.owner(range);
      expect(await arrive(owner, range.shard)).toBe('there');
      found.push((await (await place(at)).query(text)).rows);
    }
    return found;
  };
  const stateOf = (doing: Promise<unknown>) =>
    doing.then(
      () => 'done',
      (error) => sqlState(error.cause ?? error) ?? String(error),
    );
  /** A connection as a server has it at a place. */
  const server = async (at: number) => {
    const sql = await place(at);
    await joinSchema(sql, readMigrations(folder));
    return sql;
  };

  test('add a column while servers write, and each place has it', async () => {
    const writer = await server(0);
    await migrated(`${rolling}alter table customers add column if not exists nickname text default 'none'`);
    await writer.query(`update customers set nickname = 'A' where tenant = $1`, [tenants[0]]);
    expect(await everywhere('select name, nickname, phone from customers')).toEqual(
      ranges.map((_, at) => [{ name: 'Ada', nickname: at === 0 ? 'A' : 'none', phone: '0049 30' }]),
    );
    await joinSchema(writer, readMigrations(folder));
    const topology = await world.topology();
    for (const node of topology.nodes.values()) {
      const sql = await connect(nodeAddress(world.address, node), 'test');
      const { rows } = await sql.query('select count(*) as n from local.migrations');
      expect(rows[0].n).toBe(readMigrations(folder).length);
      await sql.end();
    }
  });

  test('add indexes and constraints, one statement after the other', async () => {
    await migrated(`${rolling}${apart}
create index concurrently if not exists customers_by_nickname on customers (tenant, nickname);
alter table customers add constraint customers_named check (nickname <> '') not valid;
alter table customers validate constraint customers_named;`);
    const broken = `insert into customers (tenant, id, version, metadata, nickname) values (${tenants[0]}, 'cus_2', 1, '{}', '')`;
    expect(await stateOf((await place(0)).query(broken))).toBe('23514');
  });

  test('drop a column, and change the type of another, which views would keep them from', async () => {
    await migrated(`alter table customers drop column nickname;
      alter table customers alter column phone type varchar(40);
      alter table search_position add column probe int4 not null default 3`);
    await migrated('alter table search_position alter column probe type text');
    const columns = `select (select count(*) from customers where phone = '0049 30') as n,
      array(select attname::text from pg_attribute where attrelid = 'customers'::regclass and attname in ('nickname', 'phone')) as columns,
      (select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'customers'::regclass and attname = 'phone') as type,
      (select probe from search_position) as probe`;
    expect(await everywhere(columns)).toEqual(
      ranges.map(() => [{ n: 1, columns: ['phone'], type: 'character varying(40)', probe: '3' }]),
    );
  });

  test('leave the ledger of each place where it was', async () => {
    const committer = placeCommitter(await world.arrived(ranges[1]!));
    expect(await committer.commit(paymentUnit(tenants[1]!))).toBe('committed');
    await committer.close();
    const text = `select count(*) as n, max(position) filter (where position <> last) < last as ascends from postings,
      lateral (select max(position) as last from postings) l group by last`;
    expect((await everywhere(text))[1]).toEqual([{ n: 4, ascends: true }]);
  });

  test('make tables of tenants, which are distributed, and tables of the directory, which stay', async () => {
    await migrated(`${rolling}create table extras (
        tenant int4 not null references tenants, payment text collate "C", id text collate "C" not null, number int8 generated always as identity,
        primary key (tenant, id), foreign key (tenant, payment) references payments (tenant, id));
      alter table customers add column extra text collate "C";
      alter table customers add constraint customers_extra foreign key (tenant, extra) references extras (tenant, id) not valid;
      create table plans (id text primary key, tenants int4 not null)`);
    const insert = `insert into extras (tenant, id) values ($1, 'x') returning number`;
    for (const [at, tenant] of tenants.entries())
      expect((await (await place(at)).query(insert, [tenant])).rows).toEqual([{ number: 1 }]);
    expect(await everywhere('select count(*) as n from extras')).toEqual(ranges.map(() => [{ n: 1 }]));
    const { rows } = await world.sql.query(
      `select logicalrelid::text as name, partmethod as how from pg_dist_partition where logicalrelid::text in ('extras', 'plans')`,
    );
    expect(rows).toEqual([{ name: 'extras', how: 'h' }]);
  });

  test('change tables that the directory has too, in both', async () => {
    await migrated(`${rolling}${apart}alter table audit add column if not exists place text;
create index concurrently if not exists audit_by_place on audit (tenant, place);
alter table person_mails add column if not exists region text default 'eu';`);
    await migrated('alter table audit drop column place; drop index person_mails_due');
    await migrated(`${rolling}alter table audit add column if not exists place int4 not null default 7`);
    expect((await world.sql.query('select action, place from directory.audit')).rows).toEqual([
      { action: 'of the directory', place: 7 },
    ]);
    expect(await everywhere('select action, place from audit')).toEqual(
      ranges.map(() => [{ action: 'test', place: 7 }]),
    );
    expect((await world.sql.query('select region from directory.person_mails')).rows).toEqual([]);
    const indexes = `select relname as name from pg_class c where relkind in ('i', 'I') and relname in ('person_mails_due', 'audit_by_place')`;
    expect((await world.sql.query(indexes)).rows).toEqual([]);
  });

  test('go on where a run was interrupted between its statements and the places', async () => {
    const name = add(`${rolling}alter table customers add column late text`);
    const { text, checksum } = readMigrations(folder).at(-1)!;
    await world.sql.query(text);
    await world.sql.query('insert into migrations (name, checksum, rolling) values ($1, $2, true)', [name, checksum]);
    expect(await run()).toEqual([]);
    expect(await everywhere('select late from customers')).toEqual(ranges.map(() => [{ late: null }]));
  });

  test('are refused as a whole when a statement fails, and the places serve on', async () => {
    const name = add('alter table customers drop column late; select 1 / 0');
    await expect(run()).rejects.toThrow(`the migration ${name} failed: division by zero`);
    rmSync(join(folder, name));
    expect(await everywhere('select late from customers')).toEqual(ranges.map(() => [{ late: null }]));
  });

  test('wait for no lock of a worker for longer than they may', async () => {
    const holder = await world.owner(ranges[2]!);
    await holder.query(`begin; select from public.customers_${await shardOfCustomers(ranges[2]!)}`);
    const name = add(`${rolling}alter table customers add column waited text`);
    const running = run();
    await expect.poll(() => lines.some((line) => line.includes('Trying again')), { timeout: 20_000 }).toBe(true);
    await holder.query('rollback');
    expect(await running).toEqual([name]);
  });

  async function shardOfCustomers({ min }: ShardRange): Promise<number> {
    const { rows } = await world.sql.query(
      `select shardid from pg_dist_shard where logicalrelid = 'customers'::regclass and shardminvalue::int4 = $1`,
      [min],
    );
    return rows[0].shardid;
  }

  test('that are not rolling are refused while a server is connected to any node, and keep new ones out', async () => {
    const connected = await server(3);
    const name = add('alter table customers drop column waited');
    await expect(run()).rejects.toThrow(
      /cannot run while servers are connected: process \d+ on 127\.0\.0\.1 \(1 connection/,
    );
    await connected.end();
    expect(await run()).toEqual([name]);
    expect(await everywhere('select count(*) as n from customers')).toEqual(ranges.map(() => [{ n: 1 }]));
    await expect(place(3).then(joinOwnSchema)).rejects.toThrow('which this version does not know');
  });

  test('keep places from being made while they drop views', async () => {
    const owner = await world.owner(ranges[0]!);
    const other = await world.owner(ranges[0]!);
    await owner.query('select pg_advisory_lock(1880185934)'); // as a migration does
    await other.query(`update local.places set layout = '' where shard = $1`, [ranges[0]!.shard]);
    await expect(arrive(other, ranges[0]!.shard)).rejects.toThrow('a migration is running');
    await owner.query('select pg_advisory_unlock_all()');
    expect(await arrive(other, ranges[0]!.shard)).toBe('renewed');
  });

  test('go on with the ledger of a place whose server was restored on another one', async () => {
    expect(await adoptLedger(world.sql, world.address, () => {})).toBe(false);
    const owner = await world.owner(ranges[1]!);
    await owner.query(
      `update ${placeSchema(ranges[1]!.shard)}.ledger_sealer set sealed_to = offset_by + 1000000000 + pg_current_xact_id()::text::int8`,
    );
    expect(await adoptLedger(world.sql, world.address, () => {})).toBe(true);
    expect(await adoptLedger(world.sql, world.address, () => {})).toBe(false);
    const committer = placeCommitter(await world.arrived(ranges[1]!));
    expect(await committer.commit(paymentUnit(tenants[1]!))).toBe('committed');
    await committer.close();
    const above = 'select max(position) >= sealed_to as above from postings, ledger_sealer group by sealed_to';
    expect((await everywhere(above))[1]).toEqual([{ above: true }]);
  });

  test('and servers are refused, by name, where a node is down or the tables are in between', async () => {
    const worker = world.cluster.nodes[2]!;
    add(`${rolling}alter table customers add column unreached text`);
    await world.cluster.endNode(worker);
    onTestFinished(() => world.cluster.startNode(worker));
    await expect(run()).rejects.toThrow(`the server 127.0.0.1:${worker.port} of the cluster does not answer`);
    expect((await openSessions(world.sql, world.address).catch(String)) as string).toContain('all are needed');
    await world.sql.query(`delete from local.distribution where step = 'complete'`);
    expect(await distributionState(world.sql)).toBe('unfinished');
    await expect(run()).rejects.toThrow('Run: tollgate places distribute');
    const config = { database: { kind: 'url' } } as Parameters<typeof prepareSchema>[1]['config'];
    await expect(prepareSchema(world.sql, { config, address: world.address })).rejects.toThrow('which is not finished');
    await world.sql.query(`insert into local.distribution (step) values ('complete')`);
  });
});
