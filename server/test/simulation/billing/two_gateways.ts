import { setTimeout as sleep } from 'node:timers/promises';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { tester } from '../../../base/embedded_postgres/superuser.fixture.ts';
import { oneConnection } from '../../../base/places/connections.ts';
import { type Connection, connect } from '../../../base/sql.ts';
import { verifyBooks } from '../../../resources/payments/balance/verify.ts';
import type { Answer } from '../../client.ts';
import { createDatabase, type TestServer } from '../../harness.ts';
import { violationsOf } from '../../payment_invariants.ts';
import { Mortals } from '../mortal.ts';
import { type Call, newCall } from '../world.ts';
import type { DunningModel } from './state.ts';

const crashWithinMs = 60;
const pauseMs = 20;
/** The limit ends a hang. A busy machine takes longer, and that is no fault of the code. */
const limitMs = 60_000;

/** Two instances on one database. Each can be killed at any moment; another takes its place. */
export class TwoGateways {
  readonly #clock: VirtualClock = virtualClock(Date.now() + 60_000);
  readonly #numbers: (below: number) => number;
  #database!: Awaited<ReturnType<typeof createDatabase>>;
  #sql!: Connection;
  #mortals!: Mortals;
  #servers: TestServer[] = [];
  #key!: string;
  #isPlanted = false;

  private constructor(numbers: (below: number) => number) {
    this.#numbers = numbers;
  }

  static async open(numbers: (below: number) => number): Promise<TwoGateways> {
    const two = new TwoGateways(numbers);
    two.#database = await createDatabase();
    two.#sql = await connect({ ...two.#database.address, ...tester }, 'simulation');
    two.#mortals = new Mortals(two.#database, two.#sql);
    two.#servers = [await two.#start(), await two.#start()];
    return two;
  }

  #start(): Promise<TestServer> {
    return this.#mortals.start({ clock: this.#clock });
  }

  /** All further requests are those of a new account. */
  async newAccount({ days, end }: DunningModel): Promise<void> {
    const [server] = this.#servers;
    const { id, testKey } = await server!.account();
    await server!.operator.run('accounts.update', { id, parameters: { dunning_days: days, dunning_end: end } });
    this.#key = testKey;
  }

  #any(): TestServer {
    return this.#servers[this.#numbers(this.#servers.length)]!;
  }

  async get(path: string): Promise<Answer> {
    const answer = await this.#untilConclusive(path, () => this.#any().client(this.#key).get(path));
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.text}`);
    return answer;
  }

  /** All objects of a list, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind
  async all(path: string): Promise<any[]> {
    const found = [];
    for (let more = ''; ; ) {
      const { data, has_more } = (await this.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${more}`)).json;
      found.push(...data);
      if (!has_more) return found.reverse();
      more = `&starting_after=${data.at(-1).id}`;
    }
  }

  /** Repeats the request until the answer is conclusive. */
  send(call: Call): Promise<Answer> {
    return this.#untilConclusive(call.path, () => this.#try(call));
  }

  /** Whatever is unavailable at the moment, because a process dies or the machine is busy, is asked for again. */
  async #untilConclusive(path: string, ask: () => Promise<Answer>): Promise<Answer> {
    const since = performance.now();
    for (;;) {
      const answer = await ask().catch(() => undefined);
      if (answer !== undefined && answer.status !== 429 && answer.status !== 500) return answer;
      if (performance.now() - since > limitMs)
        throw new Error(`${path} in ${limitMs} ms: ${answer?.text ?? 'no answer'}`);
      await sleep(pauseMs);
    }
  }

  #try({ path, body, key }: Call): Promise<Answer> {
    this.#clock.advance(1);
    return this.#any().client(this.#key).post(path, body, { 'Idempotency-Key': key });
  }

  /** As `send`, while one of the two dies. */
  async sendAndCrash(call: Call): Promise<Answer> {
    const lost = this.#try(call).catch(() => undefined);
    await this.#crash();
    await lost;
    return this.send(call);
  }

  async #crash(): Promise<void> {
    const victim = this.#numbers(this.#servers.length);
    await sleep(this.#numbers(crashWithinMs));
    await this.#mortals.kill(this.#servers[victim]!);
    // As if 12 seconds had passed. The other one may be at work on it: then two are, and only one may have its way.
    await this.#sql.query('update test_clocks set lease_until = now() where lease_until is not null');
    this.#servers[victim] = await this.#start();
  }

  /** Moves a test clock, and waits until everything due by then has happened. */
  async advance(clock: string, to: number, isCrash: boolean): Promise<void> {
    const call = newCall(`/v1/test_clocks/${clock}/advance`, { frozen_time: to });
    const answer = await this.send(call);
    if (answer.status !== 200) throw new Error(`advance: ${answer.text}`);
    if (isCrash) await this.#crash();
    const since = performance.now();
    while ((await this.get(`/v1/test_clocks/${clock}`)).json.status !== 'ready') {
      if (performance.now() - since > limitMs) throw new Error(`the clock ${clock} does not get to ${to}`);
      await this.settled();
    }
    await this.settled();
  }

  /** Runs everything that is due by now, on both. */
  async settled(): Promise<void> {
    for (const server of this.#servers) await server.settled();
  }

  /** What the rules of payments and the ledger say. */
  async violations(): Promise<string[]> {
    await this.settled();
    const { keyring } = this.#servers[0]!.gateway;
    const { differences } = await verifyBooks({ at: oneConnection(this.#sql), keyring });
    return [...(await violationsOf(this.#sql, { rest: true })), ...differences.map(({ message }) => message)];
  }

  /** A defect, as a trigger that is called `planted`. */
  async plant(trigger: string): Promise<void> {
    this.#isPlanted = true;
    await this.#sql.query(trigger);
  }

  async unplant(): Promise<void> {
    await this.#sql.query('drop function planted cascade');
    this.#isPlanted = false;
  }

  /** Once everything due has run, what is shown changes no more. A planted defect does not go away, so there is no use in waiting. */
  get patienceMs(): number {
    return this.#isPlanted ? 0 : limitMs;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    await this.#mortals.ended();
    await this.#sql.end();
    await this.#database.drop();
    const admin = await connect({ ...this.#database.address, ...tester, database: 'postgres' } as never, 'simulation');
    await this.#mortals.dropRoles(admin);
    await admin.end();
  }
}
