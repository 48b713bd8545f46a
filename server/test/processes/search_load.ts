import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Connection } from '../../base/sql.ts';
import { factsOf, forgetIndex, indexed } from '../../resources/views/search/indexed.fixture.ts';
import type { Answer, Client } from '../client.ts';
import { card } from '../http/objects.ts';
import { patienceMs, until } from './child.ts';

const workers = 8;
const retryGapMs = 20;

/** A word, and the id of the one object that has it; undefined: none has it any longer. */
type Expected = { word: string; kind: 'customer' | 'payment'; id: string | undefined };

/** Clients that create customers, rename, charge and delete them, and repeat what was not answered. A search has to find what is left. */
export class SearchLoad {
  readonly expected: Expected[] = [];
  readonly #name: string;
  readonly #random: (below: number) => number;
  readonly #current: () => Client | undefined;
  readonly #running: Promise<void>[];
  #ending = false;
  #requests = 0;
  done = 0;

  constructor(name: string, random: (below: number) => number, current: () => Client | undefined) {
    this.#name = name;
    this.#random = random;
    this.#current = current;
    this.#running = Array.from({ length: workers }, (_, at) => this.#work(`${name}w${at}`));
  }

  /** Resolves when so many more customers have come, in the middle of others. */
  async after(more: number): Promise<void> {
    const target = this.done + more;
    await until('customers have come', patienceMs, () => this.done >= target);
    await sleep(this.#random(50));
  }

  async end(): Promise<void> {
    this.#ending = true;
    await Promise.all(this.#running);
  }

  async #work(name: string): Promise<void> {
    for (let at = 0; !this.#ending; at++) {
      await this.#life(`${name}n${at}`);
      this.done++;
    }
  }

  async #life(name: string): Promise<void> {
    const [first, second, payment] = [`${name}first`, `${name}second`, `${name}order`];
    const { id } = await this.#post('customers', { name: first, email: `${first}@example.com` });
    const fate = this.#random(4);
    if (fate > 0) await this.#post(`customers/${id}`, { name: second, email: null });
    if (fate > 1) {
      const method = await this.#post('payment_methods', { type: 'card', card, customer: id });
      const charge = { amount: 1_000, currency: 'eur', payment_method: method.id, customer: id, description: payment };
      const made = await this.#post('payments', charge);
      this.expected.push({ word: payment, kind: 'payment', id: made.id });
    }
    if (fate === 3) await this.#answered((client, headers) => client.delete(`/v1/customers/${id}`, headers));
    this.expected.push({ word: first, kind: 'customer', id: fate === 0 ? id : undefined });
    if (fate > 0) this.expected.push({ word: second, kind: 'customer', id: fate === 3 ? undefined : id });
  }

  async #post(path: string, body: object): Promise<{ id: string }> {
    const answer = await this.#answered((client, headers) => client.post(`/v1/${path}`, body, headers));
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  }

  /** Under one key, until there is an answer. */
  async #answered(ask: (client: Client, headers: Record<string, string>) => Promise<Answer>): Promise<Answer> {
    const headers = { 'Idempotency-Key': `${this.#name}-${this.#requests++}` };
    return until('an answer', patienceMs, async () => {
      const client = this.#current();
      const answer = client && (await ask(client, headers).catch(() => undefined));
      if (answer !== undefined && answer.status < 500) return answer;
      return void (await sleep(retryGapMs));
    });
  }
}

/** What was committed is found, what was deleted or renamed is not, and the index says what one says that is made anew. */
export async function verifyIndex(sql: Connection, client: Client, expected: readonly Expected[]): Promise<void> {
  await indexed(sql);
  const left = [...expected];
  const wrong: string[] = [];
  const look = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { json } = await client.get(`/v1/search?q=${next.word}&kind=${next.kind}`);
      const ids = json.data.map(({ id }: { id: string }) => id);
      if (ids.join() !== (next.id ?? '')) wrong.push(`${next.word}: ${ids}, and not ${next.id}`);
    }
  };
  await Promise.all(Array.from({ length: workers }, look));
  expect(wrong).toEqual([]);
  const facts = await factsOf(sql);
  await forgetIndex(sql);
  await indexed(sql);
  expect(facts).toEqual(await factsOf(sql));
}
