import { expect } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import type { Answer, Client } from '../client.ts';
import { violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, type Note, type Phoenix } from './phoenix.ts';

/** refund: of a payment. contest: evidence in a dispute. concede: the merchant gives a dispute up. */
type Verb = 'refund' | 'contest' | 'concede';
type Case = { verb: Verb; point: CrashPoint };
type Scene = CrashScene & { note: string };

const tableOf = { refund: 'refunds', contest: 'disputes', concede: 'disputes' };
const endOf = { refund: 'succeeded', contest: 'under_review', concede: 'lost' };
const disputedCard = '4000000000000259';

async function prepare(phoenix: Phoenix, { verb }: Case, { text, name, place }: Note): Promise<Scene> {
  const { key, tenant } = await phoenix.account(place);
  const before = await phoenix.client(key);
  const payment = await pay(before, verb === 'refund' ? '4242424242424242' : disputedCard);
  const metadata = { note: text };
  const headers = { 'Idempotency-Key': name };
  if (verb === 'refund')
    return { key, tenant, note: text, request: (client) => client.post('/v1/refunds', { payment, metadata }, headers) };
  const dispute = await until(`${payment} is disputed`, patienceMs, async () => {
    const { json } = await before.get(`/v1/disputes?payment=${payment}`);
    return json.data[0]?.id as string | undefined;
  });
  await before.post(`/v1/disputes/${dispute}`, { metadata });
  const evidence = { uncategorized_text: 'it was delivered' };
  const request: Scene['request'] = (client) =>
    verb === 'contest'
      ? client.post(`/v1/disputes/${dispute}`, { evidence, submit: true }, headers)
      : client.post(`/v1/disputes/${dispute}/close`, {}, headers);
  return { key, tenant, note: text, request };
}

async function pay(client: Client, number: string): Promise<string> {
  const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };
  const method = await client.post('/v1/payment_methods', { type: 'card', card });
  const payment = { amount: 2000, currency: 'usd', payment_method: method.json.id };
  return (await client.post('/v1/payments', payment)).json.id;
}

type Stored = { id: string; status: string; due_at: Date | null };

async function stored(sql: Connection, verb: Verb, note: string): Promise<Stored[]> {
  const text = `select id, status, due_at from ${tableOf[verb]} where metadata->>'note' = $1`;
  return (await sql.query(text, [note])).rows;
}

/** As if the deadline of the call and the pause before the first inquiry had passed. */
async function timePasses(sql: Connection, verb: Verb, id: string): Promise<void> {
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute'
      where ${verb === 'refund' ? 'refund' : 'dispute'} = $1 and state in ('open', 'unknown')`,
    [id],
  );
  const text = `update ${tableOf[verb]} set due_at = now() - interval '1 second' where id = $1 and due_at is not null`;
  await sql.query(text, [id]);
}

async function settles(sql: Connection, verb: Verb, note: string): Promise<Stored> {
  return until(`${note} is settled`, patienceMs, async () => {
    const [row] = await stored(sql, verb, note);
    return row?.due_at === null && row;
  });
}

/** Whatever the processor did not get is sent again under the same attempt, so every case ends in the same way. */
async function verify(phoenix: Phoenix, { verb, point }: Case, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, note, request } = scene;
  const after = await phoenix.client(key);
  const [open] = (await stored(sql, verb, note)).filter(({ due_at }) => due_at !== null);
  // Either the client or the worker comes first: both must be correct.
  const workerFirst = point === 'claimed' || point === 'sent';
  if (open !== undefined && workerFirst) {
    await timePasses(sql, verb, open.id);
    await settles(sql, verb, note);
  }
  const retried: Answer = await (open !== undefined && !workerFirst ? retryWhileOpen() : request(after));
  expect(retried.status).toBe(200);
  const settled = await settles(sql, verb, note);
  expect(settled.status).toBe(endOf[verb]);
  const replayed = { status: 200, text: retried.text, headers: { 'idempotent-replayed': 'true' } };
  expect(await request(after)).toMatchObject(replayed);
  expect(await stored(sql, verb, note)).toHaveLength(1);
  const effects = await sql.query(
    `select e.verb, e.result from simulator_entries e join attempts a on a.tenant = e.tenant and a.id = e.attempt
      where a.tenant = $1 and a.verb = $2`,
    [tenant, verb],
  );
  expect(effects.rows).toEqual([{ verb, result: 'approved' }]);
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);

  /** The call may still be in flight, as far as the retry knows: it is answered once the deadline has passed. */
  async function retryWhileOpen(): Promise<Answer> {
    const answer = request(after);
    await timePasses(sql, verb, open!.id);
    return answer;
  }
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return (['refund', 'contest', 'concede'] as const).flatMap((verb) => points.map((point) => ({ verb, point })));
}

/** Of a remote processor, `npm test` has each verb, and each point that needs no separate kill. */
const share: Readonly<Record<Verb, readonly CrashPoint[]>> = {
  refund: ['before_claim', 'sent'],
  contest: ['sent_not_done', 'committed'],
  concede: ['claimed', 'before_call', 'reply'],
};

export function refundsRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ verb, point }) => isTorture || share[verb].includes(point));
  return actsOf(cases, 'remote', { prepare, verify });
}

export function refundsLocal(): CrashAct[] {
  return isTorture ? actsOf(casesOf(localPoints), 'local', { prepare, verify }) : [];
}
