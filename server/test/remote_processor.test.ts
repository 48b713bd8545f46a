import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../base/clock.fixture.ts';
import type { FaultKind } from '../connectors/simulator/faults.ts';
import { storedForms } from '../http/running/stored_keys.fixture.ts';
import type { Answer, Client } from './client.ts';
import { onFreeMachine } from './fastest.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { historyOf, violationsOf } from './payment_invariants.ts';
import { patienceMs, until } from './processes/child.ts';
import { isTorture, shareOfCases } from './torture.ts';

const deadlineMs = 500;

let clock: VirtualClock;
let server: TestServer;
let second: TestServer;
/** Two servers with a generous deadline, for tests that expect an answer. */
let patient: TestServer;
let patientToo: TestServer;
let shop: Shop;
let keys = 0;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  const options = { environment: { SIMULATOR: 'remote' }, processorDeadlineMs: deadlineMs, clock };
  server = await startServer(options);
  second = await startServer({ ...options, databaseUrl: server.databaseUrl });
  const waiting = { ...options, databaseUrl: server.databaseUrl, processorDeadlineMs: patienceMs };
  [patient, patientToo] = [await startServer(waiting), await startServer(waiting)];
  for (const { gateway } of [patient, patientToo]) await gateway.worker.stop();
});

beforeEach(async () => {
  shop = await openShop();
});

afterAll(async () => {
  for (const one of [patientToo, patient, second]) await one.stop();
  await server.stop();
});

afterEach(expectRules);

type Shop = {
  account: TestAccount;
  client: Client;
  other: Client;
  patient: Client;
  patientToo: Client;
  tenant: number;
  method: string;
};

/** A new account, because faults apply to one tenant. */
async function openShop(): Promise<Shop> {
  const account = await server.account();
  const { json } = await account.test.post('/v1/payment_methods', cardOf('4242424242424242'));
  const { rows } = await server.sql.query('select tenant from payment_methods where id = $1', [json.id]);
  return {
    account,
    client: account.test,
    other: second.client(account.testKey),
    patient: patient.client(account.testKey),
    patientToo: patientToo.client(account.testKey),
    tenant: rows[0].tenant,
    method: json.id,
  };
}

function cardOf(number: string) {
  return { type: 'card', card: { number, exp_month: 12, exp_year: 2040, cvc: '123' } };
}

function newKey(): Record<string, string> {
  keys += 1;
  return { 'Idempotency-Key': `remote-${keys}` };
}

async function fault(kind: FaultKind, verb: string, milliseconds = 0, remaining = 1): Promise<void> {
  await server.sql.query(
    'insert into simulator_faults (tenant, verb, kind, milliseconds, remaining) values ($1, $2, $3, $4, $5)',
    [shop.tenant, verb, kind, milliseconds, remaining],
  );
}

async function endFaults(): Promise<void> {
  await server.sql.query('update simulator_faults set remaining = 0');
}

function pay(client: Client, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
  const body = { amount: 2000, currency: 'usd', payment_method: shop.method, ...more };
  return client.post('/v1/payments', body, headers);
}

async function held(): Promise<string> {
  const answer = await pay(shop.patient, { capture_method: 'manual' });
  expect(answer.json.status).toBe('requires_capture');
  return answer.json.id;
}

/** Advances the clock in steps and runs the due work of each, on all servers. */
async function passes(steps: number, milliseconds = 20_000): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    clock.advance(milliseconds);
    await server.settled();
  }
}

async function chargesOf(payment: string) {
  const { rows } = await server.sql.query(
    `select c.* from simulator_charges c join attempts a on a.tenant = c.tenant and a.id = c.attempt
      where a.payment = $1 and a.verb = 'authorize'`,
    [payment],
  );
  return rows;
}

/** Whether the last request has taken effect at the processor. */
async function hasEffect(payment: string, verb: string): Promise<boolean> {
  const { rowCount } = await server.sql.query(
    `select from simulator_entries e join attempts a on a.tenant = e.tenant and a.id = e.attempt
      where a.payment = $1 and a.verb = $2 and e.result = 'approved'`,
    [payment, verb],
  );
  return rowCount !== 0;
}

async function isInFlight(): Promise<boolean> {
  const text = `select from attempts where tenant = $1 and state in ('open', 'unknown', 'pending')`;
  return (await server.sql.query(text, [shop.tenant])).rowCount !== 0;
}

async function expectRules(): Promise<void> {
  expect(await violationsOf(server.sql, { rest: true, tenant: shop.tenant })).toEqual([]);
}

/** Time passes until nothing is in flight, and one step longer, in which nothing may change. Each test ends at rest. */
async function comesToRest(): Promise<void> {
  await endFaults();
  for (let step = 0; step < 5 && (await isInFlight()); step += 1) await passes(1);
  await passes(1);
}

async function statusOf(payment: string): Promise<string> {
  return (await shop.client.get(`/v1/payments/${payment}`)).json.status;
}

async function unfinished(key: string): Promise<boolean> {
  const { rows } = await server.sql.query('select status from idempotency where key = any($1)', [
    await storedForms(server, key),
  ]);
  return rows.length === 1 && rows[0].status === null;
}

async function openTransactions(): Promise<string[]> {
  const { rows } = await server.sql.query(
    `select pid || ' ' || xact_start as transaction from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'`,
  );
  return rows.map(({ transaction }) => transaction);
}

type Verb = 'authorize' | 'capture' | 'cancel';
/** `known`: by its answer. `verbs`: those that `npm test` has of it. */
type Case = { name: string; kind: FaultKind; milliseconds: number; known: boolean; happened: boolean; verbs: Verb[] };

const cases: Case[] = [
  {
    name: 'delay below the deadline',
    kind: 'delay',
    milliseconds: 60,
    known: true,
    happened: true,
    verbs: ['authorize', 'cancel'],
  },
  {
    name: 'delay above the deadline',
    kind: 'delay',
    milliseconds: 900,
    known: false,
    happened: true,
    verbs: ['capture'],
  },
  { name: 'lose_request', kind: 'lose_request', milliseconds: 0, known: false, happened: false, verbs: ['authorize'] },
  { name: 'lose_reply', kind: 'lose_reply', milliseconds: 0, known: false, happened: true, verbs: ['authorize'] },
  { name: 'hang', kind: 'hang', milliseconds: 0, known: false, happened: true, verbs: ['cancel'] },
  { name: 'hang_before', kind: 'hang_before', milliseconds: 0, known: false, happened: false, verbs: ['capture'] },
  {
    name: 'late_effect before the inquiry',
    kind: 'late_effect',
    milliseconds: 100,
    known: false,
    happened: true,
    verbs: ['cancel'],
  },
  {
    name: 'late_effect after the reversal',
    kind: 'late_effect',
    milliseconds: 3_000,
    known: false,
    happened: false,
    verbs: ['authorize'],
  },
  { name: 'wrong_attempt', kind: 'wrong_attempt', milliseconds: 0, known: false, happened: true, verbs: ['authorize'] },
  { name: 'malformed', kind: 'malformed', milliseconds: 0, known: false, happened: true, verbs: ['capture'] },
  { name: 'twice', kind: 'twice', milliseconds: 0, known: true, happened: true, verbs: ['capture'] },
  { name: 'down', kind: 'down', milliseconds: 0, known: false, happened: false, verbs: ['cancel'] },
];

/** For a verb that never arrived: an authorization is reversed, a capture or a cancel is sent again. */
const ends: Record<Verb, { done: string; lost: string; before: string[] }> = {
  authorize: { done: 'succeeded', lost: 'failed', before: [] },
  capture: { done: 'succeeded', lost: 'succeeded', before: ['requires_capture'] },
  cancel: { done: 'canceled', lost: 'canceled', before: ['requires_capture'] },
};

async function send(client: Client, verb: Verb, payment?: string, headers?: Record<string, string>): Promise<Answer> {
  if (payment === undefined) return pay(client, {}, headers);
  return client.post(`/v1/payments/${payment}/${verb}`, {}, headers);
}

/**
 * `npm run torture` has all. In `npm test` each verb has outcomes that are known, that become known and that did not happen: the verbs
 * differ in what an outcome leads to, and the cases in how it becomes known.
 */
function triedFor(verb: Verb): Case[] {
  return cases.filter(({ verbs }) => isTorture || verbs.includes(verb));
}

describe.each(['authorize', 'capture', 'cancel'] as const)('%s', (verb) => {
  test.each(triedFor(verb))('$name', async ({ kind, milliseconds, known, happened }) => {
    const headers = newKey();
    const payment = verb === 'authorize' ? undefined : await held();
    await fault(kind, verb, milliseconds);
    const client = known ? shop.patient : shop.client;
    const sentAt = performance.now();
    const answer = await send(client, verb, payment, headers);
    const { done, lost, before } = ends[verb];
    expect(answer).toMatchObject({ status: 200, json: { status: known ? done : 'processing' } });
    const { id } = answer.json;
    expect((await chargesOf(id)).length).toBeLessThanOrEqual(1);

    // There is no inquiry while the call may still be in flight, nor in the five seconds after.
    clock.advance(4_000);
    await server.settled();
    expect(await statusOf(id)).toBe(known ? done : 'processing');
    if (kind === 'late_effect' && happened) await until('it happens', patienceMs, () => hasEffect(id, verb));
    await comesToRest();
    if (kind === 'late_effect' && !happened) {
      await expectRules();
      expect(await hasEffect(id, verb)).toBe(verb !== 'authorize'); // the others are sent again
      await sleep(sentAt + milliseconds - performance.now());
      await comesToRest();
    }

    const end = happened ? done : lost;
    expect(await statusOf(id)).toBe(end);
    expect(await historyOf(server.sql, id)).toEqual([...before, ...(known ? [] : ['processing']), end]);
    const net = end === 'succeeded' ? 2000 : 0;
    for (const charge of await chargesOf(id)) expect(charge.net).toBe(net);

    const again = await send(client, verb, payment, headers);
    expect(again).toMatchObject({ status: 200, text: answer.text, headers: { 'idempotent-replayed': 'true' } });
  });
});

describe('a call that was certainly not sent', () => {
  test('an authorization fails immediately, and no card is charged', async () => {
    await fault('not_sent', 'authorize');
    const headers = newKey();
    const answer = await pay(shop.client, {}, headers);
    expect(answer).toMatchObject({
      status: 402,
      json: { error: { code: 'processing_error', decline_code: 'not_sent' } },
    });
    const { payment } = answer.json.error;
    expect([await statusOf(payment), await chargesOf(payment)]).toEqual(['failed', []]);
    expect((await pay(shop.client, {}, headers)).text).toBe(answer.text);
    await comesToRest();
  });

  test.each([
    ['capture', 'succeeded'],
    ['cancel', 'canceled'],
  ] as const)('a %s leaves the payment as it was, and can be repeated', async (verb, end) => {
    const id = await held();
    await fault('not_sent', verb);
    expect((await send(shop.client, verb, id)).status).toBe(402);
    expect(await statusOf(id)).toBe('requires_capture');
    expect((await send(shop.patient, verb, id)).json.status).toBe(end);
    await comesToRest();
  });
});

describe('a fault in the request after an unknown outcome', () => {
  const kinds: FaultKind[] = ['down', 'not_sent', 'lose_reply', 'hang', 'wrong_attempt', 'malformed', 'twice'];

  test.each(shareOfCases(kinds, 3))('the inquiry: %s', async (kind) => {
    await fault('lose_reply', 'authorize');
    await fault(kind, 'find', 0, 3);
    const { json } = await pay(shop.client);
    expect(json.status).toBe('processing');
    await passes(4, 20_000);
    await comesToRest();
    expect(await statusOf(json.id)).toBe('succeeded');
    expect(await historyOf(server.sql, json.id)).toEqual(['processing', 'succeeded']);
  });

  test.each(shareOfCases<FaultKind>(['lose_request', 'delay', 'hang_before', ...kinds], 3))(
    'the reversal: %s',
    async (kind) => {
      await fault('lose_request', 'authorize');
      await fault(kind, 'cancel', 0, 2);
      const { json } = await pay(shop.client);
      await passes(4, 20_000);
      await comesToRest();
      expect(await statusOf(json.id)).toBe('failed');
      expect(await historyOf(server.sql, json.id)).toEqual(['processing', 'failed']);
    },
  );

  test('a capture that never arrived, and whose second answer is lost, is made once', async () => {
    const id = await held();
    await fault('lose_request', 'capture');
    await fault('lose_reply', 'capture');
    expect((await shop.client.post(`/v1/payments/${id}/capture`)).json.status).toBe('processing');
    await passes(4, 20_000);
    await comesToRest();
    expect(await statusOf(id)).toBe('succeeded');
    expect(await chargesOf(id)).toMatchObject([{ canceled: false, captured: 2000, net: 2000 }]);
  });
});

describe('between the two transactions', () => {
  test('the row of the idempotency key is unfinished, no transaction is open, and a concurrent retry gets the same answer', async () => {
    const headers = newKey();
    await fault('hang_before', 'authorize'); // so that the simulator has nothing to commit either
    const first = pay(shop.client, {}, headers);
    await until('the key is claimed', patienceMs, () => unfinished(headers['Idempotency-Key']!));
    // Those of jobs are over in a moment; one that spans the call would last until the key is finished.
    const open = await openTransactions();
    await until('they have ended', patienceMs, async () => {
      const still = await openTransactions();
      return !open.some((transaction) => still.includes(transaction));
    });
    expect(await unfinished(headers['Idempotency-Key']!)).toBe(true);
    const [answer, twin] = await Promise.all([first, pay(shop.client, {}, headers)]);
    expect(answer).toMatchObject({ status: 200, json: { status: 'processing' } });
    expect(twin).toMatchObject({ status: 200, text: answer.text, headers: { 'idempotent-replayed': 'true' } });
    await comesToRest();
    expect(await statusOf(answer.json.id)).toBe('failed');
  });

  test('no connection stays in a transaction while calls hang', async () => {
    await fault('hang', 'authorize', 0, 5);
    let open = true;
    const answers = Promise.all(Array.from({ length: 5 }, () => pay(shop.client))).finally(() => {
      open = false;
    });
    const firstSeen = new Map<string, number>();
    let longest = 0;
    while (open) {
      for (const transaction of await openTransactions()) {
        const since = firstSeen.get(transaction) ?? performance.now();
        firstSeen.set(transaction, since);
        longest = Math.max(longest, performance.now() - since);
      }
      await sleep(10);
    }
    // A transaction of the simulator itself is short; one that stayed open during a hanging call would last.
    expect(onFreeMachine(deadlineMs * 0.6, longest)).toBeLessThan(deadlineMs * 0.6);
    for (const answer of await answers) expect(answer.json.status).toBe('processing');
    await comesToRest();
  });

  test.each(['delay', 'hang'] as const)(
    'a twin on a second server waits and gets the same answer: %s',
    async (kind) => {
      const headers = newKey();
      await fault(kind, 'authorize', 600);
      const first = pay(kind === 'delay' ? shop.patient : shop.client, {}, headers);
      await until('the key is claimed', patienceMs, () => unfinished(headers['Idempotency-Key']!));
      const [answer, twin] = await Promise.all([first, pay(shop.other, {}, headers)]);
      expect(answer).toMatchObject({
        status: 200,
        json: { status: kind === 'delay' ? 'succeeded' : 'processing' },
      });
      expect(twin).toMatchObject({ status: 200, text: answer.text, headers: { 'idempotent-replayed': 'true' } });
      await comesToRest();
      expect(await chargesOf(answer.json.id)).toHaveLength(1);
    },
  );

  test('a concurrent request with the same key and other parameters is refused while the call hangs', async () => {
    const headers = newKey();
    await fault('delay', 'authorize', 600);
    const first = pay(shop.patient, {}, headers);
    await until('the key is claimed', patienceMs, () => unfinished(headers['Idempotency-Key']!));
    const other = await pay(shop.other, { amount: 2001 }, headers);
    expect(other).toMatchObject({ status: 400, json: { error: { code: 'idempotency_key_reused' } } });
    expect((await first).status).toBe(200);
    await comesToRest();
  });

  test('a client without an idempotency key that disconnects leaves nothing behind', async () => {
    await fault('hang', 'authorize');
    const lone = server.client(shop.account.testKey);
    const request = pay(lone).catch(() => 'gone');
    const { rows } = await until('the payment is there', patienceMs, async () => {
      const found = await server.sql.query(
        `select p.id from payments p join attempts a on a.tenant = p.tenant and a.id = p.open_attempt
          where a.state = 'open' and p.tenant = $1`,
        [shop.tenant],
      );
      return found.rows.length === 1 && found;
    });
    lone.close();
    await request;
    await until('nobody waits for an answer', patienceMs, async () => {
      const { rows: open } = await server.sql.query('select state from attempts where payment = $1', [rows[0].id]);
      return open[0].state !== 'open';
    });
    await comesToRest();
    expect(await statusOf(rows[0].id)).toBe('succeeded');
  });

  test('the security code is deleted before the processor is called, whatever it answers', async () => {
    const description = 'with a code';
    await fault('hang_before', 'authorize');
    const request = pay(shop.client, { description }, newKey());
    const codes = () =>
      server.sql.query(
        `select c.id as code from payments p left join vault_cvcs c on c.tenant = p.tenant and c.id = p.payment_method
          where p.description = $1`,
        [description],
      );
    await expect.poll(async () => (await codes()).rows, { interval: 10 }).toEqual([{ code: null }]);
    await request;
    await comesToRest();
  });

  test('fifty equal requests with one key on two servers: one payment, one charge, fifty equal answers', async () => {
    const headers = newKey();
    const description = 'fifty';
    await fault('delay', 'authorize', 50, 50);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => pay(at % 2 ? shop.patient : shop.patientToo, { description }, headers)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const { rows } = await server.sql.query('select id from payments where description = $1', [description]);
    expect(rows).toEqual([{ id: answers[0]!.json.id }]);
    expect(await chargesOf(rows[0].id)).toMatchObject([{ net: 2000 }]);
    await comesToRest();
    expect(await historyOf(server.sql, rows[0].id)).toEqual(['succeeded']);
  });
});

describe('two verbs on one payment', () => {
  type Race = { name: string; verbs: ['capture' | 'cancel', 'capture' | 'cancel']; two: boolean; kind: FaultKind };
  const races: Race[] = (['delay', 'hang', 'hang_before', 'lose_reply', 'twice'] as const).flatMap((kind) =>
    [false, true].flatMap((two) =>
      (
        [
          ['capture', 'capture'],
          ['capture', 'cancel'],
          ['cancel', 'capture'],
        ] as const
      ).map((verbs) => ({
        name: `${verbs.join(' and ')}, ${two ? 'two servers' : 'one server'}, ${kind}`,
        verbs: [...verbs] as Race['verbs'],
        two,
        kind,
      })),
    ),
  );

  /** `npm test` has all races with a processor that is slow, and with each other fault one on two servers; `npm run torture` has all. */
  const inTurn = (at: number) => at % 6 === 3 + (Math.floor(at / 6) % 3);
  const tried = races.filter(({ kind }, at) => isTorture || kind === 'delay' || inTurn(at));

  test.each(tried)('$name', async ({ verbs, two, kind }) => {
    const id = await held();
    for (const verb of new Set(verbs)) await fault(kind, verb, 100);
    const answers = await Promise.all(
      verbs.map((verb, at) =>
        (at === 1 && two ? shop.other : shop.client).post(`/v1/payments/${id}/${verb}`, {}, newKey()),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(won).toHaveLength(1);
    expect(refused).toHaveLength(1);
    expect(['payment_not_capturable', 'payment_not_cancelable', 'lock_timeout']).toContain(refused[0]!.json.error.code);
    expect([400, 429]).toContain(refused[0]!.status);
    await comesToRest();
    const end = await statusOf(id);
    expect(['succeeded', 'canceled', 'failed']).toContain(end);
    if (won[0]!.json.status !== 'processing') expect(end).toBe(won[0]!.json.status);
    expect(await chargesOf(id)).toMatchObject([{ net: end === 'succeeded' ? 2000 : 0 }]);
    const { rows } = await server.sql.query(
      `select count(*)::int as count from simulator_entries e join attempts a on a.tenant = e.tenant and a.id = e.authorization_attempt
        where a.payment = $1 and e.verb = 'capture' and e.result = 'approved'`,
      [id],
    );
    expect(rows[0].count).toBeLessThanOrEqual(1);
  });
});

describe('a late answer', () => {
  test('an approval for a payment that has failed in the meantime is reversed, and logged as an incident', async () => {
    await fault('delay', 'authorize', 2_500);
    const { json } = await pay(shop.client);
    expect(json.status).toBe('processing');
    // As if a person had settled it as failed: the processor took the money, and the gateway does not know.
    await server.sql.query(
      `with moved as (update attempts set state = 'lost', version = version + 1 where payment = $1)
       update payments set status = 'failed', failure_code = 'processing_error', open_attempt = null, due_at = null, version = version + 1
        where id = $1`,
      [json.id],
    );
    expect((await chargesOf(json.id))[0].net).toBe(2000);
    await until('the charge is given back', patienceMs, async () => (await chargesOf(json.id))[0].net === 0);
    await until('the slot is free', patienceMs, async () => {
      const { rows } = await server.sql.query('select open_attempt from payments where id = $1', [json.id]);
      return rows[0].open_attempt === null;
    });
    expect(await statusOf(json.id)).toBe('failed');
    expect(server.logged.some((line) => line.includes('incident') && line.includes(json.id))).toBe(true);
    // The update above wrote no event, so the history is completed by hand as well.
    await server.sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select tenant, 'evt_by_hand', 'payment.failed', id, 3, convert_to('{"data":{"object":{"status":"failed"}}}', 'UTF8')
         from payments where id = $1`,
      [json.id],
    );
    await comesToRest();
  });

  test('when the reply to that reversal is lost, the gateway inquires until the outcome is known', async () => {
    await fault('delay', 'authorize', 2_500);
    await fault('lose_request', 'cancel', 0, 2);
    const { json } = await pay(shop.client);
    await server.sql.query(
      `with moved as (update attempts set state = 'lost', version = version + 1 where payment = $1)
       update payments set status = 'failed', failure_code = 'processing_error', open_attempt = null, due_at = null, version = version + 1
        where id = $1`,
      [json.id],
    );
    await server.sql.query(
      `insert into events (tenant, id, type, object_id, object_version, payload)
       select tenant, 'evt_by_hand_2', 'payment.failed', id, 3, convert_to('{"data":{"object":{"status":"failed"}}}', 'UTF8')
         from payments where id = $1`,
      [json.id],
    );
    await until('the reversal has begun', patienceMs, async () => {
      const { rows } = await server.sql.query('select open_attempt from payments where id = $1', [json.id]);
      return rows[0].open_attempt !== null;
    });
    await passes(4, 20_000);
    await comesToRest();
    expect(await statusOf(json.id)).toBe('failed');
    expect((await chargesOf(json.id))[0].net).toBe(0);
  });

  test('a late approval that an inquiry has already found changes nothing', async () => {
    await fault('delay', 'authorize', 1_100);
    const { json } = await pay(shop.client);
    await passes(2, 10_000);
    expect(await statusOf(json.id)).toBe('succeeded');
    await sleep(800);
    await comesToRest();
    expect(await historyOf(server.sql, json.id)).toEqual(['processing', 'succeeded']);
    expect(server.logged.some((line) => line.includes('incident') && line.includes(json.id))).toBe(false);
  });

  test('a late approval of a capture that was already found is no incident', async () => {
    const id = await held();
    await fault('delay', 'capture', 1_100);
    await shop.client.post(`/v1/payments/${id}/capture`, { amount: 700 });
    await passes(2, 10_000);
    await sleep(800);
    await comesToRest();
    expect((await shop.client.get(`/v1/payments/${id}`)).json).toMatchObject({
      status: 'succeeded',
      amount_received: 700,
    });
    expect(await chargesOf(id)).toMatchObject([{ net: 700 }]);
  });
});

describe('outcomes other than an approval, found by an inquiry', () => {
  const numbers = [
    { name: 'declined', number: '4000000000000002', end: 'failed' },
    { name: 'the cardholder has to act', number: '4000000000003220', end: 'requires_action' },
  ];

  test.each(numbers)('$name', async ({ number, end }) => {
    const { json: method } = await shop.client.post('/v1/payment_methods', cardOf(number));
    const headers = newKey();
    await fault('lose_reply', 'authorize');
    const first = await pay(shop.client, { payment_method: method.id }, headers);
    expect(first).toMatchObject({ status: 200, json: { status: 'processing' } });
    await passes(2, 10_000);
    expect(await statusOf(first.json.id)).toBe(end);
    expect(await historyOf(server.sql, first.json.id)).toEqual(['processing', end]);
    expect((await pay(shop.client, { payment_method: method.id }, headers)).text).toBe(first.text);
    if (end === 'requires_action') {
      const { json } = await shop.client.get(`/v1/payments/${first.json.id}`);
      expect(json.next_action.redirect_to_url.url).toMatch(/^https:/);
      await fault('lose_reply', 'cancel');
      expect((await shop.client.post(`/v1/payments/${first.json.id}/cancel`)).json.status).toBe('processing');
    }
    await comesToRest();
  });

  test('a cancel that never arrives, of a payment that waits for the cardholder, is sent again', async () => {
    const { json: method } = await shop.client.post('/v1/payment_methods', cardOf('4000000000003220'));
    const { json } = await pay(shop.client, { payment_method: method.id });
    expect(json.status).toBe('requires_action');
    await fault('hang_before', 'cancel');
    expect((await shop.client.post(`/v1/payments/${json.id}/cancel`)).json.status).toBe('processing');
    await comesToRest();
    expect(await statusOf(json.id)).toBe('canceled');
    expect(await historyOf(server.sql, json.id)).toEqual(['requires_action', 'processing', 'canceled']);
  });
});
