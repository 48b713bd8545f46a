import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Connection } from '../../base/sql.ts';
import { type Answer, Client } from '../client.ts';
import { violationsOf } from '../payment_invariants.ts';
import { type Child, type Environment, patienceMs, until } from './child.ts';
import { type Children, entry } from './children.ts';
import { type CrashPoint, crashNote } from './crash_point.fixture.ts';
import { compileCache } from './resident.ts';
import { Shopper } from './shopper.ts';

/** No processor takes less. */
const smallestAmount = 50;

export type Random = (below: number) => number;

const verbs = ['authorize', 'capture', 'cancel', 'setup'] as const;

/** The processor of a run. It lives through all kills. */
export type KilledProcessor = {
  name: string;
  /** Where a request to it can be killed. */
  points: readonly CrashPoint[];
  /** Makes the payment methods that are charged. The first one is always approved. */
  methods(client: Client): Promise<string[]>;
  /** Makes further ones that are only set up: the first wants its cardholder, others are declined or unknown. */
  setupMethods(client: Client): Promise<string[]>;
  /** From now on something may go wrong with it. */
  trouble(random: Random): Promise<void>;
  /** From now on nothing goes wrong. */
  calm(): Promise<void>;
  /** Once nothing is in flight: shows its own books as `simulator_entries`, and says what is wrong with them. */
  violations(): Promise<string[]>;
};

type Request = { key: string; path: string; body: object; answer: Answer | undefined };
/** Where a run takes place. */
export type KillPlace = {
  children: Children;
  sql: Connection;
  environment: Environment;
  caFile: string;
  ca: string;
  home: string;
};

/**
 * Kills a server again and again while clients pay, capture, cancel, refund and set cards up under idempotency keys and repeat unanswered
 * requests, and while customers pay checkout sessions. Half of the kills come at a random time, half at a chosen point of some payment or
 * setup. At the end nothing may be lost, doubled or left over.
 */
export class KillRun {
  readonly requests: Request[] = [];
  readonly violations: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #place: KillPlace;
  readonly #processor: KilledProcessor;
  readonly #random: Random;
  #apiKey = '';
  #methods: string[] = [];
  #setupMethods: string[] = [];
  #child: Child | undefined;
  #client: Client | undefined;
  #next: { point: CrashPoint; verb: string } | undefined;
  /** One payment at a time is to crash the server: a second one would do so after the restart. */
  #isWished = false;
  /** One customer at a time: all of them share an address, whose requests for pages are limited. */
  #isShopping = false;
  #ending = false;
  #over = false;
  #lives = 0;
  #made = 0;
  readonly #clients: number;

  constructor(place: KillPlace, processor: KilledProcessor, random: Random, clients = 8) {
    this.#clients = clients;
    this.#place = place;
    this.#processor = processor;
    this.#random = random;
  }

  async go(count: number): Promise<void> {
    try {
      await this.#go(count);
    } finally {
      this.#over = true;
      this.#ending = true;
    }
  }

  async #go(count: number): Promise<void> {
    const { children, environment } = this.#place;
    this.#apiKey = (await children.account(environment)).test_secret_key;
    await this.#start();
    const watching = this.#watch();
    this.#methods = await this.#processor.methods(this.#client!);
    this.#setupMethods = [...this.#methods, ...(await this.#processor.setupMethods(this.#client!))];
    const running = Array.from({ length: this.#clients }, () =>
      this.#work().catch((error: Error) => void this.violations.push(`a client: ${error.message}`)),
    );
    for (let kill = 0; kill < count; kill += 1) await this.#kill(kill);
    this.#ending = true;
    await Promise.all(running);
    await this.#processor.calm();
    await this.#payUndisturbed();
    await this.#rest();
    await this.#replayAll();
    await this.#verify();
    this.#over = true;
    await watching;
    await this.#child!.stop('SIGTERM');
    this.#client!.close();
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }

  async #start(): Promise<void> {
    const { children, environment, home, ca } = this.#place;
    const fixture = pathToFileURL(join(import.meta.dirname, 'crash_point.fixture.ts')).href;
    const own = children.environment({ ...environment, NODE_COMPILE_CACHE: compileCache });
    // With the flag that it would otherwise start itself again for, and the fixture a second time.
    const args = ['--max-semi-space-size=16', '--import', fixture, entry, 'serve'];
    this.#child = children.spawn(process.execPath, args, { cwd: home, environment: own });
    const [, port] = await this.#child.prints(/"port":(\d+),"msg":"serving"/);
    this.#client = new Client(`https://localhost:${port}`, ca, this.#apiKey);
    this.#lives += 1;
  }

  /** Starts the server again, whatever killed it. */
  async #watch(): Promise<void> {
    while (!this.#over) {
      await sleep(10);
      if (this.#child!.ending === undefined) continue;
      if (this.#child!.ending.signal !== 'SIGKILL') {
        const { stdout, stderr } = this.#child!;
        this.violations.push(`it ended by itself: ${stdout.slice(-500)} ${stderr.slice(-500)}`);
        this.#ending = true;
        return;
      }
      this.#count('killed in all');
      this.#client?.close();
      this.#client = undefined;
      const { sql } = this.#place;
      await this.#callsAreOver('open', 'unknown');
      await sql.query(
        `update payments set due_at = now() - interval '1 second', lease_until = null where open_attempt is not null`,
      );
      await sql.query(
        `update setups set due_at = now() - interval '1 second', lease_until = null where open_attempt is not null`,
      );
      await sql.query('update checkout_sessions set lease_until = null where lease_until is not null');
      await sql.query(
        `update refunds set due_at = now() - interval '1 second', lease_until = null where status = 'pending'`,
      );
      // Another kill may hit the server while it starts.
      await this.#start().catch(() => {});
    }
  }

  /** As if these calls had ended so long ago that every processor shows what became of them. After a kill, nobody is left who makes any. */
  async #callsAreOver(...states: ('open' | 'unknown')[]): Promise<void> {
    await this.#place.sql.query(
      `update attempts set deadline_at = now() - interval '2 minutes' where state = any($1)`,
      [states],
    );
  }

  async #kill(number: number): Promise<void> {
    await this.#processor.trouble(this.#random);
    await sleep(50 + this.#random(800));
    const life = this.#lives;
    const verb = verbs[this.#random(verbs.length)]!;
    const { points } = this.#processor;
    const point = points[this.#random(points.length)]!;
    if (number % 2 === 1) {
      this.#next = { verb, point };
      const died = await this.#child!.ends(3_000).catch(() => undefined);
      this.#next = undefined;
      if (died !== undefined) this.#count(`killed at ${point}`);
      else await this.#killNow();
    } else await this.#killNow();
    await until('it serves again', patienceMs, () => this.#lives > life);
  }

  async #killNow(): Promise<void> {
    if (this.#child!.ending === undefined) await this.#child!.stop('SIGKILL');
    this.#count('killed at a random time');
  }

  async #work(): Promise<void> {
    while (!this.#ending) {
      const verb = verbs[this.#random(verbs.length)]!;
      const name = this.#nextName();
      const wish = this.#next?.verb === verb && !this.#isWished ? this.#next : undefined;
      if (wish !== undefined) this.#isWished = true;
      const description = wish === undefined ? `plain ${verb} - ${name}` : crashNote(verb, wish.point, name);
      if (verb === 'setup' || (verb === 'cancel' && this.#random(2) === 0)) {
        await this.#setUp(verb, name, description);
        if (wish !== undefined) this.#isWished = false;
        continue;
      }
      if (verb === 'authorize' && !this.#isShopping && this.#random(2) === 0) {
        this.#isShopping = true;
        await this.#checkOut(name, description);
        this.#isShopping = false;
        if (wish !== undefined) this.#isWished = false;
        continue;
      }
      const body = {
        ...{
          amount: smallestAmount + this.#random(5_000),
          currency: 'usd',
          payment_method: this.#methods[this.#random(this.#methods.length)],
          description,
        },
        ...(verb === 'authorize' ? {} : { capture_method: 'manual' }),
      };
      await this.#pay(verb, name, body);
      if (wish !== undefined) this.#isWished = false;
    }
  }

  /** A setup. Where the cardholder is wanted, who never comes, half of them are canceled; all, where the cancel may be killed. */
  async #setUp(verb: 'setup' | 'cancel', name: string, note: string): Promise<void> {
    const { length } = this.#methods;
    const wanted = verb === 'cancel' ? length : this.#random(this.#setupMethods.length);
    const payment_method = this.#setupMethods[wanted];
    const body = { payment_method, metadata: { note } };
    const { status, json } = await this.#ask({ key: name, path: '/v1/setups', body, answer: undefined });
    if (status !== 200 || json.status !== 'requires_action' || (verb === 'setup' && this.#random(2) === 0)) return;
    await this.#ask({ key: `${name}-end`, path: `/v1/setups/${json.id}/cancel`, body: {}, answer: undefined });
  }

  /** A checkout session, and its customer. */
  async #checkOut(key: string, description: string): Promise<void> {
    const amount = smallestAmount + this.#random(5_000);
    const body = { amount, currency: 'usd', description, customer_email: 'ada@example.com' };
    const { status, json } = await this.#ask({ key, path: '/v1/checkout_sessions', body, answer: undefined });
    if (status !== 200) return;
    const end = await new Shopper(() => this.#client, json.url, this.#random, this.#place.ca).shop();
    this.#count(`checkout sessions ${end}`);
  }

  #nextName(): string {
    this.#made += 1;
    return `kill-${this.#processor.name}-${this.#made}`;
  }

  /** However few payments the kills have let through, the books have one to compare. */
  async #payUndisturbed(): Promise<void> {
    const name = this.#nextName();
    const body = {
      amount: smallestAmount + this.#random(5_000),
      currency: 'usd',
      payment_method: this.#methods[0],
      description: `plain authorize - ${name}`,
    };
    await this.#pay('authorize', name, body);
  }

  async #pay(verb: string, name: string, body: { amount: number }): Promise<void> {
    const created = await this.#ask({ key: name, path: '/v1/payments', body, answer: undefined });
    if (created.status !== 200) return;
    const { id } = created.json;
    if (verb !== 'authorize')
      await this.#ask({ key: `${name}-${verb}`, path: `/v1/payments/${id}/${verb}`, body: {}, answer: undefined });
    if (verb !== 'cancel') await this.#refund(name, id, body.amount);
  }

  /** A few refunds, which together may exceed the amount. */
  async #refund(name: string, payment: string, received: number): Promise<void> {
    for (let part = this.#random(4); part > 0; part--) {
      const body = { payment, amount: 1 + this.#random(received) };
      await this.#ask({ key: `${name}-refund-${part}`, path: '/v1/refunds', body, answer: undefined });
    }
  }

  /** Repeats a request under its idempotency key until it is answered. */
  async #ask(request: Request): Promise<Answer> {
    this.requests.push(request);
    const deadline = performance.now() + patienceMs;
    for (;;) {
      if (performance.now() > deadline) throw new Error(`${request.key} was not answered within ${patienceMs} ms`);
      const answer = await this.#once(request);
      if (answer !== undefined) {
        request.answer = answer;
        return answer;
      }
      await sleep(20);
    }
  }

  async #once({ key, path, body }: Request): Promise<Answer | undefined> {
    const client = this.#client;
    if (client === undefined) return undefined;
    const answer = await client.post(path, body, { 'Idempotency-Key': key }).catch(() => undefined);
    if (answer === undefined) this.#count('cut off');
    else if (answer.status === 429) this.#count(answer.json.error.code);
    else if (answer.status === 500 && answer.json.error.code === 'unavailable') this.#count('unavailable');
    else if (answer.status === 200 || answer.status === 402) {
      const state = answer.status === 200 ? answer.json.status : answer.json.error.code;
      this.#count(`answered ${answer.status} ${state}`);
      return answer;
    } else if (
      answer.status === 400 &&
      /^payment_(not_|disputed)|^refund_exceeds|^setup_not_/.test(answer.json.error.code)
    ) {
      this.#count(`answered 400 ${answer.json.error.code}`);
      return answer;
    } else {
      this.violations.push(`${key}: ${answer.status} ${answer.text}`);
      return answer;
    }
    return undefined;
  }

  /** Lets time pass until nothing is in flight. */
  async #rest(): Promise<void> {
    const { sql } = this.#place;
    const left = async () => {
      await this.#callsAreOver('unknown');
      await sql.query(
        `update payments p set due_at = now() - interval '1 second' from attempts a
          where a.tenant = p.tenant and a.id = p.open_attempt and a.state in ('unknown', 'pending') and p.lease_until is null`,
      );
      await sql.query(
        `update setups s set due_at = now() - interval '1 second' from attempts a
          where a.tenant = s.tenant and a.id = s.open_attempt and a.state in ('unknown', 'pending') and s.lease_until is null`,
      );
      await sql.query(
        `update refunds set due_at = now() - interval '1 second' where status = 'pending' and lease_until is null`,
      );
      await sql.query(`update notices set due_at = now() - interval '1 second' where due_at > now()`);
      const { rows } = await sql.query(
        `select (select count(*) from payments where status = 'processing' or open_attempt is not null or lease_until is not null)
              + (select count(*) from setups where status = 'processing' or open_attempt is not null or lease_until is not null)
              + (select count(*) from refunds where status = 'pending' or lease_until is not null)
              + (select count(*) from simulator_news where told_at is null and kind <> 'deadline')
              + (select count(*) from notices where due_at is not null) as count`,
      );
      return rows[0].count;
    };
    await until('nothing is processing', patienceMs, async () => {
      const isDone = (await left()) === 0;
      if (!isDone) await sleep(200);
      return isDone;
    }).catch(async () => void this.violations.push(`${await left()} payments are still under way`));
  }

  async #replayAll(): Promise<void> {
    const left = [...this.requests];
    const one = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await this.#replay(next);
    };
    await Promise.all(Array.from({ length: this.#clients }, one));
  }

  async #replay(request: Request): Promise<void> {
    const { answer, key, path, body } = request;
    if (answer === undefined) return void this.violations.push(`${key} was never answered`);
    const again = await until(`${key} is repeated`, patienceMs, async () =>
      this.#client?.post(path, body, { 'Idempotency-Key': key }).catch(() => undefined),
    );
    const isSame = again.status === answer.status && again.text === answer.text;
    if (!isSame || again.headers['idempotent-replayed'] !== 'true')
      this.violations.push(`${key} was answered with ${answer.text} and is repeated as ${again.text}`);
  }

  async #verify(): Promise<void> {
    const { sql } = this.#place;
    this.violations.push(...(await this.#processor.violations()));
    const creations = this.requests.filter(({ path }) => path === '/v1/payments');
    await sql.query('analyze'); // a server that is killed every second leaves autovacuum no time
    const { rows } = await sql.query(
      `select id, split_part(description, ' ', 4) as key from payments where checkout_session is null`,
    );
    const charged = await this.#chargesOfPayments();
    const stored = new Map<string, string>();
    for (const { id, key } of rows) {
      if (stored.has(key)) this.violations.push(`doubled: ${key}`);
      const charges = charged.get(id) ?? 0;
      if (charges > 1) this.violations.push(`charged ${charges} times: ${key}`);
      stored.set(key, id);
    }
    for (const { key, answer } of creations) {
      const id = answer?.status === 402 ? answer.json.error.payment : answer?.json.id;
      if (stored.get(key) !== id) this.violations.push(`lost: ${key} was acknowledged as ${id}`);
    }
    this.counts.payments = rows.length;
    this.counts['tries of checkout sessions'] = (
      await sql.query('select count(*)::int as count from payments where checkout_session is not null')
    ).rows[0].count;
    this.counts.charges = [...charged.values()].reduce((sum, charges) => sum + charges, 0);
    this.counts.requests = this.requests.length;
    const ends = await sql.query('select status, count(*)::int as count from payments group by status');
    for (const { status, count } of ends.rows) this.counts[`in the end ${status}`] = count;
    const refunds = await sql.query('select status, count(*)::int as count from refunds group by status');
    for (const { status, count } of refunds.rows) this.counts[`refunds in the end ${status}`] = count;
    this.counts.disputes = (await sql.query('select count(*)::int as count from disputes')).rows[0].count;
    await this.#verifySetups();
    this.violations.push(...(await violationsOf(sql, { rest: true })));
  }

  /** Each setup that was answered is stored once, under the id that was answered. */
  async #verifySetups(): Promise<void> {
    const { sql } = this.#place;
    const { rows } = await sql.query(`select id, split_part(metadata->>'note', ' ', 4) as key, status from setups`);
    const stored = Map.groupBy(rows, ({ key }) => key as string);
    for (const { key, answer } of this.requests.filter(({ path }) => path === '/v1/setups')) {
      const id = answer?.status === 402 ? answer.json.error.setup : answer?.json.id;
      const ids = (stored.get(key) ?? []).map((row) => row.id);
      if (ids.length !== 1 || ids[0] !== id) this.violations.push(`${key} was acknowledged as ${id}, and is ${ids}`);
    }
    this.counts.setups = rows.length;
    for (const { status } of rows) this.#count(`setups in the end ${status}`);
  }

  /** How often the processor has charged for each payment. The view adds up all entries, so it is read once, not for each payment. */
  async #chargesOfPayments(): Promise<Map<string, number>> {
    const { rows } = await this.#place.sql.query<{ payment: string; charges: number }>(
      `with charges as materialized (select tenant, attempt from simulator_charges where authorized > 0)
       select a.payment, count(*)::int as charges from charges c join attempts a on a.tenant = c.tenant and a.id = c.attempt
        where a.verb = 'authorize' group by a.payment`,
    );
    return new Map(rows.map(({ payment, charges }) => [payment, charges]));
  }
}
