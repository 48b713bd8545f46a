import { expect } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import { historyOf, violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { patienceMs, until } from './child.ts';
import { type CrashPoint, crashPoints, localPoints } from './crash_point.fixture.ts';
import { actsOf, type CrashAct, type CrashScene, type Note, type Phoenix } from './phoenix.ts';

type Verb = 'authorize' | 'capture' | 'cancel';
/** `ends`: the final status; both are right where nobody knows whether the claim was committed. */
type Case = { verb: Verb; point: CrashPoint; ends: string[] };

/** As if the deadline of the call and the pause before the first inquiry had passed. */
async function timePasses(sql: Connection, payment: string, what: 'deadline' | 'both'): Promise<void> {
  await sql.query(
    `update attempts set deadline_at = now() - interval '1 minute' where payment = $1 and state in ('open', 'unknown')`,
    [payment],
  );
  if (what === 'both')
    await sql.query(
      `update payments set due_at = now() - interval '1 second' where id = $1 and open_attempt is not null`,
      [payment],
    );
}

async function settles(sql: Connection, id: string): Promise<string> {
  return until(`${id} is settled`, patienceMs, async () => {
    // A reversal is an attempt like any other: when its reply is lost in the crash, it has a deadline too.
    const { rows } = await sql.query('select status, open_attempt from payments where id = $1', [id]);
    return rows[0].open_attempt === null && rows[0].status !== 'processing' && rows[0].status;
  });
}

type Scene = CrashScene & {
  description: string;
  /** The payment that exists before the request, if any. */
  held: string | undefined;
};

async function prepare(phoenix: Phoenix, { verb }: Case, note: Note): Promise<Scene> {
  const headers = { 'Idempotency-Key': note.name };
  const { key, tenant } = await phoenix.account(note.place);
  const before = await phoenix.client(key);
  const method = await before.post('/v1/payment_methods', {
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  const description = note.text;
  const body = {
    ...{ amount: 2000, currency: 'usd', payment_method: method.json.id, description },
    ...(verb === 'authorize' ? {} : { capture_method: 'manual' }),
  };
  const held = verb === 'authorize' ? undefined : (await before.post('/v1/payments', body)).json.id;
  const request: Scene['request'] = (client) =>
    held === undefined
      ? client.post('/v1/payments', body, headers)
      : client.post(`/v1/payments/${held}/${verb}`, {}, headers);
  return { key, tenant, description, held, request };
}

async function verify(phoenix: Phoenix, { verb, point, ends: possible }: Case, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { key, tenant, description, held, request } = scene;
  const after = await phoenix.client(key);
  const open = await sql.query('select id from payments where description = $1 and open_attempt is not null', [
    description,
  ]);
  const isOpen = open.rows.length > 0;
  // Either the client or the worker comes first: both must be correct.
  const workerFirst = verb !== 'authorize' || point === 'sent' || point === 'claimed';
  if (isOpen && workerFirst) {
    await timePasses(sql, open.rows[0].id, 'both');
    await settles(sql, open.rows[0].id);
  } else if (isOpen) await timePasses(sql, open.rows[0].id, 'deadline');
  const retried = await request(after);
  const id = held ?? (retried.status === 402 ? retried.json.error.payment : retried.json.id);
  if (isOpen && !workerFirst) {
    expect(retried).toMatchObject({ status: 200, json: { status: 'processing' } });
    await timePasses(sql, id, 'both');
  }
  const ends = await settles(sql, id);
  expect(possible).toContain(ends);
  if (!isOpen || workerFirst) {
    expect(retried.status).toBe(ends === 'failed' ? 402 : 200);
    if (ends !== 'failed') expect(retried.json.status).toBe(ends);
  }

  const again = await request(after);
  const replayed = { status: retried.status, text: retried.text, headers: { 'idempotent-replayed': 'true' } };
  expect(again).toMatchObject(replayed);
  const payments = await sql.query('select id from payments where description = $1', [description]);
  expect(payments.rows).toEqual([{ id }]);
  const charges = await sql.query(
    `select c.net, c.authorized from simulator_charges c join attempts a on a.tenant = c.tenant and a.id = c.attempt
      where a.payment = $1 and a.verb = 'authorize' and c.authorized > 0`,
    [id],
  );
  const isCharged = verb !== 'authorize' || ends === 'succeeded';
  expect(charges.rows).toEqual(isCharged ? [{ net: ends === 'succeeded' ? 2000 : 0, authorized: 2000 }] : []);
  const history = await historyOf(sql, id);
  expect(history.filter((status) => status === ends)).toHaveLength(1);
  expect(history.at(-1)).toBe(ends);
  expect(await violationsOf(sql, { rest: true, tenant })).toEqual([]);
}

/** A charge that the processor did not get fails; a capture and a cancel are sent again. */
function endOf(verb: Verb, point: CrashPoint): string[] {
  if (verb === 'cancel') return ['canceled'];
  if (verb === 'capture') return ['succeeded'];
  if (point === 'claim_in_flight') return ['failed', 'succeeded'];
  return ['claimed', 'before_call', 'sent_not_done'].includes(point) ? ['failed'] : ['succeeded'];
}

function casesOf(points: readonly CrashPoint[]): Case[] {
  return (['authorize', 'capture', 'cancel'] as const).flatMap((verb) =>
    points.map((point) => ({ verb, point, ends: endOf(verb, point) })),
  );
}

/**
 * With a remote processor, `npm test` has each verb and each point. The claim in flight is that of a subscription, and what was sent and not
 * done that of a dispute.
 */
const share: Readonly<Record<Verb, readonly CrashPoint[]>> = {
  authorize: ['before_call', 'sent'],
  capture: ['claimed', 'committed'],
  cancel: ['before_claim', 'reply', 'outcome_in_flight'],
};

export function paymentsRemote(): CrashAct[] {
  const cases = casesOf(crashPoints).filter(({ verb, point }) => isTorture || share[verb].includes(point));
  return actsOf(cases, 'remote', { prepare, verify });
}

/** With a local one, each point. The outcome in flight is that of a subscription. */
const localShare: Readonly<Record<Verb, readonly CrashPoint[]>> = {
  authorize: ['committed'],
  capture: [],
  cancel: ['before_claim'],
};

/** The processor's rows are committed with the gateway's: there is no state between the claim and the outcome. */
export function paymentsLocal(): CrashAct[] {
  const cases = casesOf(localPoints)
    .filter(({ verb, point }) => isTorture || localShare[verb].includes(point))
    .map((one) => ({ ...one, ends: endOf(one.verb, 'committed') }));
  return actsOf(cases, 'local', { prepare, verify });
}
