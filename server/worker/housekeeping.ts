import { firstIdAt } from '../base/id.ts';
import type { Log } from '../base/log.ts';
import { type Pool, query } from '../base/sql.ts';
import { every, type Timer } from '../base/timers.ts';
import { cancelOrphans } from '../outbox/orphans.ts';
import { sweepCvcs } from '../vault/index.ts';

const everyMs = 60_000;
const requestLogDays = 30;
const partitionsAhead = 2; // days: the log goes on through two days in which this cannot run
const eventDays = 90;
const dayMs = 86_400_000;
const lockPatienceMs = 200;
const rowsPerStep = 5_000; // small steps: no long locks, no long transactions

/** Quick ones first: what may take long, after days without housekeeping, holds up nothing but itself. */
const chores: [name: string, run: (pool: Pool) => Promise<void>][] = [
  ['partitions of the request log', keepPartitions],
  ['webhook secrets whose overlap is over', destroyOldSecrets],
  ['expired idempotency keys', (pool) => deleteExpired(pool, 'idempotency')],
  ['used signatures', (pool) => deleteExpired(pool, 'used_signatures')],
  ['deliveries to deleted endpoints', cancelOrphans],
  ['old events', purgeEvents],
];

/** Sweeps away what has served its time, and makes room for tomorrow's log. Any number of instances may do it at once. */
export class Housekeeping {
  readonly #pool: Pool;
  readonly #log: Log;
  // Apart: that a security code is gone in time must not hang on anything else.
  readonly #rounds = [new Rounds(() => this.#sweepCodes()), new Rounds(() => this.#sweepTheRest())];

  constructor(pool: Pool, log: Log) {
    this.#pool = pool;
    this.#log = log;
  }

  start(): void {
    for (const rounds of this.#rounds) rounds.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((rounds) => rounds.stop()));
  }

  async #sweepCodes(): Promise<void> {
    await sweepCvcs(this.#pool).catch((error) =>
      this.#log.error({ error: String(error) }, 'expired security codes could not be deleted; next try in a minute'),
    );
  }

  async #sweepTheRest(): Promise<void> {
    for (const [chore, run] of chores)
      await run(this.#pool).catch((error) =>
        this.#log.warn({ chore, error: String(error) }, 'housekeeping failed; it will be tried again in a minute'),
      );
  }
}

/** Work that is done at once, since some may have gathered while nothing ran, and then every minute. */
class Rounds {
  readonly #work: () => Promise<void>;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  start(): void {
    this.#timer = every(everyMs, () => this.#begin());
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }

  /** A round that takes longer than a minute is as good as the next one, which then falls out: they never pile up. */
  #begin(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
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
        where ctid = any (array(select ctid from webhook_endpoints where previous_until <= now() limit ${rowsPerStep}
                                   for update skip locked)) returning tenant, id || '/' || (secret - 1) as old)
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
  for (const { name, id, prefix } of aged) {
    const oldest = firstIdAt(prefix, clock!.ms - eventDays * dayMs);
    for (const { tenant } of await tenantsWithOlder(pool, name, id, oldest))
      await purge(pool, name, id, tenant, oldest);
  }
}

/** One look at the start of each tenant's key range. The limit keeps the planner from reading the whole table for it. */
function tenantsWithOlder(pool: Pool, name: string, id: string, oldest: string): Promise<{ tenant: number }[]> {
  return query<{ tenant: number }>(
    pool,
    `select t.tenant from tenants t
      cross join lateral (select from ${name} x where x.tenant = t.tenant and x.${id} < $1 order by x.${id} limit 1) old`,
    [oldest],
  );
}

async function purge(pool: Pool, name: string, id: string, tenant: number, oldest: string): Promise<void> {
  for (let rows = rowsPerStep; rows === rowsPerStep; ) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from ${name} where tenant = $1 and ctid = any (array(
           select ctid from ${name} where tenant = $1 and ${id} < $2 order by ${id} limit ${rowsPerStep}
              for update skip locked)) returning 1)
       select count(*) as rows from gone`,
      [tenant, oldest],
    );
    rows = step!.rows;
  }
}
