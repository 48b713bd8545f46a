import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacedBatcher } from '../base/places/batchers.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import { query } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { isolateTenant } from '../citus/isolate.ts';
import { apartTenants, openWorld } from './cluster.fixture.ts';
import type { OpenPlaces } from './open_places.ts';
import { sqlAt } from './sql_at.ts';

const text = `insert into simulator_news (tenant, id, kind, attempt, authorization_attempt, at) values ($1, $2, 'dispute', 'a', 'b', now())`;
const texts = text.replace(
  /values .*/,
  `select x.tenant, x.id, 'dispute', 'a', 'b', now() from unnest($1::int4[], $2::text[]) as x (tenant, id)`,
);

describe.skipIf(withoutCitus)(`writes beside the committer (${needsCitus})`, () => {
  let world: DistributedWorld;
  let places: OpenPlaces;
  let durable: SqlAt;
  let [tenant, other]: Tenant[] = [];
  beforeAll(async () => {
    world = await DistributedWorld.start();
    places = await openWorld(world);
    durable = sqlAt(places, 'durable');
    [tenant, other] = await apartTenants(world);
  });
  afterAll(async () => {
    await places?.close();
    await world?.stop();
  });

  const stored = async (of: Tenant) => {
    const rows = 'select id from simulator_news where tenant = $1';
    return (await durable.at(of, (sql) => query<{ id: string }>(sql, rows, [of]))).map(({ id }) => id);
  };
  const move = async () => void (await world.arrived(await world.move(await world.rangeOf(tenant!))));

  test('are not lost where a tenant has moved, and nobody has noticed it', async () => {
    await durable.at(tenant!, (sql) => query(sql, text, [tenant, 'before']));
    await move();
    await durable.at(tenant!, (sql) => query(sql, text, [tenant, 'after']));
    expect(await stored(tenant!)).toEqual(['before', 'after']);
  });

  test('are not lost while tenants move', async () => {
    const batcher = new PlacedBatcher<{ of: Tenant; id: string }, boolean>(durable, {
      itemsMax: 10,
      tenantOf: ({ of }) => of,
      async run(sql, items) {
        await query(sql, texts, [items.map(({ of }) => of), items.map(({ id }) => id)]);
        return items.map(() => true);
      },
    });
    const acknowledged = new Map([tenant!, other!].map((of) => [of, [] as string[]]));
    let isMoving = true;
    const write = async (writer: number) => {
      const of = writer % 2 === 0 ? tenant! : other!;
      for (let count = 0; isMoving; count++) {
        const id = `during_${writer}_${count}`;
        await batcher.add({ of, id });
        acknowledged.get(of)!.push(id);
      }
    };
    const writers = Promise.all([0, 1, 2, 3].map(write));
    await move();
    isMoving = false;
    await writers;
    for (const [of, ids] of acknowledged) {
      expect(ids.length).toBeGreaterThan(10);
      expect((await stored(of)).filter((id) => id.startsWith('during')).toSorted()).toEqual(ids.toSorted());
    }
  });

  test('of a transaction are all there, or none', async () => {
    const put = (id: string, isKept: boolean) =>
      durable.transaction(tenant!, async (client) => {
        await query(client, text, [tenant, id]);
        return { isKept, result: id };
      });
    await put('undone', false);
    await move();
    expect(await put('kept', true)).toBe('kept');
    expect((await stored(tenant!)).filter((id) => ['undone', 'kept'].includes(id))).toEqual(['kept']);
  });

  test('go on where a shard was split, whose old number Citus does not know any more', async () => {
    const before = await stored(tenant!);
    await isolateTenant(world.sql, tenant!);
    await durable.at(tenant!, (sql) => query(sql, text, [tenant, 'after a split']));
    expect((await stored(tenant!)).toSorted()).toEqual([...before, 'after a split'].toSorted());
  });

  test('of the installation are in the directory, which does not move', async () => {
    const installation = 0 as Tenant;
    await durable.at(installation, (sql) =>
      query(sql, 'insert into mail_minutes (minute, used) values (now(), 1)', []),
    );
    expect((await world.sql.query('select from mail_minutes')).rowCount).toBe(1);
  });
});
