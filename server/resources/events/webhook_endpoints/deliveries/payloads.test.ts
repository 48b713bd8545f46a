import { expect, test } from 'vitest';
import { onePool } from '../../../../base/places/sql_at.ts';
import type { Pool } from '../../../../base/sql.ts';
import type { LeasedDelivery } from './due.ts';
import { Payloads } from './payloads.ts';

const delivery = (event: string, tenant = 1, given: Partial<LeasedDelivery> = {}) =>
  ({ tenant, event, bytes: 200_000, payload: null, ...given }) as unknown as LeasedDelivery;

/** A database that counts what is read. */
function database(stored: Record<string, string>) {
  const reads: string[] = [];
  const query = async ({ values: [tenant, event] }: { values: [number, string] }) => {
    reads.push(`${tenant}/${event}`);
    const text = stored[`${tenant}/${event}`];
    return { fields: [{ name: 'payload' }], rows: text === undefined ? [] : [[Buffer.from(text)]] };
  };
  return { pool: { query } as unknown as Pool, reads };
}

test('deliveries of one event share one payload, which is kept until the last of them is answered', async () => {
  const { pool, reads } = database({ '1/evt_a': 'a', '2/evt_a': 'other' });
  const payloads = new Payloads(onePool(pool));
  const gate = Promise.withResolvers<void>();
  const seen: (Buffer | null)[] = [];
  const use = async (payload: Buffer | null) => {
    seen.push(payload);
    await gate.promise;
  };
  const sends = [1, 1, 1, 2].map((tenant) => payloads.with(delivery('evt_a', tenant), use));
  await payloads.with(delivery('evt_a'), async (payload) => seen.push(payload));
  expect(reads).toEqual(['1/evt_a', '2/evt_a']);
  expect(new Set(seen).size).toBe(2); // one buffer for each tenant
  expect(payloads.size).toBe(2);
  gate.resolve();
  await Promise.all(sends);
  expect(payloads.size).toBe(0);
});

test('a small payload and an event that is no longer stored read nothing', async () => {
  const { pool, reads } = database({});
  const payloads = new Payloads(onePool(pool));
  const small = Buffer.from('small');
  expect(await payloads.with(delivery('evt_a', 1, { payload: small }), async (payload) => payload)).toBe(small);
  expect(await payloads.with(delivery('evt_b', 1, { bytes: null }), async (payload) => payload)).toBeNull();
  expect(reads).toEqual([]);
  expect(await payloads.with(delivery('evt_c'), async (payload) => payload)).toBeNull(); // deleted since it was leased
});

test('a payload that could not be read is read again for the next delivery', async () => {
  let isDown = true;
  const query = async () => {
    if (isDown) throw new Error('the database is down');
    return { fields: [{ name: 'payload' }], rows: [[Buffer.from('a')]] };
  };
  const payloads = new Payloads(onePool({ query } as unknown as Pool));
  await expect(payloads.with(delivery('evt_a'), async () => {})).rejects.toThrow('the database is down');
  isDown = false;
  expect(await payloads.with(delivery('evt_a'), async (payload) => payload?.toString())).toBe('a');
});
