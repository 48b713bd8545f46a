import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insert } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import { commitsAt } from '../base/places/commits.ts';
import { readPosition, type TailPosition, writePosition } from '../base/position.ts';
import { Reads } from '../base/reads.ts';
import type { Tenant } from '../base/tenant.ts';
import { needsCitus, withoutCitus } from '../citus/cluster.fixture.ts';
import { DistributedWorld } from '../citus/distributed.fixture.ts';
import { eventsTable } from '../outbox/event.ts';
import { readChanges, readNow } from '../resources/events/changes/read.ts';
import { eventually } from '../test/eventually.ts';
import { openWorld } from './cluster.fixture.ts';
import type { OpenPlaces } from './open_places.ts';

const tenant = 1 as Tenant;
const insertText = `insert into events (tenant, id, type, object_id, object_version, payload) values ($1, $2, 'x.y', 'x', 1, '')`;

describe.skipIf(withoutCitus)(`changes of a tenant that moves (${needsCitus})`, () => {
  let world: DistributedWorld;
  let places: OpenPlaces;
  let reads: Reads;
  /** A position of the one database that it was before. */
  let before: TailPosition;
  let earliest: string;
  beforeAll(async () => {
    world = await DistributedWorld.start({
      async fill(sql) {
        const plain = new Reads(sql);
        before = (await readNow(plain, tenant, Date.now())).position;
        earliest = newId('evt', Date.now());
        await sql.query(insertText, [tenant, earliest]);
      },
    });
    places = await openWorld(world);
    reads = new Reads(places);
  });
  afterAll(async () => {
    await places?.close();
    await world?.stop();
  });

  async function happen(ageMs = 0): Promise<string> {
    const id = newId('evt', Date.now() - ageMs);
    const event = { tenant, id, type: 'x.y', object_id: 'x', object_version: 1, request_id: null };
    await commitsAt(places).commit({ tenant, writes: [insert(eventsTable, { ...event, payload: Buffer.alloc(0) })] });
    return id;
  }

  async function move(): Promise<void> {
    await world.arrived(await world.move(await world.rangeOf(tenant)));
  }

  /** Reads as a stream does that comes back after each page, until it has these. */
  async function readOn(from: TailPosition, wanted: readonly string[]) {
    let position = from;
    const told: string[] = [];
    await eventually(async () => {
      const page = await readChanges(reads, tenant, position, Date.now());
      expect(page.position.xact).toBeGreaterThanOrEqual(position.xact); // no position goes back
      position = readPosition(writePosition(page.position))!;
      told.push(...page.changes.map(({ id }) => id));
      expect(told).toEqual(expect.arrayContaining([...wanted]));
    });
    return { told, position };
  }

  test('go on from a position of the one database that was distributed', async () => {
    const late = await happen(50_000);
    const next = await happen();
    const { told, position } = await readOn(before, [earliest, late, next]);
    expect(told.toSorted()).toEqual([late, earliest, next].toSorted());
    expect((await readOn(position, [])).told).toEqual([]);
  });

  test('are all there after moves back and forth, each once to those who come later', async () => {
    let { position } = await readOn((await readNow(reads, tenant, Date.now())).position, []);
    const first = position;
    const all: string[] = [];
    for (let moves = 0; moves < 3; moves++) {
      const seen = await happen();
      const stays = (await readOn(position, [seen])).position;
      const unseen = [await happen(55_000), await happen(), await happen(20_000)];
      await move();
      const after = await happen(30_000);
      all.push(seen, ...unseen, after);
      // From before the move: what was not seen, and perhaps some of the last minute once more.
      const { told, position: next } = await readOn(stays, [...unseen, after]);
      expect(new Set(told).size).toBe(told.length);
      expect((await readOn(next, [])).told).toEqual([]);
      position = next;
    }
    const { told } = await readOn(first, all);
    expect(told.filter((id) => all.includes(id)).toSorted()).toEqual(all.toSorted());
  });

  test('are continued after any message of those that came along', async () => {
    const { position: start } = await readNow(reads, tenant, Date.now());
    const ids = [await happen(), await happen(), await happen()];
    await move();
    const page = await readChanges(reads, tenant, start, Date.now());
    expect(page.changes.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids.toSorted()); // of one millisecond, any order
    for (const [at, change] of page.changes.entries()) {
      const from = readPosition(`${change.xact}-${change.id}`)!;
      const { told } = await readOn(
        from,
        page.changes.slice(at + 1).map(({ id }) => id),
      );
      expect(told).toEqual(page.changes.slice(at + 1).map(({ id }) => id));
    }
  });

  test('wait at the new place for a transaction that began there before the move', async () => {
    const range = await world.rangeOf(tenant);
    const { position: start } = await readNow(reads, tenant, Date.now());
    const elsewhere = [...(await world.topology()).ranges].find(({ group }) => group !== range.group)!;
    const open = await world.owner(elsewhere);
    await open.query('begin; select pg_current_xact_id()');
    const ids = [await happen(), await happen(40_000)];
    await move();
    ids.push(await happen(50_000));
    const { changes, position } = await readChanges(reads, tenant, start, Date.now());
    expect(changes).toEqual([]);
    await open.query('rollback');
    expect((await readOn(position, ids)).told).toEqual(expect.arrayContaining(ids));
  });
});
