import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../base/embedded_postgres/index.ts';
import { addTester, tester } from '../../base/embedded_postgres/superuser.fixture.ts';
import { type Connection, connect } from '../../base/sql.ts';
import { runMigrations } from '../../database.ts';
import { type Answer, Client } from '../client.ts';
import { numbers } from '../numbers.ts';
import { violationsOf } from '../payment_invariants.ts';
import { type Child, type Environment, patienceMs, until } from './child.ts';
import { Children, entry } from './children.ts';
import { type CrashPoint, crashNote, crashPoints } from './crash_point.fixture.ts';
import { compileCache } from './resident.ts';

/**
 * A part of `npm run torture`, or by hand: `node server/test/processes/kill_many.ts [kills] [seed]`. Kills a server again and again
 * while clients pay, capture, cancel and refund under idempotency keys and repeat unanswered requests; half of the kills come at a
 * random time, half at a chosen point of some payment. At the end nothing may be lost, doubled or left over. With a local and with a
 * remote processor, which has faults as well.
 */
const kills = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 32));
const clients = 8;
/** With a local processor everything is one transaction. */
const localPoints: CrashPoint[] = ['before_claim', 'outcome_in_flight', 'committed'];
/** Approved; disputed at once; a refund is pending at first; a refund bounces. */
const cards = ['4242424242424242', '4242424242424242', '4000000000000259', '4000000000007726', '4000000000005126'];
const faults = ['lose_reply', 'lose_request', 'delay', 'twice', 'malformed', 'wrong_attempt', 'down'];

type Request = { key: string; path: string; body: object; answer: Answer | undefined };
type Place = { children: Children; sql: Connection; environment: Environment; ca: string; home: string };

class Run {
  readonly requests: Request[] = [];
  readonly violations: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #place: Place;
  readonly #mode: 'local' | 'remote';
  readonly #random: (below: number) => number;
  #apiKey = '';
  #methods: string[] = [];
  #child: Child | undefined;
  #client: Client | undefined;
  #next: { point: CrashPoint; verb: string } | undefined;
  #ending = false;
  #over = false;
  #lives = 0;
  #made = 0;

  constructor(place: Place, mode: 'local' | 'remote', random: (below: number) => number) {
    this.#place = place;
    this.#mode = mode;
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
    const { children, environment, home, sql } = this.#place;
    const args = ['accounts', 'create', '--name', 'Kill', '--tier', 'enterprise', '--rate-limit', '999999999'];
    this.#apiKey = (await children.json(args, { cwd: home, environment })).test_secret_key;
    await this.#start();
    const watching = this.#watch();
    for (const number of cards) {
      const card = { number, exp_month: 12, exp_year: 2040 };
      this.#methods.push((await this.#client!.post('/v1/payment_methods', { type: 'card', card })).json.id);
    }
    const running = Array.from({ length: clients }, () =>
      this.#work().catch((error: Error) => void this.violations.push(`a client: ${error.message}`)),
    );
    for (let kill = 0; kill < count; kill += 1) await this.#kill(kill);
    this.#ending = true;
    await Promise.all(running);
    await sql.query('update simulator.faults set remaining = 0');
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
      // As if all call deadlines had passed: no process is left that could have a call in flight.
      const { sql } = this.#place;
      await sql.query(`update attempts set deadline_at = now() - interval '1 minute' where state = 'open'`);
      await sql.query(
        `update payments set due_at = now() - interval '1 second', lease_until = null where open_attempt is not null`,
      );
      await sql.query(
        `update refunds set due_at = now() - interval '1 second', lease_until = null where status = 'pending'`,
      );
      // Another kill may hit the server while it starts.
      await this.#start().catch(() => {});
    }
  }

  async #kill(number: number): Promise<void> {
    const { sql } = this.#place;
    if (this.#mode === 'remote')
      await sql.query('insert into simulator.faults (kind, milliseconds, remaining) values ($1, 50, $2)', [
        faults[this.#random(faults.length)],
        this.#random(3),
      ]);
    await sleep(50 + this.#random(800));
    const life = this.#lives;
    const verb = ['authorize', 'capture', 'cancel'][this.#random(3)]!;
    const points = this.#mode === 'remote' ? crashPoints : localPoints;
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
      const verb = ['authorize', 'capture', 'cancel'][this.#random(3)]!;
      this.#made += 1;
      const name = `kill-${this.#mode}-${seed}-${this.#made}`;
      const wish = this.#next?.verb === verb ? this.#next : undefined;
      const description = wish === undefined ? `plain ${verb} - ${name}` : crashNote(verb, wish.point, name);
      const body = {
        ...{
          amount: 1 + this.#random(5_000),
          currency: 'usd',
          payment_method: this.#methods[this.#random(cards.length)],
          description,
        },
        ...(verb === 'authorize' ? {} : { capture_method: 'manual' }),
      };
      const created = await this.#ask({ key: name, path: '/v1/payments', body, answer: undefined });
      if (created.status !== 200) continue;
      const { id } = created.json;
      if (verb !== 'authorize')
        await this.#ask({ key: `${name}-${verb}`, path: `/v1/payments/${id}/${verb}`, body: {}, answer: undefined });
      if (verb !== 'cancel') await this.#refund(name, id, body.amount);
    }
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
    } else if (answer.status === 400 && /^payment_(not_|disputed)|^refund_exceeds/.test(answer.json.error.code)) {
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
      await sql.query(
        `update payments p set due_at = now() - interval '1 second' from attempts a
          where a.tenant = p.tenant and a.id = p.open_attempt and a.state in ('unknown', 'pending') and p.lease_until is null`,
      );
      await sql.query(
        `update refunds set due_at = now() - interval '1 second' where status = 'pending' and lease_until is null`,
      );
      await sql.query(`update notices set due_at = now() - interval '1 second' where due_at > now()`);
      const { rows } = await sql.query(
        `select (select count(*) from payments where status = 'processing' or open_attempt is not null or lease_until is not null)
              + (select count(*) from refunds where status = 'pending' or lease_until is not null)
              + (select count(*) from simulator.news where told_at is null and kind <> 'deadline')
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
    await Promise.all(Array.from({ length: clients }, one));
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
    const creations = this.requests.filter(({ path }) => path === '/v1/payments');
    const { rows } = await sql.query(
      `select p.id, split_part(p.description, ' ', 4) as key,
              (select count(*)::int from simulator.charges c join attempts a on a.tenant = c.tenant and a.id = c.attempt
                where a.tenant = p.tenant and a.payment = p.id and a.verb = 'authorize' and c.authorized > 0) as charges
         from payments p`,
    );
    const stored = new Map<string, { id: string; charges: number }>();
    for (const { id, key, charges } of rows) {
      if (stored.has(key)) this.violations.push(`doubled: ${key}`);
      if (charges > 1) this.violations.push(`charged ${charges} times: ${key}`);
      stored.set(key, { id, charges });
    }
    for (const { key, answer } of creations) {
      const id = answer?.status === 402 ? answer.json.error.payment : answer?.json.id;
      if (stored.get(key)?.id !== id) this.violations.push(`lost: ${key} was acknowledged as ${id}`);
    }
    this.counts.payments = rows.length;
    this.counts.charges = rows.reduce((sum, { charges }) => sum + charges, 0);
    this.counts.requests = this.requests.length;
    const ends = await sql.query('select status, count(*)::int as count from payments group by status');
    for (const { status, count } of ends.rows) this.counts[`in the end ${status}`] = count;
    const refunds = await sql.query('select status, count(*)::int as count from refunds group by status');
    for (const { status, count } of refunds.rows) this.counts[`refunds in the end ${status}`] = count;
    this.counts.disputes = (await sql.query('select count(*)::int as count from disputes')).rows[0].count;
    this.violations.push(...(await violationsOf(sql, { rest: true })));
  }
}

async function openPlace(postgres: EmbeddedPostgres, dir: string, mode: 'local' | 'remote'): Promise<Place> {
  const address = { ...postgres.connection, database: `kill_${mode}` };
  const admin = await connect({ ...postgres.connection, ...tester }, 'test');
  await admin.query(`create database ${address.database} owner ${address.user}`);
  await admin.end();
  const sql = await connect(address, 'test');
  await runMigrations(sql, address, () => {});
  const { host, port, user, password, database } = address;
  const [home, crashes] = [join(dir, `home-${mode}`), join(dir, `crashes-${mode}`)];
  for (const path of [home, crashes]) mkdirSync(path);
  const environment = {
    DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    TLS_CERT_FILE: join(dir, 'tls', 'server.pem'),
    TLS_KEY_FILE: join(dir, 'tls', 'server-key.pem'),
    TOLLGATE_VAULT_KEY: 'ab'.repeat(32),
    ...{ PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '0', SIMULATOR: mode, CRASH_DIR: crashes },
  };
  return { children: new Children(), sql, environment, ca: readFileSync(join(dir, 'tls', 'ca.pem'), 'utf8'), home };
}

const dir = mkdtempSync(join(tmpdir(), 'tollgate-kill-'));
await addTester(dir);
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
await ensureLocalCertificate(join(dir, 'tls'), new Date());
console.log(`${kills} kills with seed ${seed}`);
let isGood = true;
for (const mode of ['local', 'remote'] as const) {
  const place = await openPlace(postgres, dir, mode);
  const run = new Run(place, mode, numbers(seed + (mode === 'local' ? 0 : 1)));
  const count = mode === 'local' ? Math.floor(kills / 2) : Math.ceil(kills / 2);
  const began = performance.now();
  try {
    await run.go(count);
  } catch (error) {
    run.violations.push(`the run itself: ${(error as Error).message}`);
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${mode}: ${count} kills in ${seconds} s: ${JSON.stringify(run.counts, Object.keys(run.counts).sort(), 2)}`,
  );
  for (const violation of run.violations.slice(0, 20)) console.log(`VIOLATION: ${violation}`);
  console.log(`${mode}: ${run.violations.length} violations`);
  isGood &&= run.violations.length === 0;
  await place.sql.end();
  await place.children.cleanUp();
}
await postgres.stop();
rmSync(dir, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);
