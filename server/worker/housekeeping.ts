import { firstIdAt } from '../base/id.ts';
import type { Log } from '../base/log.ts';
import { type Pool, query } from '../base/sql.ts';
import { every, type Timer } from '../base/timers.ts';
import { cancelOrphans } from '../outbox/due.ts';
import { sweepCvcs } from '../vault/index.ts';

const everyMs = 60_000;
const requestLogDays = 30;
const partitionsAhead = 2; // days: the log goes on through two days in which this cannot run
const eventDays = 90;
const dayMs = 86_400_000;
const lockPatienceMs = 200;
const rowsPerStep = 5_000; // small steps: no long locks, no long transactions

/** Sweeps away what has served its time, and makes room for tomorrow's log. Any number of instances may do it at once. */
export class Housekeeping {
  readonly #pool: Pool;
  readonly #log: Log;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  start(): void {
    const sweep = () => {
      this.#running = this.#running.then(() => this.#sweep());
    };
    this.#timer = every(everyMs, sweep);
    sweep(); // whatever expired while nothing ran
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }

  async #sweep(): Promise<void> {
    // First and apart: that a security code is gone in time must not hang on anything else.
    await sweepCvcs(this.#pool).catch((error) =>
      this.#log.error({ error: String(error) }, 'expired security codes could not be deleted; next try in a minute'),
    );
    try {
      await keepPartitions(this.#pool);
      await deleteExpired(this.#pool, 'idempotency');
      await deleteExpired(this.#pool, 'used_signatures');
      await purgeEvents(this.#pool);
      await cancelOrphans(this.#pool);
      await destroyOldSecrets(this.#pool);
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'housekeeping failed; it will be tried again in a minute');
    }
  }
}

/** One partition of the request log a day, from yesterday (clocks differ) to the day after tomorrow. */
export async function keepPartitions(pool: Pool): Promise<void> {
  const [today] = await query<{ ms: number }>(
    pool,
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
    [],
  );
  const found = await query<{ name: string }>(
    pool,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass`,
    [],
  );
  const existing = new Set(found.map((row) => row.name));
  for (let day = -1; day <= partitionsAhead; day++) {
    const start = new Date(today!.ms + day * dayMs);
    if (!existing.has(partitionName(start))) await createPartition(pool, start);
  }
  const oldest = partitionName(new Date(today!.ms - requestLogDays * dayMs));
  for (const name of existing) if (name < oldest) await withinLockPatience(pool, `drop table if exists ${name}`);
}

async function createPartition(pool: Pool, start: Date): Promise<void> {
  const end = new Date(start.getTime() + dayMs);
  await withinLockPatience(
    pool,
    `create table if not exists ${partitionName(start)} partition of requests
       for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
  );
}

/**
 * Changing partitions needs the log for itself. While somebody reads it (a backup, for hours), waiting for that would hold up
 * everybody who logs a request: so it gives up quickly, and the next sweep tries again. Another instance may be doing the same.
 */
async function withinLockPatience(pool: Pool, statement: string): Promise<void> {
  await query(
    pool,
    `do $$ begin
       perform set_config('lock_timeout', '${lockPatienceMs}ms', true);
       ${statement};
     exception when lock_not_available or duplicate_table or invalid_object_definition or unique_violation then null; end $$`,
    [],
  );
}

/** Names sort like dates. */
function partitionName(day: Date): string {
  return `requests_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

async function deleteExpired(pool: Pool, name: 'idempotency' | 'used_signatures'): Promise<void> {
  for (;;) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from ${name} where ctid = any (array(select ctid from ${name} where expires_at <= now() limit ${rowsPerStep}
                                                     for update skip locked)) returning 1)
       select count(*) as rows from gone`,
      [],
    );
    if (step!.rows < rowsPerStep) return;
  }
}

/** The overlap of a rotation is over: the secret before it is destroyed. */
async function destroyOldSecrets(pool: Pool): Promise<void> {
  await query(
    pool,
    `with over as (
       update webhook_endpoints set previous_until = null, version = version + 1
        where previous_until <= now() returning tenant, id || '/' || (secret - 1) as old)
     delete from vault_secrets s using over where s.tenant = over.tenant and s.id = over.old`,
    [],
  );
}

const aged = [
  { name: 'events', id: 'id', prefix: 'evt' },
  { name: 'deliveries', id: 'id', prefix: 'whd' },
  { name: 'delivery_attempts', id: 'delivery', prefix: 'whd' },
] as const;

/** These ids begin with the time of their event, so that the old ones of a tenant are the start of its key range. */
async function purgeEvents(pool: Pool): Promise<void> {
  const [clock] = await query<{ ms: number }>(pool, 'select extract(epoch from now())::int8 * 1000 as ms', []);
  const since = clock!.ms - eventDays * dayMs;
  for (const { tenant } of await query<{ tenant: number }>(pool, 'select tenant from tenants', []))
    for (const { name, id, prefix } of aged) await purge(pool, name, id, tenant, firstIdAt(prefix, since));
}

async function purge(pool: Pool, name: string, id: string, tenant: number, oldest: string): Promise<void> {
  for (let rows = rowsPerStep; rows === rowsPerStep; ) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from ${name} where tenant = $1 and ctid = any (array(
           select ctid from ${name} where tenant = $1 and ${id} < $2 order by ${id} limit ${rowsPerStep})) returning 1)
       select count(*) as rows from gone`,
      [tenant, oldest],
    );
    rows = step!.rows;
  }
}
