import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { Keyring } from '../../../base/keyring.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import type { Pool } from '../../../base/sql.ts';
import { Inbox } from './inbox.ts';

/** An inbox whose database stores everything. `leased` counts the rows that were stored with a lease. */
function openInbox() {
  const state = { leased: 0 };
  const query = async ({ values }: { values: unknown[] }) => {
    const ids = String(values.find((value) => String(value).startsWith('{"ntc_'))).match(/ntc_\w+/g)!;
    const leases = values.at(-4); // before the three of `request`
    if (leases !== null) state.leased += JSON.parse(`[${String(leases).slice(1, -1)}]`).filter(Boolean).length;
    return { fields: [{ name: 'id' }], rows: ids.map((id) => [id]) };
  };
  const keyring = new Keyring(new Secret(randomBytes(32)));
  const clock = virtualClock(0);
  const inbox = new Inbox({ durable: onePool({ query } as unknown as Pool), keyring, clock, wake: () => {} });
  let events = 0;
  const store = (count: number, bytes: number) =>
    Promise.all(
      Array.from({ length: count }, () => {
        const request = { headers: {}, body: Buffer.alloc(bytes) };
        const source = { connector: 'harbor', processor_account: null };
        return inbox.store({ tenant: 1 as Tenant, source, event: `evt_${++events}`, request });
      }),
    );
  return { inbox, state, store, clock };
}

test('a backlog of thousands of notices waits in memory, with the requests as they came', async () => {
  const { inbox, state, store } = openInbox();
  for (let more = 0; more < 3; more++) await store(1_000, 100);
  expect(state.leased).toBe(3_000);
  const taken = [...inbox.takeFresh(1_000), ...inbox.takeFresh(5_000)];
  expect(taken.map(({ event_id }) => event_id)).toEqual(taken.map((_, at) => `evt_${at + 1}`));
  expect([taken.length, taken[0]!.request]).toEqual([3_000, { headers: {}, body: Buffer.alloc(100) }]);
});

test('no more than 16 MiB and no more than 4,096 notices wait in memory; the others are read again', async () => {
  const { inbox, state, store } = openInbox();
  await store(70, 262_144);
  expect(state.leased).toBe(64);
  expect(inbox.takeFresh(100)).toHaveLength(64);
  await store(5_000, 10);
  expect(state.leased).toBe(64 + 4_096);
  expect(inbox.takeFresh(3)).toHaveLength(3);
  await store(5, 10);
  expect(state.leased).toBe(64 + 4_096 + 3);
});

test('one that has waited until its lease is about to expire is left to the next lease', async () => {
  const { inbox, state, store, clock } = openInbox();
  await store(4_096, 10);
  clock.advance(8_000);
  expect(inbox.takeFresh(1)).toHaveLength(1);
  clock.advance(1);
  await store(2, 10);
  expect(state.leased).toBe(4_097);
  expect(inbox.takeFresh(10).map(({ event_id }) => event_id)).toEqual(['evt_4097']);
  await store(4_096, 10);
  expect(state.leased).toBe(4_097 + 4_096);
});
