import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Pool } from '../../../base/sql.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout } from '../checkout_sessions/checkout.fixture.ts';
import { findOldPlaces } from '../payment_link_state/places.ts';
import { dropForgotten } from './sweep.ts';

const clock = virtualClock(Date.now());
const minute = 60_000;
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

/** A session in a status, which holds a place for so many minutes. */
async function held(account: TestAccount, status: 'open' | 'processing' | 'waiting' | 'gone', minutes: number) {
  const { id } = await new Checkout(server, account).create();
  const tenant = await tenantOf(server.sql, account.id, 'test');
  const [shown, waits] = status === 'waiting' ? ['open', true] : [status, null];
  const change = 'update checkout_sessions set status = $2, awaits_customer = $3, due_at = null where id = $1';
  if (status === 'gone') await server.sql.query('delete from checkout_sessions where id = $1', [id]);
  else await server.sql.query(change, [id, shown, waits]);
  const at = new Date(clock.now() - minutes * minute);
  await server.sql.query(`insert into payment_link_places (tenant, id, link, held_at) values ($1, $2, 'plink_x', $3)`, [
    tenant,
    id,
    at,
  ]);
  return id;
}

const places = async () =>
  (await server.sql.query<{ id: string }>('select id from payment_link_places')).rows.map(({ id }) => id).sort();

test('places without a try are given back after 35 minutes, of every tenant, also behind many that are held', async () => {
  const [one, other] = [await server.account(), await server.account()];
  const kept = [
    await held(one, 'processing', 600),
    await held(one, 'processing', 600),
    await held(other, 'waiting', 500),
    await held(other, 'open', 34),
  ];
  for (const account of [one, other])
    for (const [status, minutes] of [
      ['open', 36],
      ['gone', 300],
      ['open', 700],
    ] as const)
      await held(account, status, minutes);
  await dropForgotten(server.gateway.services, 2);
  expect(await places()).toEqual(kept.toSorted());
});

test.skipIf(isDistributedRun)('where no place is old, no tenant is visited', async () => {
  await server.sql.query('delete from payment_link_places');
  const plans: string[] = [];
  const explaining = {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await server.sql.query(`explain (analyze, costs off, timing off) ${text}`, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return { rows: [] };
    },
  } as unknown as Pool;
  await server.sql.query('analyze payment_link_places');
  await server.sql.query('set enable_seqscan = off'); // of no rows everything is quick
  await findOldPlaces(explaining, new Date(), { after: undefined, limit: 500 });
  expect(plans[0]).toContain('payment_link_places_oldest');
  expect(plans).toHaveLength(1);
});
