import { expect } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import { violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, type Note, type Phoenix } from './phoenix.ts';
import { paysWith, posted } from './subscriptions_crash.ts';

/** setup, end: requests about a setup. trial: a subscription that sets its method up. strict: one that is not made if that fails. */
const kinds = ['setup', 'end', 'trial', 'strict'] as const;
type Kind = (typeof kinds)[number];
/** `ends`: the final status of the setup; both are right where nobody knows whether the claim was committed. */
type Case = { verb: 'setup' | 'cancel'; during: string; kind: Kind; point: CrashPoint; ends: string[] };

const approves = '4242424242424242';
const challenges = '4000000000003220';

async function prepare(phoenix: Phoenix, { kind }: Case, { text, name, place }: Note): Promise<CrashScene> {
  const headers = { 'Idempotency-Key': name };
  const metadata = { note: text };
  const { key, tenant } = await phoenix.account(place);
  const client = await phoenix.client(key);
  if (kind === 'trial' || kind === 'strict') {
    const terms = { unit_amount: 2_000, currency: 'eur', recurring: { interval: 'month' }, product_name: 'Gold' };
    const price = await posted(client, 'prices', terms);
    const { id: customer } = await posted(client, 'customers', {});
    await paysWith(client, customer, approves);
    // Before the call, the setup is stored without the subscription: only its return_url can have the note.
    const return_url = `https://shop.test/back?${new URLSearchParams({ note: text })}`;
    const strict = kind === 'strict' ? { payment_behavior: 'error_if_incomplete', return_url } : {};
    const body = { customer, items: [{ price: price.id }], trial_days: 14, metadata, ...strict };
    return { key, tenant, request: (to) => to.post('/v1/subscriptions', body, headers) };
  }
  const card = { number: kind === 'setup' ? approves : challenges, exp_month: 12, exp_year: 2040, cvc: '123' };
  const { id: payment_method } = await posted(client, 'payment_methods', { type: 'card', card });
  const body = { payment_method, metadata };
  if (kind === 'setup') return { key, tenant, request: (to) => to.post('/v1/setups', body, headers) };
  const { id } = await posted(client, 'setups', body);
  return { key, tenant, request: (to) => to.post(`/v1/setups/${id}/cancel`, {}, headers) };
}

type Stored = { id: string; status: string; open_attempt: string | null };

async function stored(sql: Connection, tenant: number): Promise<Stored[]> {
  return (await sql.query('select id, status, open_attempt from setups where tenant = $1', [tenant])).rows;
}

/** As if the deadline of the call and the pause before the first inquiry had passed. */
async function timePasses(sql: Connection, tenant: number, what: 'deadline' | 'both'): Promise<void> {
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute' where tenant = $1 and state in ('open', 'unknown')`,
    [tenant],
  );
  if (what === 'both')
    await sql.query(
      `update setups set due_at = now() - interval '1 second', lease_until = null where tenant = $1 and open_attempt is not null`,
      [tenant],
    );
}

async function settles(sql: Connection, tenant: number): Promise<string> {
  return until('the setup is settled', patienceMs, async () => {
    const [row] = await stored(sql, tenant);
    return row?.open_attempt === null && row.status !== 'processing' && row.status;
  });
}

async function verify(phoenix: Phoenix, { kind, point, ends: possible }: Case, scene: CrashScene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, request } = scene;
  const client = await phoenix.client(key);
  const isOpen = (await stored(sql, tenant)).some(({ open_attempt }) => open_attempt !== null);
  // Either the client or the worker comes first: both must be correct.
  const workerFirst = kind === 'end' || point === 'sent' || point === 'claimed';
  if (isOpen && workerFirst) {
    await timePasses(sql, tenant, 'both');
    await settles(sql, tenant);
  } else if (isOpen) await timePasses(sql, tenant, 'deadline');
  const retried = await request(client);
  await timePasses(sql, tenant, 'both');
  const ends = await settles(sql, tenant);
  expect(possible).toContain(ends);
  const isDeclined = ends === 'failed' && (!isOpen || workerFirst) && kind !== 'trial';
  expect(retried.status, retried.text).toBe(isDeclined ? 402 : 200);
  const replayed = { status: retried.status, text: retried.text, headers: { 'idempotent-replayed': 'true' } };
  expect(await request(client)).toMatchObject(replayed);
  expect(await stored(sql, tenant)).toHaveLength(1);
  const subscriptions = (await client.get('/v1/subscriptions')).json.data;
  expect(subscriptions).toHaveLength(kind === 'trial' || (kind === 'strict' && !isDeclined) ? 1 : 0);
  for (const one of subscriptions) {
    expect(one.status).toBe('trialing');
    expect(one).not.toHaveProperty('pending_setup');
  }
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
}

/** A setup that the processor did not get fails; a cancel is sent again. */
function endOf(kind: Kind, point: CrashPoint): string[] {
  if (kind === 'end') return ['canceled'];
  if (point === 'claim_in_flight') return ['failed', 'succeeded'];
  return ['claimed', 'before_call', 'sent_not_done'].includes(point) ? ['failed'] : ['succeeded'];
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return kinds.flatMap((kind) =>
    points.map((point) => ({
      verb: kind === 'end' ? ('cancel' as const) : ('setup' as const),
      during: `setup-${kind}`,
      kind,
      point,
      ends: endOf(kind, point),
    })),
  );
}

/** Of a remote processor, `npm test` has each kind, at points that need no separate kill. */
const share: Readonly<Record<Kind, readonly CrashPoint[]>> = {
  setup: ['before_call', 'sent'],
  end: ['claimed', 'reply'],
  trial: ['sent', 'before_claim'],
  strict: ['claimed', 'reply'],
};

export function setupsRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ kind, point }) => isTorture || share[kind].includes(point));
  return actsOf(cases, 'remote', { prepare, verify });
}

export function setupsLocal(): CrashAct[] {
  const cases = casesOf(localPoints).map((one) => ({ ...one, ends: endOf(one.kind, 'committed') }));
  return isTorture ? actsOf(cases, 'local', { prepare, verify }) : [];
}
