import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { type Answer, Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { historyOf, violationsOf } from '../payment_invariants.ts';
import { isTorture } from '../torture.ts';
import { type Child, type Environment, patienceMs, testMs, until } from './child.ts';
import { Children, entry } from './children.ts';
import { type CrashPoint, crashNote, holdingPoints, holdNote } from './crash_point.fixture.ts';
import { compileCache } from './resident.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

const children = new Children();
const drops: (() => Promise<void>)[] = [];

afterAll(async () => {
  await children.cleanUp();
  for (const drop of drops) await drop();
});

type Verb = 'authorize' | 'capture' | 'cancel';
type Case = { verb: Verb; point: CrashPoint; ends: string };

/** A server that is killed and started again on one database. */
class Phoenix {
  readonly sql: Connection;
  readonly crashDir: string;
  readonly #environment: Environment;
  readonly #clients: Client[] = [];
  #child: Child | undefined;
  #baseUrl = '';

  private constructor(sql: Connection, environment: Environment, crashDir: string) {
    this.sql = sql;
    this.crashDir = crashDir;
    this.#environment = environment;
  }

  static async hatch(simulator: 'local' | 'remote'): Promise<Phoenix> {
    const database = await createDatabase();
    drops.push(database.drop);
    const sql = children.keep(await connect(database.address, 'test'));
    const crashDir = children.directory('crashes');
    const settings = { DATABASE_URL: database.url, SIMULATOR: simulator, CRASH_DIR: crashDir };
    return new Phoenix(sql, children.serveEnvironment(settings), crashDir);
  }

  async account(): Promise<{ key: string; tenant: number }> {
    const { account, test_secret_key: key } = await children.account(this.#environment);
    const tenant = `select tenant from tenants where account = $1 and mode = 'test'`;
    return { key, tenant: (await this.sql.query(tenant, [account])).rows[0].tenant };
  }

  /** Of the one that runs; a dead one is replaced. */
  async client(key: string): Promise<Client> {
    if (this.#child === undefined || this.#child.ending !== undefined) await this.#rise();
    const client = new Client(this.#baseUrl, readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8'), key);
    this.#clients.push(client);
    return client;
  }

  async #rise(): Promise<void> {
    this.end();
    const fixture = pathToFileURL(join(import.meta.dirname, 'crash_point.fixture.ts')).href;
    const environment = children.environment({ ...this.#environment, NODE_COMPILE_CACHE: compileCache });
    // With the heap flag; without it the process would restart itself and load the fixture twice.
    const args = ['--max-semi-space-size=16', '--import', fixture, entry, 'serve'];
    this.#child = children.spawn(process.execPath, args, { cwd: environment.HOME!, environment });
    const [, port] = await this.#child.prints(/"port":(\d+),"msg":"serving"/);
    this.#baseUrl = `https://localhost:${port}`;
  }

  /** The requests end with the death of the process. */
  async dies(requests: Promise<Answer>[]): Promise<void> {
    const answers = await Promise.all(requests.map((request) => request.catch(() => undefined)));
    expect(answers.map((answer) => answer?.text)).toEqual(requests.map(() => undefined));
    expect(await this.#child!.ends()).toEqual({ code: null, signal: 'SIGKILL' });
  }

  end(): void {
    for (const client of this.#clients.splice(0)) client.close();
    if (this.#child?.ending === undefined) this.#child?.signal('SIGTERM');
  }
}

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

/** Keeps rows from becoming due before their own test, however long the others take. */
async function timeStandsStill(sql: Connection): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() + interval '1 hour' where state in ('open', 'unknown')`);
  await sql.query(`update payments set due_at = now() + interval '1 hour' where open_attempt is not null`);
}

async function settles(sql: Connection, id: string): Promise<string> {
  return until(`${id} is settled`, patienceMs, async () => {
    // A reversal is an attempt like any other: when its reply is lost in the crash, it has a deadline too.
    const { rows } = await sql.query('select status, open_attempt from payments where id = $1', [id]);
    return rows[0].open_attempt === null && rows[0].status !== 'processing' && rows[0].status;
  });
}

/** The request that is in progress when the server dies. */
type Scene = Case & {
  key: string;
  tenant: number;
  description: string;
  /** The payment that exists before the request, if any. */
  held: string | undefined;
  request: (client: Client) => Promise<Answer>;
};

async function prepare(phoenix: Phoenix, simulator: string, one: Case, note: typeof crashNote): Promise<Scene> {
  const { verb, point } = one;
  const name = `${simulator}-${verb}-${point}`;
  const headers = { 'Idempotency-Key': name };
  const { key, tenant } = await phoenix.account();
  const before = await phoenix.client(key);
  const method = await before.post('/v1/payment_methods', {
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
  });
  const description = note(verb, point, name);
  const body = {
    ...{ amount: 2000, currency: 'usd', payment_method: method.json.id, description },
    ...(verb === 'authorize' ? {} : { capture_method: 'manual' }),
  };
  const held = verb === 'authorize' ? undefined : (await before.post('/v1/payments', body)).json.id;
  const request = (client: Client) =>
    held === undefined
      ? client.post('/v1/payments', body, headers)
      : client.post(`/v1/payments/${held}/${verb}`, {}, headers);
  return { ...one, key, tenant, description, held, request };
}

/** One kill: the request that triggers it, and others that wait at their points by then. */
type Kill = { dying: Case; beside: Case[] };

/** A start takes most of the time of a case, so one kill covers several. Under torture each case has its own kill. */
function killsFor(cases: Case[]): Kill[] {
  if (isTorture) return cases.map((dying) => ({ dying, beside: [] }));
  const kills: Kill[] = cases
    .filter(({ point }) => !holdingPoints.includes(point))
    .map((dying) => ({ dying, beside: [] }));
  for (const [at, one] of cases.filter(({ point }) => holdingPoints.includes(point)).entries())
    kills[at % kills.length]!.beside.push(one);
  return kills;
}

function crashes(simulator: 'local' | 'remote', cases: Case[]): void {
  let phoenix: Phoenix;
  beforeAll(async () => {
    phoenix = await Phoenix.hatch(simulator);
  });
  afterAll(() => phoenix.end());

  describe.each(killsFor(cases))('$dying.verb, $dying.point', ({ dying, beside }) => {
    const scenes = new Map<Case, Scene>();

    beforeAll(async () => {
      for (const one of beside) scenes.set(one, await prepare(phoenix, simulator, one, holdNote));
      scenes.set(dying, await prepare(phoenix, simulator, dying, crashNote));
      const requests: Promise<Answer>[] = [];
      for (const { key, verb, point, request } of scenes.values()) {
        requests.push(request(await phoenix.client(key)));
        requests.at(-1)!.catch(() => {});
        const marker = join(phoenix.crashDir, `${simulator}-${verb}-${point}`);
        await until(`${verb} has come to ${point}`, patienceMs, () => existsSync(marker));
      }
      await phoenix.dies(requests);
      await timeStandsStill(phoenix.sql);
    });

    test.each([...beside, dying])('$verb, $point', async (one) => {
      await verifyAfterwards(phoenix, scenes.get(one)!);
    });
  });
}

async function verifyAfterwards(phoenix: Phoenix, scene: Scene): Promise<void> {
  const { sql } = phoenix;
  const { verb, point, ends, key, tenant, description, held, request } = scene;
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
  expect(await settles(sql, id)).toBe(ends);
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
    `select c.net, c.authorized from simulator.charges c join attempts a on a.tenant = c.tenant and a.id = c.attempt
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

describe('kill -9 with a remote processor', () => {
  crashes('remote', [
    { verb: 'authorize', point: 'before_claim', ends: 'succeeded' },
    { verb: 'authorize', point: 'claimed', ends: 'failed' },
    { verb: 'authorize', point: 'before_call', ends: 'failed' },
    { verb: 'authorize', point: 'sent_not_done', ends: 'failed' },
    { verb: 'authorize', point: 'sent', ends: 'succeeded' },
    { verb: 'authorize', point: 'reply', ends: 'succeeded' },
    { verb: 'authorize', point: 'outcome_in_flight', ends: 'succeeded' },
    { verb: 'authorize', point: 'committed', ends: 'succeeded' },
    { verb: 'capture', point: 'before_claim', ends: 'succeeded' },
    { verb: 'capture', point: 'claimed', ends: 'failed' },
    { verb: 'capture', point: 'sent', ends: 'succeeded' },
    { verb: 'capture', point: 'reply', ends: 'succeeded' },
    { verb: 'capture', point: 'committed', ends: 'succeeded' },
    { verb: 'cancel', point: 'before_call', ends: 'canceled' },
    { verb: 'cancel', point: 'sent', ends: 'canceled' },
    { verb: 'cancel', point: 'reply', ends: 'canceled' },
  ]);
});

/** The processor's rows are committed with the gateway's: there is no state between the claim and the outcome. */
describe('kill -9 with a local processor', () => {
  crashes('local', [
    { verb: 'authorize', point: 'before_claim', ends: 'succeeded' },
    { verb: 'authorize', point: 'outcome_in_flight', ends: 'succeeded' },
    { verb: 'authorize', point: 'committed', ends: 'succeeded' },
    { verb: 'capture', point: 'outcome_in_flight', ends: 'succeeded' },
    { verb: 'capture', point: 'committed', ends: 'succeeded' },
    { verb: 'cancel', point: 'before_claim', ends: 'canceled' },
    { verb: 'cancel', point: 'committed', ends: 'canceled' },
  ]);
});
