import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { query } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { catalog } from '../catalog.ts';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { searchables } from '../operations/extension_points/search.ts';
import { searchIndexes } from '../resources/views/search/indexer.ts';
import { eventually } from '../test/eventually.ts';
import { openWorld } from './cluster.fixture.ts';
import type { OpenPlaces } from './open_places.ts';
import { sqlAt } from './sql_at.ts';

const tenants = Array.from({ length: 20 }, (_, at) => at + 1);

describe.skipIf(withoutCitus)(`the search indexes of places (${needsCitus})`, () => {
  let world: DistributedWorld;
  let places: OpenPlaces;
  beforeAll(async () => {
    world = await DistributedWorld.start({
      async fill(sql) {
        await sql.query(
          `insert into accounts (id, name, tier) select 'acct_' || n, 'shop', 'standard' from generate_series(1, 10) n`,
        );
        await sql.query(
          `insert into tenants (tenant, account, mode) overriding system value
           select 2 * n - m, 'acct_' || n, case m when 0 then 'live' else 'test' end from generate_series(1, 10) n, generate_series(0, 1) m`,
        );
        await sql.query(
          `insert into customers (tenant, id, version, email, name, metadata)
           select n, 'cus_' || lpad(n::text, 22, '0'), 1, 'ada' || n || '@example.com', 'Ada', '{}' from generate_series(1, 20) n`,
        );
      },
    });
    places = await openWorld(world);
  });
  afterAll(async () => {
    await places?.close();
    await world?.stop();
  });

  /** The tenants whose objects are in the index of each place, or still to be gone through. */
  async function indexed(): Promise<number[]> {
    const found: number[] = [];
    for (const place of places.all()) {
      const text = 'select tenant from search_walks union select tenant from search_objects';
      const here = (await query<{ tenant: Tenant }>(place.reads, text, [])).map(({ tenant }) => tenant);
      for (const tenant of here) expect(places.of(tenant).name).toBe(place.name);
      found.push(...here);
    }
    return found.sort((one, other) => one - other);
  }

  const clock = { now: Date.now, monotonic: () => performance.now(), ahead: () => 0 };

  /** Runs until each place has begun. Those of one server take turns. */
  async function fill(): Promise<void> {
    const services = { leases: sqlAt(places, 'leases'), clock, log: silentLog };
    const loop = searchIndexes(services, catalog.extensionsOf(searchables));
    await eventually(async () => {
      await loop.run(new AbortController().signal, () => {});
      for (const { reads } of places.all())
        expect(await query(reads, 'select from search_position', [])).toHaveLength(1);
    });
  }

  test('have the tenants of their place alone, and are filled anew where these go', async () => {
    await fill();
    expect(await indexed()).toEqual(tenants);
    const moved = tenants[0] as Tenant;
    const positions = () => places.at(moved, ({ reads }) => query(reads, 'select from search_position', []));
    expect(await positions()).toHaveLength(1);
    await world.arrived(await world.move(await world.rangeOf(moved)));
    await places.at(moved, ({ reads }) => query(reads, 'select from customers limit 1', [])); // any read notices it
    expect(await positions()).toEqual([]);
    await fill();
    expect(await positions()).toHaveLength(1);
    expect(await indexed()).toEqual(tenants);
  });
});
