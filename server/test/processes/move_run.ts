import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DistributedWorld } from '../../citus/distributed.fixture.ts';
import { isolateTenant } from '../../citus/isolate.ts';
import { tenantOf } from '../../operations/tenants.ts';
import { type Answer, Client } from '../client.ts';
import { violationsOf } from '../payment_invariants.ts';
import { type Child, type Environment, patienceMs, until } from './child.ts';
import { type Children, entry, type NewAccount } from './children.ts';
import { compileCache } from './resident.ts';

export type MovePlace = {
  world: DistributedWorld;
  children: Children;
  environment: Environment;
  ca: string;
  home: string;
  accounts: readonly NewAccount[];
  random: (below: number) => number;
};

type Request = { account: NewAccount; key: string; path: string; body: object; answer: Answer | undefined };
type Instance = { child: Child; client: Client; startedAt: number };

const instancesMax = 2;
/** What a caller may wait for because of a move. */
const lateMs = 2_000;
/** Answers of instances that start again, and of those that do their work meanwhile, are late for another reason. */
const afterKillMs = 5_000;
/** On a machine that is too busy for that, and for three servers that copy shards: Citus looks once a second whether a copy is complete. */
const lateWhenBusyMs = 10_000;

/**
 * Moves tenants between the workers of a cluster, splits their shards and kills instances, while clients pay, capture, cancel and refund under
 * idempotency keys and repeat unanswered requests at any instance. At the end nothing may be lost, doubled or left over, and no answer may
 * have been late or wrong because of a move.
 */
export class MoveRun {
  readonly requests: Request[] = [];
  readonly violations: string[] = [];
  /** On a busy machine. */
  readonly late: string[] = [];
  readonly counts: Record<string, number> = {};
  /** Of the answers that no kill had to do with, in milliseconds. */
  readonly answeredIn: number[] = [];
  readonly #place: MovePlace;
  readonly #instances: (Instance | undefined)[] = [];
  readonly #method = new Map<string, string>();
  #killedAt = Number.NEGATIVE_INFINITY;
  /** What happens to the shards at this moment. */
  #change = 'nothing';
  #isEnding = false;
  #made = 0;

  constructor(place: MovePlace) {
    this.#place = place;
  }

  async go(moves: number): Promise<void> {
    await Promise.all(Array.from({ length: instancesMax }, (_, at) => this.#start(at)));
    await this.#makeMethods();
    const clients = this.#place.accounts.map((account) =>
      this.#work(account).catch((error: Error) => void this.violations.push(`a client: ${error.message}`)),
    );
    for (let number = 1; number <= moves; number++) await this.#disturb(number);
    this.#isEnding = true;
    await Promise.all(clients);
    await this.#rest();
    await this.#replayAll();
    await this.#verify();
    for (const instance of this.#instances) {
      instance?.client.close();
      await instance?.child.stop('SIGTERM');
    }
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  async #start(at: number): Promise<void> {
    const { children, environment, home, ca } = this.#place;
    const own = children.environment({ ...environment, NODE_COMPILE_CACHE: compileCache });
    const args = ['--max-semi-space-size=16', entry, 'serve'];
    const child = children.spawn(process.execPath, args, { cwd: home, environment: own });
    const [, port] = await child.prints(/"port":(\d+),"msg":"serving"/);
    const client = new Client(`https://localhost:${port}`, ca);
    this.#instances[at] = { child, client, startedAt: performance.now() };
  }

  async #makeMethods(): Promise<void> {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
    for (const { account, test_secret_key: key } of this.#place.accounts) {
      const made = await this.#instances[0]!.client.as(key).post('/v1/payment_methods', { type: 'card', card });
      if (made.status !== 200) throw new Error(made.text);
      this.#method.set(account, made.json.id);
    }
  }

  /** Most of them are moves. After every fifth one an instance is killed, and every tenth is another change of shards. */
  async #disturb(number: number): Promise<void> {
    const { random } = this.#place;
    await sleep(200 + random(800));
    const isKill = number % 5 === 0;
    const killed = isKill ? this.#kill(random(instancesMax), random(1_000)) : undefined;
    const began = performance.now();
    if (number % 10 === 9) await this.#during('a split', () => this.#isolate());
    else if (number % 10 === 4) await this.#during('rebalancing', () => this.#rebalance());
    else await this.#during('a move', () => this.#move());
    this.counts['slowest move, ms'] = Math.max(
      this.counts['slowest move, ms'] ?? 0,
      Math.round(performance.now() - began),
    );
    await killed;
  }

  async #during(change: string, work: () => Promise<void>): Promise<void> {
    this.#change = change;
    await work();
    this.#change = `nothing, after ${change}`;
  }

  async #move(): Promise<void> {
    const { world, random } = this.#place;
    const { ranges } = await world.topology();
    await world.move(ranges[random(ranges.length)]!); // any other way keeps callers waiting while rows are copied
    this.#count('moves');
    // What the shards have left is dropped under those who still ask there; else Citus does so before they come back.
    if (random(3) === 0) await world.sql.query('call citus_cleanup_orphaned_resources()');
  }

  async #rebalance(): Promise<void> {
    const { sql } = this.#place.world;
    await sql.query(
      `select rebalance_table_shards('public.payments', threshold => 0.0, shard_transfer_mode => 'force_logical')`,
    );
    this.#count('rebalanced');
  }

  /** Splits a shard, unless it holds the one tenant alone. */
  async #isolate(): Promise<void> {
    const { world, accounts, random } = this.#place;
    const { account } = accounts[random(accounts.length)]!;
    const tenant = await tenantOf(world.sql, account, 'test');
    const { min, max } = await world.rangeOf(tenant);
    if (min === max) return this.#move();
    await isolateTenant(world.sql, tenant);
    this.#count('isolated');
  }

  async #kill(at: number, afterMs: number): Promise<void> {
    await sleep(afterMs);
    const { child, client } = this.#instances[at]!;
    this.#instances[at] = undefined;
    this.#killedAt = performance.now();
    await child.stop('SIGKILL');
    client.close();
    await this.#start(at);
    this.#killedAt = performance.now();
    this.#count('killed');
  }

  async #work(account: NewAccount): Promise<void> {
    const { random } = this.#place;
    while (!this.#isEnding) {
      const key = `move-${++this.#made}`;
      const isManual = random(2) === 0;
      const body = {
        ...{ amount: 50 + random(5_000), currency: 'usd', payment_method: this.#method.get(account.account) },
        ...{ description: key, capture_method: isManual ? 'manual' : 'automatic' },
      };
      const paid = await this.#ask({ account, key, path: '/v1/payments', body, answer: undefined });
      if (paid.status !== 200) continue;
      const { id } = paid.json;
      const end = random(4) === 0 ? 'cancel' : 'capture';
      const ask = (name: string, path: string, more: object) =>
        this.#ask({ account, key: `${key}-${name}`, path, body: more, answer: undefined });
      if (isManual) await ask(end, `/v1/payments/${id}/${end}`, {});
      if (!(isManual && end === 'cancel') && random(3) === 0)
        await ask('refund', '/v1/refunds', { payment: id, amount: 50 });
    }
  }

  async #ask(request: Request): Promise<Answer> {
    this.requests.push(request);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      const answer = await this.#once(request);
      if (answer !== undefined) {
        request.answer = answer;
        return answer;
      }
      await sleep(20);
    }
    throw new Error(`${request.key} was not answered within ${patienceMs} ms`);
  }

  #late(what: string, ms: number): void {
    const [load] = loadavg();
    if (ms > lateWhenBusyMs || load! <= 2 * availableParallelism()) this.violations.push(what);
    else this.late.push(`${what}, at load ${load!.toFixed(1)}`);
  }

  /** Undefined where it has to be repeated. */
  async #once({ account, key, path, body }: Request): Promise<Answer | undefined> {
    const instance = this.#instances[this.#place.random(instancesMax)];
    if (instance === undefined) return undefined;
    const client = instance.client.as(account.test_secret_key);
    const began = performance.now();
    const answer = await client.post(path, body, { 'Idempotency-Key': key }).catch(() => undefined);
    const ms = performance.now() - began;
    const isDisturbed = began < this.#killedAt + afterKillMs || this.#instances.includes(undefined);
    if (answer !== undefined && !isDisturbed) {
      this.answeredIn.push(ms);
      if (ms > lateMs) this.#late(`${key} was answered after ${Math.round(ms)} ms, during ${this.#change}`, ms);
    }
    if (answer?.status === 200) return answer;
    const problem = answer === undefined ? 'cut off' : `${answer.status} ${answer.json.error.code}`;
    this.#count(problem);
    const mayBe = isDisturbed || problem === '429 request_in_progress' || problem === '409 request_in_progress';
    if (!mayBe) this.violations.push(`${key}: ${problem} ${answer?.text.slice(0, 300)}`);
    return undefined;
  }

  /** Runs a statement at every place, where that is now. */
  async #everywhere(text: string): Promise<Record<string, unknown>[]> {
    const { world } = this.#place;
    const rows: Record<string, unknown>[] = [];
    for (const range of (await world.topology()).ranges) {
      const sql = await world.place(range);
      rows.push(...(await sql.query(text)).rows);
      await sql.end();
    }
    return rows;
  }

  /** What was in flight when an instance was killed is taken up by the others. */
  async #rest(): Promise<void> {
    const open = `select id from payments where status = 'processing' or open_attempt is not null or lease_until is not null
                  union all select id from refunds where status = 'pending' or lease_until is not null`;
    await until('nothing is processing', patienceMs, async () => {
      await this.#everywhere(
        `update attempts set deadline_at = now() - interval '2 minutes' where state in ('open', 'unknown')`,
      );
      await this.#everywhere(
        `update payments set due_at = now() - interval '1 second' where open_attempt is not null and lease_until is null`,
      );
      await this.#everywhere(
        `update refunds set due_at = now() - interval '1 second' where status = 'pending' and lease_until is null`,
      );
      const isDone = (await this.#everywhere(open)).length === 0;
      if (!isDone) await sleep(500);
      return isDone;
    }).catch((error: Error) => void this.violations.push(error.message));
  }

  async #replayAll(): Promise<void> {
    const waiting = [...this.requests];
    const replay = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await this.#replay(next);
    };
    await Promise.all(Array.from({ length: 10 }, replay));
  }

  async #replay({ account, key, path, body, answer }: Request): Promise<void> {
    const client = this.#instances[0]!.client.as(account.test_secret_key);
    const again = await client.post(path, body, { 'Idempotency-Key': key });
    if (again.text !== answer?.text || again.headers['idempotent-replayed'] !== 'true')
      this.violations.push(`${key} was answered with ${answer?.text} and is repeated as ${again.text}`);
  }

  async #verify(): Promise<void> {
    const payments = await this.#everywhere('select id, description as key from payments');
    const charges = await this.#everywhere(
      `select a.payment as id, count(*)::int as count from simulator_charges c
         join attempts a on a.tenant = c.tenant and a.id = c.attempt
        where c.authorized > 0 and a.verb = 'authorize' group by a.payment`,
    );
    const stored = Map.groupBy(payments, ({ key }) => key);
    const charged = new Map(charges.map(({ id, count }) => [id, count]));
    for (const { key, answer } of this.requests.filter(({ path }) => path === '/v1/payments')) {
      const ids = (stored.get(key) ?? []).map(({ id }) => id);
      if (ids.length !== 1 || ids[0] !== answer?.json.id)
        this.violations.push(`${key} was acknowledged as ${answer?.json.id}, and is ${ids}`);
      else if (charged.get(ids[0]) !== 1) this.violations.push(`${key} was charged ${charged.get(ids[0])} times`);
    }
    this.counts.payments = payments.length;
    this.counts.requests = this.requests.length;
    const { world } = this.#place;
    for (const range of (await world.topology()).ranges) {
      const sql = await world.place(range);
      this.violations.push(...(await violationsOf(sql, { rest: true })));
      await sql.end();
    }
    await this.#verifyLedger();
  }

  async #verifyLedger(): Promise<void> {
    const { children, environment, home } = this.#place;
    const child = children.tollgate(['ledger', 'verify'], { cwd: home, environment });
    const { code } = await child.ends();
    if (code !== 0) this.violations.push(`ledger verify: ${child.stdout.slice(-2_000)} ${child.stderr.slice(-2_000)}`);
  }
}
