import { expect } from 'vitest';
import { violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, type Note, type Phoenix } from './phoenix.ts';
import { atRest, ends, paysWith, posted, timePasses } from './subscriptions_crash.ts';

/** What takes effect only if its payment is made. The retry comes before a job has settled the payment, or afterwards. */
const charges = ['new-subscription', 'change', 'change-retried'] as const;
type Case = { verb: string; during: (typeof charges)[number]; point: CrashPoint; isPaid: boolean[] };
type Scene = CrashScene & { customer: string };

async function prepare(phoenix: Phoenix, { during }: Case, note: Note): Promise<Scene> {
  const { key, tenant } = await phoenix.account(note.place);
  const client = await phoenix.client(key);
  const price = await posted(client, 'prices', {
    ...{ unit_amount: 2_000, currency: 'eur', recurring: { interval: 'year' }, product_name: 'Gold' },
  });
  const { id: customer } = await posted(client, 'customers', {});
  await paysWith(client, customer, '4242424242424242');
  const headers = { 'Idempotency-Key': note.name };
  const wish = { metadata: { note: note.text }, payment_behavior: 'error_if_incomplete' };
  const body = { customer, items: [{ price: price.id }] };
  if (during === 'new-subscription')
    return { key, tenant, customer, request: (to) => to.post('/v1/subscriptions', { ...body, ...wish }, headers) };
  const { id, items } = await posted(client, 'subscriptions', body);
  const change = { items: [{ id: items[0].id, quantity: 3 }], proration: 'invoice_now', ...wish };
  return { key, tenant, customer, request: (to) => to.post(`/v1/subscriptions/${id}`, change, headers) };
}

async function settle(phoenix: Phoenix, tenant: number): Promise<void> {
  await until('everything is settled', patienceMs, async () => {
    if (await atRest(phoenix, tenant)) return true;
    await timePasses(phoenix, tenant);
    return false;
  });
}

async function verify(phoenix: Phoenix, { during, isPaid }: Case, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, customer, request } = scene;
  const client = await phoenix.client(key);
  await timePasses(phoenix, tenant);
  const isFirst = during === 'change-retried';
  if (!isFirst) await settle(phoenix, tenant);
  const retried = await request(client);
  await settle(phoenix, tenant);
  const { status, text } = await request(client);
  expect([status, text]).toEqual([retried.status, retried.text]);
  const listed = async (path: string) => (await client.get(`/v1/${path}?customer=${customer}`)).json.data;
  const [invoices, subscriptions] = [await listed('invoices'), await listed('subscriptions')];
  const before = during === 'new-subscription' ? 0 : 1;
  const latest = invoices.length > before ? invoices[0] : undefined;
  expect(isPaid, text).toContain(latest?.status === 'paid');
  // An outcome that is unknown is answered with 200; a retry after that is settled, by what it was.
  expect(retried.status).toBe(latest === undefined ? 402 : 200);
  if (!isFirst && latest !== undefined) expect(latest.status).toBe('paid');
  expect(subscriptions).toHaveLength(latest === undefined ? before : 1);
  if (before === 1) expect(subscriptions[0].items[0].quantity).toBe(latest === undefined ? 1 : 3);
  const { rows } = await sql.query('select sum(net)::int4 as net from simulator_charges where tenant = $1', [tenant]);
  const paid = invoices.reduce((sum: number, { amount_paid }: { amount_paid: number }) => sum + amount_paid, 0);
  expect(rows[0].net ?? 0).toBe(paid);
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return charges.flatMap((during) =>
    points.map((point) => ({ verb: 'authorize', during, point, isPaid: ends(point) })),
  );
}

/** With a remote processor, `npm test` has each. */
const share: Readonly<Record<Case['during'], CrashPoint>> = {
  'new-subscription': 'claimed',
  change: 'sent',
  'change-retried': 'reply',
};

export function paidFirstRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ during, point }) => isTorture || share[during] === point);
  return actsOf(cases, 'remote', { prepare, verify });
}

/** With a local one there is one commit, as for every charge. */
export function paidFirstLocal(): CrashAct[] {
  const cases = isTorture ? casesOf(localPoints).map((one) => ({ ...one, isPaid: [true] })) : [];
  return actsOf(cases, 'local', { prepare, verify });
}
