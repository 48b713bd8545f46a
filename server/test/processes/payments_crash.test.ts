import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { type Answer, Client } from '../client.ts';
import { createDatabase } from '../harness.ts';
import { historyOf, violationsOf } from '../payment_invariants.ts';
import { type Child, Children, type Environment, entry, until } from './children.ts';
import { type CrashPoint, crashNote } from './crash_point.fixture.ts';

vi.setConfig({ testTimeout: 60_000 });

const patienceMs = 15_000;
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
  readonly #environment: Environment;
  #child: Child | undefined;
  #client: Client | undefined;
  #key: string | undefined;

  private constructor(sql: Connection, environment: Environment) {
    this.sql = sql;
    this.#environment = environment;
  }

  static async hatch(simulator: 'local' | 'remote'): Promise<Phoenix> {
    const database = await createDatabase();
    drops.push(database.drop);
    const sql = children.keep(await connect(database.address, 'test'));
    const environment = children.serveEnvironment({
      DATABASE_URL: database.url,
      SIMULATOR: simulator,
      CRASH_DIR: children.directory('crashes'),
    });
    const phoenix = new Phoenix(sql, environment);
    phoenix.#key = (await children.account(environment)).test_secret_key;
    return phoenix;
  }

  /** The one that runs; a dead one is replaced. */
  async client(): Promise<Client> {
    if (this.#client !== undefined && this.#child?.ending === undefined) return this.#client;
    this.#client?.close();
    const fixture = pathToFileURL(join(import.meta.dirname, 'crash_point.fixture.ts')).href;
    const environment = children.environment(this.#environment);
    const args = ['--import', fixture, entry, 'serve'];
    this.#child = children.spawn(process.execPath, args, { cwd: environment.HOME!, environment });
    const [, port] = await this.#child.prints(/"port":(\d+),"msg":"serving"/, 30_000);
    const ca = readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8');
    this.#client = new Client(`https://localhost:${port}`, ca, this.#key);
    return this.#client;
  }

  /** The request is cut off by the death of the process. */
  async dies(request: Promise<Answer>): Promise<void> {
    const answer = await request.catch(() => undefined);
    expect(answer?.text).toBeUndefined();
    expect(await this.#child!.ends(patienceMs)).toEqual({ code: null, signal: 'SIGKILL' });
  }

  end(): void {
    this.#client?.close();
    this.#child?.signal('SIGTERM');
  }
}

/** As if the time had passed in which the call might still have been answered, and the one after which the processor is asked. */
async function timePasses(sql: Connection, what: 'deadline' | 'both'): Promise<void> {
  await sql.query(`update attempts set deadline_at = now() - interval '1 minute' where state in ('open', 'unknown')`);
  if (what === 'both')
    await sql.query(`update payments set due_at = now() - interval '1 second' where open_attempt is not null`);
}

async function settles(sql: Connection, id: string): Promise<string> {
  return until(`${id} is settled`, patienceMs, async () => {
    // A reversal is an attempt like any other: when its reply is lost in the crash, it has a deadline too.
    const { rows } = await sql.query('select status, open_attempt from payments where id = $1', [id]);
    return rows[0].open_attempt === null && rows[0].status !== 'processing' && rows[0].status;
  });
}

function crashes(simulator: 'local' | 'remote', cases: Case[]): void {
  const hatching = Phoenix.hatch(simulator);
  hatching.catch(() => {});
  afterAll(async () => (await hatching).end());

  test.each(cases)('$verb, $point', async ({ verb, point, ends }) => {
    const phoenix = await hatching;
    const { sql } = phoenix;
    const name = `${simulator}-${verb}-${point}`;
    const headers = { 'Idempotency-Key': name };
    const before = await phoenix.client();
    const method = await before.post('/v1/payment_methods', {
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
    });
    const body = {
      ...{ amount: 2000, currency: 'usd', payment_method: method.json.id, description: crashNote(verb, point, name) },
      ...(verb === 'authorize' ? {} : { capture_method: 'manual' }),
    };
    const held = verb === 'authorize' ? undefined : (await before.post('/v1/payments', body)).json.id;
    const request = (client: Client) =>
      held === undefined
        ? client.post('/v1/payments', body, headers)
        : client.post(`/v1/payments/${held}/${verb}`, {}, headers);
    await phoenix.dies(request(before));

    const after = await phoenix.client();
    const open = await sql.query('select id from payments where description = $1 and open_attempt is not null', [
      body.description,
    ]);
    const isOpen = open.rows.length > 0;
    // Who comes first, the client or the worker? Both must be right.
    const workerFirst = verb !== 'authorize' || point === 'sent' || point === 'claimed';
    if (isOpen && workerFirst) {
      await timePasses(sql, 'both');
      await settles(sql, open.rows[0].id);
    } else if (isOpen) await timePasses(sql, 'deadline');
    const retried = await request(after);
    const id = held ?? (retried.status === 402 ? retried.json.error.payment : retried.json.id);
    if (isOpen && !workerFirst) {
      expect(retried).toMatchObject({ status: 200, json: { status: 'processing' } });
      await timePasses(sql, 'both');
    }
    expect(await settles(sql, id)).toBe(ends);
    if (!isOpen || workerFirst) {
      expect(retried.status).toBe(ends === 'failed' ? 402 : 200);
      if (ends !== 'failed') expect(retried.json.status).toBe(ends);
    }

    const again = await request(after);
    const replayed = { status: retried.status, text: retried.text, headers: { 'idempotent-replayed': 'true' } };
    expect(again).toMatchObject(replayed);
    const payments = await sql.query('select id from payments where description = $1', [body.description]);
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
    expect(await violationsOf(sql, { rest: true })).toEqual([]);
  });
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

/** The processor's rows commit with ours: there is nothing between the claim and the outcome. */
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
