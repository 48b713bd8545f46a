import { BlockBuffer } from '../../../base/block_buffer.ts';
import type { Clock } from '../../../base/clock.ts';
import { idTime } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { SingleFlight } from '../../../base/single_flight.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { every, type Timer } from '../../../base/timers.ts';
import { AnonymousRequests, type AnonymousRow } from './anonymous.ts';
import { BodyLog } from './bodies.ts';
import { type AnsweredRequest, durationUsOf } from './request.ts';

// Half a second of heavy load. Rows that do not fit are dropped and counted: the log must never slow down or crash the gateway.
const blockBytes = 4_194_304;
const flushEveryMs = 200;

/** Writes one row for each request of a tenant, and fewer for all others, in batches. No request waits for it. */
export class RequestLog {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #onDrop: (entries: number) => void;
  readonly #anonymous = new AnonymousRequests();
  readonly #block = new BlockBuffer(blockBytes);
  #entries = 0;
  readonly #bodies: BodyLog;
  readonly #writing = new SingleFlight(() => this.#write());
  readonly #timer: Timer;

  constructor(pool: Pool, clock: Clock, onDrop: (entries: number) => void) {
    this.#pool = pool;
    this.#bodies = new BodyLog(pool);
    this.#clock = clock;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(request: AnsweredRequest): void {
    if (request.tenant === undefined) this.#anonymous.add(request);
    else this.#append(request);
    if (request.bodies !== undefined) this.#bodies.add(request, request.bodies);
  }

  #append(request: AnsweredRequest): void {
    const { parameters } = request;
    const facts = JSON.stringify({
      at: request.receivedAt / 1_000,
      id: request.id,
      tenant: request.tenant,
      api_key: request.apiKey,
      user_id: request.user,
      operation: request.operation,
      method: request.method,
      path: request.path,
      status: request.status,
      code: request.code,
      param: request.param,
      message: request.message,
      duration_us: durationUsOf(request),
      address: request.address,
      idempotency_key: request.idempotencyKey,
      object_id: request.objectId,
    });
    // The parameters are JSON already.
    const row = parameters === undefined ? facts : `${facts.slice(0, -1)},"parameters":${parameters}}`;
    if (this.#block.append(this.#entries === 0 ? `[${row}` : `,${row}`)) this.#entries++;
    else this.#onDrop(1);
  }

  flush(): Promise<void> {
    return this.#writing.run();
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#settle();
    await this.#writeAnonymous(Number.POSITIVE_INFINITY); // the counts of this minute
  }

  async #settle(): Promise<void> {
    await this.flush();
    await this.flush(); // the rows that were added while the first write was in flight
  }

  /** The redacted parameters of an earlier request of the tenant, if they are in the log. */
  async parametersOf(tenant: Tenant, requestId: string): Promise<Record<string, unknown> | undefined> {
    await this.#settle();
    const at = idTime(requestId);
    const rows = await query<{ parameters: Record<string, unknown> | null }>(
      this.#pool,
      'select parameters from requests where tenant = $1 and id = $2 and at between $3 and $4',
      [tenant, requestId, new Date(at - 1_000), new Date(at + 1_000)],
    );
    return rows[0]?.parameters ?? undefined;
  }

  async #writeAnonymous(now: number): Promise<void> {
    const rows = this.#anonymous.take(now);
    if (rows.length === 0) return;
    await insertAnonymous(this.#pool, rows).catch(() => this.#onDrop(rows.length));
  }

  async #write(): Promise<void> {
    await this.#writeAnonymous(this.#clock.now());
    const entries = this.#entries;
    if (entries === 0) return;
    const rows = Buffer.concat([this.#block.take(), Buffer.from(']')]);
    this.#entries = 0;
    // First: who finds a request in the log finds what it has sent.
    await this.#bodies.take()();
    try {
      await query(
        this.#pool,
        `insert into requests (at, id, tenant, api_key, operation, method, path, status, code, param, message,
                               duration_us, address, idempotency_key, object_id, user_id, parameters)
         select to_timestamp(x.at), x.id, x.tenant, x.api_key, x.operation, x.method, x.path, x.status, x.code, x.param, x.message,
                x.duration_us, x.address, x.idempotency_key, x.object_id, x.user_id, x.parameters
           from json_to_recordset($1::json) as x (at float8, id text, tenant int4, api_key text, operation text, method text,
                path text, status int2, code text, param text, message text, duration_us int4, address text, idempotency_key text,
                object_id text, user_id text, parameters json)`,
        [rows],
        'requests_insert',
      );
    } catch {
      this.#onDrop(entries);
    }
  }
}

async function insertAnonymous(pool: Pool, rows: readonly AnonymousRow[]): Promise<void> {
  await query(
    pool,
    `insert into anonymous_requests (at, id, operation, method, path, status, code, duration_us, address, count)
     select to_timestamp(x.at), x.id, x.operation, x.method, x.path, x.status, x.code, x.duration_us, x.address, x.count
       from json_to_recordset($1::json) as x (at float8, id text, operation text, method text, path text, status int2, code text,
            duration_us int4, address text, count int4)`,
    [JSON.stringify(rows)],
    'anonymous_requests_insert',
  );
}
