import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newNumber, numberedId } from '../../../base/id.ts';
import type { Places } from '../../../base/places/places.ts';
import { type ReadingPlace, Reads, sharedReads, type Tenant } from '../../../base/reads.ts';
import { openPool, type Pool } from '../../../base/sql.ts';
import { rangeOf } from '../../../operations/range.ts';
import { createDatabase } from '../../../test/harness.ts';
import { type AuditFilters, findAuditedOf, findEntries } from './store.ts';

/** The directory, a place of the tenant in test mode, and one of the tenant in live mode. */
const databases: Awaited<ReturnType<typeof createDatabase>>[] = [];
const pools: Pool[] = [];
const account = 'acct_1';
const moment = Date.UTC(2026, 5, 1);

beforeAll(async () => {
  for (let made = 0; made < 3; made++) {
    databases.push(await createDatabase());
    pools.push(openPool(databases[made]!.address, { use: 'reads', connectionsMax: 2, onError: () => {} }));
  }
  await pools[0]!.query(`insert into accounts (id, name, tier, version) values ($1, 'One', 'standard', 1)`, [account]);
  await pools[0]!.query(
    `insert into tenants (tenant, account, mode) overriding system value
    values (1, $1, 'test'), (2, $1, 'live')`,
    [account],
  );
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  for (const database of databases) await database.drop();
});
beforeEach(async () => {
  for (const pool of pools) await pool.query('truncate audit');
});

/** `homes`: at which of the databases the directory and both tenants are. */
function readsOf(homes: Homes): Reads {
  const shared = pools.map((pool): ReadingPlace => ({ reads: pool, sharedReads: sharedReads() }));
  const places: Places<ReadingPlace> = {
    directory: shared[homes[0]]!,
    all: () => [...new Set([shared[homes[1]]!, shared[homes[2]]!])],
    at: (tenant, work) => work(shared[homes[tenant as 1 | 2]]!),
  };
  return new Reads(places);
}

type Stored = { tenant: Tenant | null; at: number; id: number };

/** Some in the directory and some of each tenant, several in one millisecond. */
async function fill(count: number, homes: Homes): Promise<Stored[]> {
  const stored = Array.from({ length: count }, (_, number): Stored => {
    const at = moment + Math.floor(number / 3);
    return { tenant: [null, 1, 2][number % 3] as Tenant | null, at, id: newNumber(at) };
  });
  for (const { tenant, at, id } of stored)
    await pools[homes[(tenant ?? 0) as 0 | 1 | 2]]!.query(
      `insert into audit (id, at, tenant, actor, account, action, subject) values ($1, $2, $3, 'ada', $4, $5, 'cus_1')`,
      [id, new Date(at), tenant, account, id % 2 === 0 ? 'even' : 'odd'],
    );
  return stored.toReversed();
}

async function walk(reads: Reads, filters: AuditFilters, backwards: boolean, limit = 4): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const position = cursor === undefined ? {} : { [backwards ? 'ending_before' : 'starting_after']: cursor };
    const from = backwards && cursor === undefined ? { ending_before: numberedId('aud', moment - 1, 0) } : position;
    const page = await findEntries({ reads, isLate: undefined }, account, rangeOf({ ...from, limit }, 'aud'), filters);
    const shown = page.slice(0, limit);
    ids.push(...shown.map(({ id }) => id));
    if (page.length <= limit) return ids;
    const last = shown.at(-1)!;
    cursor = numberedId('aud', last.at.getTime(), last.id);
  }
}

type Homes = readonly [directory: number, test: number, live: number];
const arrangements: [name: string, homes: Homes][] = [
  ['three servers', [0, 1, 2]],
  ['a server for tenants', [0, 1, 1]],
  ['one server', [0, 0, 0]],
];

test.each(arrangements)('pages of entries at %s have each once, in the order of time', async (_, homes) => {
  const stored = await fill(40, homes);
  const reads = readsOf(homes);
  const all = stored.map(({ id }) => id);
  expect(await walk(reads, {}, false)).toEqual(all);
  expect(await walk(reads, {}, true)).toEqual(all.toReversed());
  expect(await walk(reads, { action: 'even' }, false)).toEqual(all.filter((id) => id % 2 === 0));
  // Compared in steps.
  expect(await walk(reads, { action: 'odd', refused: false }, false)).toEqual(all.filter((id) => id % 2 === 1));
  expect(await walk(reads, { subject: 'cus_1', action: 'odd' }, true)).toEqual(
    all.filter((id) => id % 2 === 1).toReversed(),
  );
  const before = { at: new Date(stored[10]!.at), id: stored[10]!.id };
  const changes = await findAuditedOf(reads, account, { subjects: ['cus_1'], before, limit: 7 });
  expect(changes.map(({ id }) => id)).toEqual(all.slice(11, 18));
});

test('the numbers of entries rise with the time, and where it stands still or goes back', () => {
  const numbers = [5, 5, 5, 6, 9, 5, 9].map((ms) => newNumber(Date.UTC(2031, 0, 1) + ms));
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(new Set(numbers).size).toBe(7);
  expect(Number.isSafeInteger(newNumber(Date.UTC(2150, 0, 1)))).toBe(true);
});
