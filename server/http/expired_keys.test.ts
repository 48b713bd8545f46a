import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connect, type Pool } from '../base/sql.ts';
import { createDatabase } from '../test/harness.ts';
import { shareOf } from '../test/torture.ts';
import { sweep } from '../worker/sweep.fixture.ts';
import { httpMaintenance } from './maintenance.ts';

/**
 * Days of idempotency keys, with a sweep every half hour. Freed pages are reused from the second day on, so that old and new keys lie
 * side by side: an index that only knows the times of whole pages no longer tells where the expired ones are.
 */
const days = shareOf(10, 4);
const sweepsPerDay = 48;
const keysPerDay = shareOf(235_200, 2_880); // a sweep has one step, as most have
const dayMs = 86_400_000;
const start = Date.UTC(2030, 0, 1);
/** For each key: its row is found, locked and deleted; its index entry is read again by the next sweeps until a vacuum removes it. */
const buffersPerKeyMax = 8;

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  await sql.query('alter table idempotency set (autovacuum_enabled = off)');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const maintenance = httpMaintenance.filter(({ name }) => name === 'expired idempotency keys');

/** A pool at a moment, which counts the buffers of each statement that it runs. */
function poolAt(moment: string, count: (buffers: number) => void): Pool {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const { rows } = await sql.query(
      `explain (analyze, buffers, format json) ${text.replaceAll('now()', `'${moment}'::timestamptz`)}`,
      values,
    );
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    count(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    const [deleted] = plan.Plans as { 'Actual Rows': number }[]; // the first part of the statement, which the other counts
    return { rows: [{ rows: deleted!['Actual Rows'] }] };
  };
  return { query } as unknown as Pool;
}

/** Keys as requests leave them, for 24 hours, with answers of 1,600 bytes: four fit on a page. */
async function useKeys(count: number, moment: string): Promise<void> {
  await sql.query(
    `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body, expires_at)
     select 1, gen_random_uuid()::text, '', 'payments.create', 'req', 200, decode(repeat(md5(n::text), 100), 'hex'),
            $2::timestamptz + interval '24 hours'
       from generate_series(1, $1::int) n`,
    [count, moment],
  );
}

test('the sweep of expired keys costs the same for each, day after day', async () => {
  const costs: number[] = [];
  let dead = 0;
  for (let day = 0; day < days; day++) {
    let buffers = 0;
    for (let at = 0; at < sweepsPerDay; at++) {
      const moment = new Date(start + (day + at / sweepsPerDay) * dayMs).toISOString();
      await useKeys(keysPerDay / sweepsPerDay, moment);
      await sweep(
        maintenance,
        poolAt(moment, (read) => {
          buffers += read;
        }),
      );
      dead += day === 0 ? 0 : keysPerDay / sweepsPerDay;
      // As autovacuum does.
      if (dead > 50 + keysPerDay / 5) {
        await sql.query('vacuum idempotency');
        dead = 0;
      }
    }
    const { rows } = await sql.query('select count(*) from idempotency');
    expect(rows[0].count).toBe(keysPerDay);
    costs.push(buffers / keysPerDay);
  }
  const [, ...swept] = costs; // nothing expires on the first day
  for (const cost of swept) expect(cost, `${swept}`).toBeLessThan(buffersPerKeyMax);
});
