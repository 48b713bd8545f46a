import { expect } from 'vitest';
import type { Client } from '../client.ts';
import { violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, lastWords, type Note, type Phoenix } from './phoenix.ts';

/** What charges a subscription: requests, and what becomes due. */
const charges = ['create', 'pay', 'renewal', 'retry'] as const;
/** `verb` is that of the attempt, which the crash waits for. */
type Case = { verb: string; during: (typeof charges)[number]; point: CrashPoint; isPaid: boolean[] };
type Scene = CrashScene & { customer: string; isRequest: boolean };

const daySeconds = 86_400;

export async function posted(client: Client, path: string, body: object) {
  const answer = await client.post(`/v1/${path}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

async function newCard(client: Client, customer: string, number: string): Promise<string> {
  const card = { number, exp_month: 12, exp_year: 2040 };
  return (await posted(client, 'payment_methods', { type: 'card', card, customer })).id;
}

export async function paysWith(client: Client, customer: string, number: string): Promise<void> {
  const default_payment_method = await newCard(client, customer, number);
  await posted(client, `customers/${customer}`, { default_payment_method });
}

/** A day has passed for a daily subscription: its next period is due. */
async function aDayPasses({ sql }: Phoenix, id: string): Promise<void> {
  await sql.query(
    `update subscriptions set due_at = now() - interval '1 second', version = version + 1, created = created - $2::int8,
       billing_cycle_anchor = billing_cycle_anchor - $2::int8, current_period_start = current_period_start - $2::int8,
       current_period_end = current_period_end - $2::int8 where id = $1`,
    [id, daySeconds],
  );
  await sql.query(
    `update invoices set period_start = period_start - $2::int8, period_end = period_end - $2::int8, version = version + 1
      where subscription = $1`,
    [id, daySeconds],
  );
}

async function prepare(phoenix: Phoenix, { during: charge }: Case, note: Note): Promise<Scene> {
  const { key, tenant } = await phoenix.account(note.place);
  const client = await phoenix.client(key);
  const price = await posted(client, 'prices', {
    ...{ unit_amount: 2_000, currency: 'eur', recurring: { interval: 'day' }, product_name: 'Gold' },
  });
  const { id: customer } = await posted(client, 'customers', {});
  await paysWith(client, customer, '4242424242424242');
  const body = { customer, items: [{ price: price.id }] };
  const metadata = { note: note.text };
  const headers = { 'Idempotency-Key': note.name };
  const scene = { key, tenant, customer, isRequest: charge === 'create' || charge === 'pay' };
  if (charge === 'create')
    return { ...scene, request: (to) => to.post('/v1/subscriptions', { ...body, metadata }, headers) };
  const { id } = await posted(client, 'subscriptions', body);
  if (charge !== 'renewal') {
    await paysWith(client, customer, '4000000000009995');
    await aDayPasses(phoenix, id);
    await until('the renewal has failed', patienceMs, async () => {
      return (await client.get(`/v1/subscriptions/${id}`)).json.status === 'past_due';
    });
  }
  const payment_method = await newCard(client, customer, '4242424242424242');
  const { latest_invoice } = await posted(client, `subscriptions/${id}`, { metadata });
  if (charge === 'pay')
    return { ...scene, request: (to) => to.post(`/v1/invoices/${latest_invoice}/pay`, { payment_method }, headers) };
  return {
    ...scene,
    async request(to) {
      if (charge === 'renewal') await aDayPasses(phoenix, id);
      else await posted(to, `customers/${customer}`, { default_payment_method: payment_method });
      return lastWords(to);
    },
  };
}

/** As if the deadline of the call, the pause before the first inquiry and the leases of the dead process had passed. */
export async function timePasses({ sql }: Phoenix, tenant: number): Promise<void> {
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute' where tenant = $1 and state in ('open', 'unknown')`,
    [tenant],
  );
  await sql.query(
    `update payments set due_at = now() - interval '1 second' where tenant = $1 and open_attempt is not null`,
    [tenant],
  );
  for (const table of ['payments', 'subscriptions', 'invoices', 'pending_changes'])
    await sql.query(`update ${table} set lease_until = null where tenant = $1`, [tenant]);
  await sql.query(`update pending_changes set due_at = now() - interval '1 second' where tenant = $1`, [tenant]);
}

export async function atRest({ sql }: Phoenix, tenant: number): Promise<boolean> {
  const { rows } = await sql.query(
    `select exists (select from payments where tenant = $1 and (open_attempt is not null or status = 'processing'))
         or exists (select from pending_changes where tenant = $1)
         or exists (select from subscriptions where tenant = $1 and due_at <= now())
         or exists (select from invoices where tenant = $1 and due_at <= now()) as is_busy`,
    [tenant],
  );
  return !rows[0].is_busy;
}

async function verify(phoenix: Phoenix, { during: charge, isPaid }: Case, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, customer, isRequest, request } = scene;
  const client = await phoenix.client(key);
  await timePasses(phoenix, tenant);
  // A retry of the request is answered as the request would have been, and does nothing twice.
  const retried = isRequest ? await request(client) : undefined;
  if (charge === 'create') expect(retried).toMatchObject({ status: 200 });
  await until('everything is settled', patienceMs, async () => {
    if (await atRest(phoenix, tenant)) return true;
    await timePasses(phoenix, tenant);
    return false;
  });
  if (retried !== undefined) {
    const { status, text } = await request(client);
    expect([status, text]).toEqual([retried.status, retried.text]);
  }
  const { data } = (await client.get(`/v1/invoices?customer=${customer}`)).json;
  expect(data).toHaveLength(charge === 'create' ? 1 : 2);
  expect(new Set(data.map(({ period_start }: { period_start: number }) => period_start)).size).toBe(data.length);
  const [latest] = data;
  expect(isPaid).toContain(latest.status === 'paid');
  const { status } = (await client.get(`/v1/subscriptions/${latest.subscription}`)).json;
  expect(status).toBe(latest.status === 'paid' ? 'active' : charge === 'create' ? 'incomplete' : 'past_due');
  const { rows } = await sql.query('select sum(net)::int4 as net from simulator_charges where tenant = $1', [tenant]);
  const paid = data.filter((one: { status: string }) => one.status === 'paid').length;
  expect(rows[0].net ?? 0).toBe(2_000 * paid);
  // What these rules cover: numbers without gaps, invoices that are paid once, counts, credit and the books.
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
}

/** What the processor did not get fails. A charge that was never committed is made by the next process, or by the retry. */
export function ends(point: CrashPoint): boolean[] {
  if (point === 'claim_in_flight') return [true, false];
  return ['claimed', 'before_call', 'sent_not_done'].includes(point) ? [false] : [true];
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return charges.flatMap((during) =>
    points.map((point) => ({ verb: 'authorize', during, point, isPaid: ends(point) })),
  );
}

/** With a remote processor, `npm test` has each charge. The outcome in flight is that of a payment. */
const share: Readonly<Record<Case['during'], readonly CrashPoint[]>> = {
  create: ['claim_in_flight'],
  pay: ['committed'],
  renewal: ['sent'],
  retry: ['claimed'],
};

export function subscriptionsRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ during, point }) => isTorture || share[during].includes(point));
  return actsOf(cases, 'remote', { prepare, verify });
}

/** With a local one it has the point that payments leave out. */
export function subscriptionsLocal(): CrashAct[] {
  const isKilled = ({ during, point }: Case) => isTorture || (during === 'renewal' && point === 'outcome_in_flight');
  const cases = casesOf(localPoints).map((one) => ({ ...one, isPaid: [true] }));
  return actsOf(cases.filter(isKilled), 'local', { prepare, verify });
}
