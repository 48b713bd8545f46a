import { BlockBuffer } from '../../base/block_buffer.ts';
import type { Clock } from '../../base/clock.ts';
import { idTime } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { SingleFlight } from '../../base/single_flight.ts';
import { type Pool, query } from '../../base/sql.ts';
import { every, type Timer } from '../../base/timers.ts';
import { safePath } from '../admission/safe_path.ts';
import type { Exchange } from '../exchange.ts';

// Half a second of heavy load. Rows that do not fit are dropped and counted: the log must never slow down or crash the gateway.
const blockBytes = 4_194_304;
const flushEveryMs = 200;
const int4Max = 2_147_483_647; // in microseconds 35 minutes, and an export may take longer

/** Writes one row for each request, in batches. No request waits for it. */
export class RequestLog {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #onDrop: (entries: number) => void;
  readonly #block = new BlockBuffer(blockBytes);
  #entries = 0;
  readonly #writing = new SingleFlight(() => this.#write());
  readonly #timer: Timer;

  constructor(pool: Pool, clock: Clock, onDrop: (entries: number) => void) {
    this.#pool = pool;
    this.#clock = clock;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(exchange: Exchange, status: number): void {
    const { parameters } = exchange;
    const facts = JSON.stringify({
      at: exchange.receivedAt / 1_000,
      id: exchange.requestId,
      ...callerColumns(exchange.caller),
      operation: exchange.operation?.name,
      method: exchange.method,
      path: pathOf(exchange),
      status,
      code: exchange.errorCode,
      duration_us: Math.min(Math.round((this.#clock.monotonic() - exchange.startedAt) * 1_000), int4Max),
      address: exchange.address,
      idempotency_key: exchange.shownIdempotencyKey,
      object_id: exchange.objectId,
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

/** A visitor, who has not signed in, belongs to no tenant. */
function callerColumns(caller: Exchange['caller']): { tenant?: number; api_key?: string; user_id?: string } {
  if (caller === undefined || caller.kind === 'visitor') return {};
  const { tenant } = caller;
  return caller.kind === 'key' ? { tenant, api_key: caller.key.id } : { tenant, user_id: caller.person.user };
}

/** The route for operations and pages: the id of the object has its own column, and other values of a path are not logged. */
export function pathOf(exchange: Exchange): string {
  if (exchange.operation !== undefined) return `/v1${exchange.operation.route}`;
  return exchange.page ?? safePath(exchange.target);
}
