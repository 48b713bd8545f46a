import { BlockBuffer } from '../../../base/block_buffer.ts';
import type { Clock } from '../../../base/clock.ts';
import { getOrMake } from '../../../base/get_or_make.ts';
import { idTime } from '../../../base/id.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
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

type OnDrop = (entries: number) => void;

/** Writes one row for each request of a tenant, and fewer for all others, in batches. No request waits for it. */
export class RequestLog {
  readonly #relaxed: SqlAt;
  readonly #clock: Clock;
  readonly #onDrop: OnDrop;
  readonly #anonymous = new AnonymousRequests();
  /** By the place: one that does not answer keeps no other waiting. */
  readonly #tenants = new Map<string, TenantRequests>();
  readonly #writing = new SingleFlight(() => this.#write());
  readonly #timer: Timer;

  constructor(relaxed: SqlAt, clock: Clock, onDrop: OnDrop) {
    this.#relaxed = relaxed;
    this.#clock = clock;
    this.#onDrop = onDrop;
    this.#timer = every(flushEveryMs, () => void this.flush());
  }

  add(request: AnsweredRequest): void {
    const { tenant } = request;
    if (tenant === undefined) this.#anonymous.add(request);
    else this.#at(tenant).add(tenant, request);
  }

  #at(tenant: Tenant): TenantRequests {
    const make = () => new TenantRequests(this.#relaxed, this.#onDrop);
    return getOrMake(this.#tenants, this.#relaxed.placeOf(tenant), make);
  }

  async flush(): Promise<void> {
    await Promise.all([this.#writing.run(), ...[...this.#tenants.values()].map((requests) => requests.flush())]);
    this.#forgetSplitPlaces();
  }

  /** What had come for them was written where its tenants are now. */
  #forgetSplitPlaces(): void {
    const places = this.#relaxed.places('tenant');
    if (this.#tenants.size <= places.length) return;
    const names = new Set(places.map(({ name }) => name));
    for (const [name, requests] of this.#tenants) if (!names.has(name) && requests.isEmpty) this.#tenants.delete(name);
  }

  async close(): Promise<void> {
    this.#timer.cancel();
    await Promise.all([...this.#tenants.values()].map((requests) => requests.settle()));
    await this.flush();
    await this.#writeAnonymous(Number.POSITIVE_INFINITY); // the counts of this minute
  }

  /** The redacted parameters of an earlier request of the tenant, if they are in the log. */
  async parametersOf(tenant: Tenant, requestId: string): Promise<Record<string, unknown> | undefined> {
    await this.#at(tenant).settle();
    const at = idTime(requestId);
    const rows = await this.#relaxed.at(tenant, (sql) =>
      query<{ parameters: Record<string, unknown> | null }>(
        sql,
        'select parameters from requests where tenant = $1 and id = $2 and at between $3 and $4',
        [tenant, requestId, new Date(at - 1_000), new Date(at + 1_000)],
      ),
    );
    return rows[0]?.parameters ?? undefined;
  }

  #write(): Promise<void> {
    return this.#writeAnonymous(this.#clock.now());
  }

  async #writeAnonymous(now: number): Promise<void> {
    const rows = this.#anonymous.take(now);
    if (rows.length === 0) return;
    await insertAnonymous(this.#relaxed.directory, rows).catch(() => this.#onDrop(rows.length));
  }
}

/** The requests of the tenants of a place. */
class TenantRequests {
  readonly #relaxed: SqlAt;
  readonly #onDrop: OnDrop;
  readonly #block = new BlockBuffer(blockBytes);
  #entries = 0;
  #tenants = new Set<Tenant>();
  readonly #bodies = new BodyLog();
  readonly #writing = new SingleFlight(() => this.#write());

  constructor(relaxed: SqlAt, onDrop: OnDrop) {
    this.#relaxed = relaxed;
    this.#onDrop = onDrop;
  }

  add(tenant: Tenant, request: AnsweredRequest): void {
    this.#append(request);
    if (request.bodies !== undefined) this.#bodies.add(request, request.bodies);
    this.#tenants.add(tenant);
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

  get isEmpty(): boolean {
    return this.#entries === 0;
  }

  flush(): Promise<void> {
    return this.#writing.run();
  }

  async settle(): Promise<void> {
    await this.flush();
    await this.flush(); // the rows that were added while the first write was in flight
  }

  /** When their shard has been split since the rows were collected, the tenants are at several places: each gets its rows of the block. */
  async #write(): Promise<void> {
    const entries = this.#entries;
    if (entries === 0) return;
    const rows = Buffer.concat([this.#block.take(), Buffer.from(']')]);
    const bodies = this.#bodies.take();
    const tenants = [...this.#tenants];
    this.#entries = 0;
    this.#tenants = new Set();
    const writeAt = async (sql: Pool, there: readonly Tenant[]) => {
      const only = there.length === tenants.length ? undefined : there;
      // First: who finds a request in the log finds what it has sent.
      await bodies(sql, only);
      await insertRequests(sql, rows, only);
      return there;
    };
    await this.#relaxed.each(tenants, (tenant) => tenant, writeAt).catch(() => this.#onDrop(entries));
  }
}

async function insertRequests(pool: Pool, rows: Buffer, only: readonly Tenant[] | undefined): Promise<void> {
  const text = `insert into requests (at, id, tenant, api_key, operation, method, path, status, code, param, message,
                               duration_us, address, idempotency_key, object_id, user_id, parameters)
         select to_timestamp(x.at), x.id, x.tenant, x.api_key, x.operation, x.method, x.path, x.status, x.code, x.param, x.message,
                x.duration_us, x.address, x.idempotency_key, x.object_id, x.user_id, x.parameters
           from json_to_recordset($1::json) as x (at float8, id text, tenant int4, api_key text, operation text, method text,
                path text, status int2, code text, param text, message text, duration_us int4, address text, idempotency_key text,
                object_id text, user_id text, parameters json)`;
  if (only === undefined) await query(pool, text, [rows], 'requests_insert');
  else await query(pool, `${text} where x.tenant = any($2::int4[])`, [rows, only]);
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
