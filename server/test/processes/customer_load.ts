import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import type { Answer, Client } from '../client.ts';
import { seed } from '../torture.ts';
import { patienceMs, until } from './child.ts';

const workers = 12;
const retryGapMs = 20;

/** One request of a client: a customer with this name, under the idempotency key of the same name. */
type Intent = { key: string; answer: string | undefined; abandoned: boolean };

/**
 * Clients that create customers, one after the other, and repeat unanswered requests under the same key. Some give up instead, and some
 * repeat requests that were answered.
 */
export class Load {
  readonly intents: Intent[] = [];
  /** Answers that a client must never get. */
  readonly violations: string[] = [];
  readonly counts = { acknowledged: 0, replayed: 0, unavailable: 0, dropped: 0, abandoned: 0 };
  /** When the last acknowledged request began. */
  lastBegan = 0;
  readonly #name: string;
  readonly #current: () => Client | undefined;
  readonly #random: (below: number) => number;
  readonly #running: Promise<void>[];
  #ending = false;

  constructor(name: string, random: (below: number) => number, current: () => Client | undefined) {
    this.#name = name;
    this.#random = random;
    this.#current = current;
    const work = () => this.#work().catch((error: Error) => void this.violations.push(error.message));
    this.#running = Array.from({ length: workers }, work);
  }

  /** Lets all clients finish their current request, and starts no new one. */
  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#running);
  }

  async #work(): Promise<void> {
    while (!this.#ending) {
      const intent: Intent = {
        key: `${this.#name}-${seed}-${this.intents.length}`,
        answer: undefined,
        abandoned: false,
      };
      this.intents.push(intent);
      await this.#fulfil(intent);
      if (!intent.abandoned && this.#random(8) === 0) await this.#attempt(intent);
    }
  }

  async #fulfil(intent: Intent): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while (intent.answer === undefined && !intent.abandoned) {
      if (performance.now() > deadline) throw new Error(`${intent.key} was not answered within ${patienceMs} ms`);
      await this.#attempt(intent);
      if (intent.answer !== undefined) return;
      if (this.#random(10) === 0) {
        intent.abandoned = true;
        this.counts.abandoned += 1;
      } else await sleep(retryGapMs);
    }
  }

  async #attempt(intent: Intent): Promise<void> {
    const client = await until('there is a server to ask', patienceMs, this.#current);
    const began = performance.now();
    const answer = await wanting(client, intent.key).catch(() => undefined);
    if (answer === undefined) this.counts.dropped += 1;
    else if (answer.status === 200) this.#acknowledge(intent, answer, began);
    else if (isUnavailable(answer)) this.counts.unavailable += 1;
    else this.violations.push(`${intent.key}: ${answer.status} ${answer.text}`);
  }

  #acknowledge(intent: Intent, answer: Answer, began: number): void {
    if (intent.answer !== undefined && intent.answer !== answer.text)
      this.violations.push(`${intent.key} was answered with ${intent.answer} and with ${answer.text}`);
    intent.answer = answer.text;
    this.lastBegan = Math.max(this.lastBegan, began);
    this.counts.acknowledged += 1;
    if (answer.headers['idempotent-replayed'] === 'true') this.counts.replayed += 1;
  }
}

export function wanting(client: Client, key: string): Promise<Answer> {
  return client.post('/v1/customers', { name: key }, { 'Idempotency-Key': key });
}

function isUnavailable({ status, headers, json }: Answer): boolean {
  return status === 500 && json.error.code === 'unavailable' && /^\d+$/.test(headers['retry-after'] ?? '');
}

/** At a random moment that follows from the seed, while requests are in flight. */
export async function atSomeMoment(load: Load, random: (below: number) => number): Promise<void> {
  const target = load.counts.acknowledged + 50 + random(150);
  await until('some requests have been answered', patienceMs, () => load.counts.acknowledged >= target);
  await sleep(random(50));
}

type Facts = { names: Map<string, string[]>; events: Map<string, number>; keys: Map<string, string> };

export async function readFacts(connection: Connection, prefix: string): Promise<Facts> {
  const facts: Facts = { names: new Map(), events: new Map(), keys: new Map() };
  const like = `${prefix}-%`;
  const customers = await connection.query('select name, id from customers where name like $1', [like]);
  for (const { name, id } of customers.rows) facts.names.set(name, [...(facts.names.get(name) ?? []), id]);
  const events = await connection.query(
    `select e.object_id, count(*) as n from events e join customers c on c.tenant = e.tenant and c.id = e.object_id
      where c.name like $1 and e.type = 'customer.created' group by 1`,
    [like],
  );
  for (const { object_id, n } of events.rows) facts.events.set(object_id, n);
  const keys = await connection.query(
    // Other answers may be sealed, and are no text.
    `select body from (select case when operation = 'customers.create' then convert_from(body, 'utf8') end as body from idempotency) k
      where body::json ->> 'name' like $1`,
    [like],
  );
  for (const { body } of keys.rows) facts.keys.set(JSON.parse(body).name, body); // the key of each request is the name it gives
  return facts;
}

/** Every acknowledged customer is stored once, and every stored one is complete. */
export async function verify(load: Load, connection: Connection, prefix: string, atLeast: number): Promise<void> {
  const facts = await readFacts(connection, prefix);
  const wrong: string[] = [...load.violations];
  for (const { key, answer, abandoned } of load.intents) {
    const ids = facts.names.get(key) ?? [];
    if (ids.length > 1) wrong.push(`${key} has the customers ${ids.join(', ')}`);
    if (answer !== undefined && ids[0] !== JSON.parse(answer).id) wrong.push(`${key} was acknowledged and is lost`);
    if (answer !== undefined && facts.keys.get(key) !== answer) wrong.push(`${key} has another saved answer`);
    if (answer === undefined && !abandoned) wrong.push(`${key} was never answered`);
    if ((ids.length === 0) === facts.keys.has(key)) wrong.push(`${key} is half done: ${ids.length} customers`);
    for (const id of ids) if (facts.events.get(id) !== 1) wrong.push(`${key}: ${facts.events.get(id) ?? 0} events`);
  }
  if (facts.names.size > load.intents.length) wrong.push('there are customers that nobody wanted');
  expect(wrong).toEqual([]);
  // Otherwise the test has tested nothing.
  expect(load.counts.acknowledged).toBeGreaterThan(atLeast);
  expect(load.counts.dropped + load.counts.unavailable).toBeGreaterThan(0);
}

/** A later retry gets the same answer. */
export async function expectReplays(load: Load, client: Client, random: (below: number) => number): Promise<void> {
  const answered = load.intents.filter((intent) => intent.answer !== undefined);
  for (let repeats = 0; repeats < 50; repeats += 1) {
    const { key, answer } = answered[random(answered.length)]!;
    const again = await wanting(client, key);
    expect(again).toMatchObject({ status: 200, text: answer, headers: { 'idempotent-replayed': 'true' } });
  }
}
