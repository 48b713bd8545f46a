import { BlockBuffer } from '../../base/block_buffer.ts';
import { idTime } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { SingleFlight } from '../../base/single_flight.ts';
import { type Pool, query } from '../../base/sql.ts';
import { every, type Timer } from '../../base/timers.ts';

// Half a second of heavy load. Rows that do not fit are dropped and counted: the log must never slow down or crash the gateway.
const blockBytes = 4_194_304;
const flushEveryMs = 200;
const int4Max = 2_147_483_647; // in microseconds 35 minutes, and an export may take longer

/** A request that was answered. What is not known of it is undefined. */
export type AnsweredRequest = {
  id: string;
  /** When it arrived, epoch milliseconds. */
  receivedAt: number;
  durationMs: number;
  tenant: Tenant | undefined;
  apiKey: string | undefined;
  user: string | undefined;
  operation: string | undefined;
  method: string;
  /** The route, where there is one. */
  path: string;
  status: number;
  code: string | undefined;
  address: string;
  idempotencyKey: string | undefined;
  objectId: string | undefined;
  /** Redacted, as JSON. */
  parameters: string | undefined;
};

/** Writes one row for each request, in batches. No request waits for it. */
export class RequestLog {
  readonly #pool: Pool;
  readonly #onDrop: (entries: number) => void;
  readonly #block = new BlockBuffer(blockBytes);
  #entries = 0;
  readonly #writing = new SingleFlight(() => this.#write());
  readonly #timer: Timer;

  constructor(pool: Pool, onDrop: (entries: number) => void) {
    this.#pool = pool;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(request: AnsweredRequest): void {
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
      duration_us: Math.min(Math.round(request.durationMs * 1_000), int4Max),
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

  async #write(): Promise<void> {
    const entries = this.#entries;
    if (entries === 0) return;
    const rows = Buffer.concat([this.#block.take(), Buffer.from(']')]);
    this.#entries = 0;
    try {
      await query(
        this.#pool,
        `insert into requests (at, id, tenant, api_key, operation, method, path, status, code, duration_us, address,
                               idempotency_key, object_id, user_id, parameters)
         select to_timestamp(x.at), x.id, x.tenant, x.api_key, x.operation, x.method, x.path, x.status, x.code, x.duration_us,
                x.address, x.idempotency_key, x.object_id, x.user_id, x.parameters
           from json_to_recordset($1::json) as x (at float8, id text, tenant int4, api_key text, operation text, method text,
                path text, status int2, code text, duration_us int4, address text, idempotency_key text, object_id text,
                user_id text, parameters json)`,
        [rows],
        'requests_insert',
      );
    } catch {
      this.#onDrop(entries);
    }
  }
}
