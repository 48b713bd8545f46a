import type { Clock } from '../base/clock.ts';
import { idTime } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import { type Pool, query } from '../base/sql.ts';
import { every } from '../base/timers.ts';
import type { Exchange } from './exchange.ts';

const queueMax = 10_000; // beyond this, entries are dropped and counted: the log must never hold up or kill the gateway
const batchMax = 500;
const flushEveryMs = 200;

type Entry = { exchange: Exchange; status: number; durationUs: number };

/** One row a request, written beside the requests in batches, never in their way. */
export class RequestLog {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #onDrop: (entries: number) => void;
  #queue: Entry[] = [];
  #flushing: Promise<void> | undefined;
  readonly #timer: { cancel(): void };

  constructor(pool: Pool, clock: Clock, onDrop: (entries: number) => void) {
    this.#pool = pool;
    this.#clock = clock;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(exchange: Exchange, status: number): void {
    if (this.#queue.length >= queueMax) {
      this.#onDrop(1);
      return;
    }
    const durationUs = Math.round((this.#clock.monotonic() - exchange.startedAt) * 1_000);
    this.#queue.push({ exchange, status, durationUs });
  }

  flush(): Promise<void> {
    this.#flushing ??= this.#drain().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.flush();
    await this.flush(); // what came while the first was on its way
  }

  /** The redacted parameters of an earlier request of the same tenant; undefined when they are not in the log. */
  async parametersOf(tenant: Tenant, requestId: string): Promise<Record<string, unknown> | undefined> {
    await this.flush();
    const at = idTime(requestId);
    const rows = await query<{ parameters: Record<string, unknown> | null }>(
      this.#pool,
      `select parameters from requests where tenant = $1 and id = $2 and at between $3 and $4`,
      [tenant, requestId, new Date(at - 1_000), new Date(at + 1_000)],
    );
    return rows[0]?.parameters ?? undefined;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, batchMax);
      try {
        await this.#write(batch);
      } catch {
        this.#onDrop(batch.length);
      }
    }
  }

  async #write(batch: Entry[]): Promise<void> {
    const column = (value: (entry: Entry) => unknown) => batch.map(value);
    await query(
      this.#pool,
      `insert into requests (at, id, tenant, api_key, operation, method, path, status, code, duration_us, address,
                             idempotency_key, object_id, parameters)
       select * from unnest($1::timestamptz[], $2::text[], $3::int4[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int2[],
                            $9::text[], $10::int4[], $11::text[], $12::text[], $13::text[], $14::json[])`,
      [
        column((entry) => new Date(entry.exchange.receivedAt)),
        column((entry) => entry.exchange.requestId),
        column((entry) => entry.exchange.key?.tenant ?? null),
        column((entry) => entry.exchange.key?.id ?? null),
        column((entry) => entry.exchange.operation?.name ?? null),
        column((entry) => entry.exchange.method),
        column((entry) => safePath(entry.exchange.target)),
        column((entry) => entry.status),
        column((entry) => entry.exchange.errorCode ?? null),
        column((entry) => entry.durationUs),
        column((entry) => entry.exchange.address),
        column((entry) => entry.exchange.idempotencyKey ?? null),
        column((entry) => entry.exchange.objectId ?? null),
        column((entry) => entry.exchange.parameters ?? null),
      ],
      'requests_insert',
    );
  }
}

const pathCharsMax = 200;

/** A path fit for a log: no query, nothing that looks like a card number or a key, however it got there. */
export function safePath(target: string): string {
  const path = target.split('?', 1)[0]!.slice(0, pathCharsMax);
  return path
    .replace(/(?:\d[ -]?|\d%20){12,}/g, '[digits]')
    .replace(/[srw]\w{1,4}_(?:test_|live_)?\w{20,}/g, (text) => (/^(?:sk|rk|whsec)_/.test(text) ? '[key]' : text));
}
