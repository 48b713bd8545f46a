import { alone } from '../base/alone.ts';
import type { ConnectionsAt, PlaceConnection } from '../base/places/connections.ts';
import type { Tenant } from '../base/reads.ts';
import { type Masters, resealRoot } from '../base/root_key.ts';
import { type Connection, sqlState } from '../base/sql.ts';
import { MasterKeys, type WrappedKey } from './master_keys.ts';
import { type Move, reencrypt, sealedKinds } from './reencrypt.ts';

/**
 * Rotation runs beside servers, in small transactions. If it is killed at any point, the next run finishes it:
 *
 * 1. Every data key is wrapped by the current master key, and the root key is sealed by it last: a server starts without the previous
 *    master key only when the current one opens the root, so not while a data key still needs the previous one. (Servers that were never
 *    given the current key could still wrap with the previous one: all of them are restarted with both before a rotation.)
 * 2. All tenants of a place get a new data key in one transaction. A tenant with more than one key is therefore the sign of an unfinished run;
 *    the next run finishes it and makes no further keys.
 * 3. Cards, codes and secrets are sealed again, tenant by tenant.
 * 4. Keys that nothing uses are destroyed.
 *
 * A cached key cannot lose a card. A server seals with the key that was the newest at most 10 s ago (data_keys.ts), and commits within
 * seconds; step 3 begins a minute after step 2, when all servers use the new key. That minute only avoids refusals. The guarantee is the
 * foreign key from everything sealed to its data key: a write that is still too late (from a machine that was suspended) is refused
 * by the database with its whole request, and a key under which something was sealed at the last moment cannot be deleted: step 3
 * is repeated. A server that read a card's row before its key was destroyed reads the row again.
 *
 * Rotations run one at a time: a second one would make keys newer than those the first is moving to, and destroy them meanwhile.
 */
export function rotateVault({ report = () => {}, graceMs = graceMsUsual, ...parts }: Parts): Promise<Rotation> {
  const queued = () => report({ kind: 'queued' });
  return alone(parts.at.directory, { lock, queued }, () => rotate({ ...parts, report, graceMs }));
}

async function rotate({ at, masters, pause, report, graceMs }: Required<Parts>): Promise<Rotation> {
  const masterKeys = new MasterKeys(masters);
  const rewrapped = await at.everywhere((place) => rewrapKeys(place, masterKeys, report));
  const rootResealed = await resealRoot(at.directory, masters);
  if (rootResealed) report({ kind: 'root_resealed' });

  const begun = await at.everywhere((place) => beginAt(place, masterKeys));
  const resumed = begun.some(({ isResumed }) => isResumed);
  const moves = begun.flatMap(({ tenants }) => tenants).sort((one, other) => one.tenant - other.tenant);
  report({ kind: resumed ? 'resumed' : 'started', tenants: moves.length });
  const waitMs = Math.max(0, ...moves.map(({ age_ms }) => graceMs - age_ms));
  if (waitMs > 0) {
    report({ kind: 'waiting', milliseconds: waitMs });
    await pause(waitMs);
  }
  const sum: Rotation = {
    rewrapped: rewrapped.reduce((all, keys) => all + keys, 0),
    rootResealed,
    resumed,
    tenants: moves.length,
    cards: 0,
    cvcs: 0,
    secrets: 0,
    destroyed: 0,
    unfinished: 0,
    unreadable: [],
  };
  for (const { tenant, newest } of moves)
    await at.at(tenant, async (place) => {
      const move = { tenant, target: newest, keys: await readKeys(place.sql, masterKeys, tenant) };
      await moveTenant(place, move, { pause, report, sum });
    });
  return sum;
}

/** Makes new keys for the tenants of a place, unless an earlier run has and did not finish there. */
async function beginAt(
  place: PlaceConnection,
  masterKeys: MasterKeys,
): Promise<{ isResumed: boolean; tenants: UnfinishedTenant[] }> {
  const left = await unfinishedTenants(place.sql);
  if (left.length > 0) return { isResumed: true, tenants: left };
  await makeNewKeys(place, masterKeys);
  return { isResumed: false, tenants: await unfinishedTenants(place.sql) };
}

type Parts = {
  at: ConnectionsAt;
  masters: Masters;
  pause: (milliseconds: number) => Promise<void>;
  report?: Report;
  graceMs?: number;
};

export type RotationStep =
  | { kind: 'queued' }
  | { kind: 'rewrapped'; keys: number }
  | { kind: 'root_resealed' }
  | { kind: 'started' | 'resumed'; tenants: number }
  | { kind: 'waiting'; milliseconds: number }
  | { kind: 'reencrypted'; tenant: Tenant; rows: number }
  | { kind: 'destroyed'; tenant: Tenant; keys: number };

export type Rotation = {
  /** Data keys that are now wrapped by the current master key. */
  rewrapped: number;
  rootResealed: boolean;
  /** Whether this run finished an earlier one. */
  resumed: boolean;
  tenants: number;
  cards: number;
  cvcs: number;
  /** Signing secrets of webhook endpoints. */
  secrets: number;
  /** Old data keys that were destroyed. */
  destroyed: number;
  /** Tenants that still have an old key, because a row under it was locked or does not open. */
  unfinished: number;
  /** The ids of rows that do not open, a hundred at most. They stay as they are, with their key. */
  unreadable: string[];
};

const lock = 0x70_11_6a_7f; // any constant that nothing else uses
const graceMsUsual = 60_000;
const keysPerStep = 500;
const passesMax = 20;
const betweenPassesMs = 250;
const unreadableMax = 100;
const foreignKeyViolation = '23503';

type Report = (step: RotationStep) => void;

async function rewrapKeys({ sql, change }: PlaceConnection, masterKeys: MasterKeys, report: Report): Promise<number> {
  for (let rewrapped = 0; ; ) {
    const { rows } = await sql.query<WrappedKey>(
      `select tenant, version, master, wrapped from vault_keys where master <> $1 order by tenant, version limit ${keysPerStep}`,
      [masterKeys.current],
    );
    if (rows.length === 0) return rewrapped;
    const fresh = columns(rows.map((row) => masterKeys.rewrap(row)));
    const result = await change(fresh[0], () =>
      sql.query(
        `update vault_keys k set master = $1, wrapped = x.wrapped
           from unnest($2::int4[], $3::int4[], $4::bytea[]) as x (tenant, version, wrapped)
          where k.tenant = x.tenant and k.version = x.version and k.master <> $1`,
        [masterKeys.current, ...fresh],
      ),
    );
    rewrapped += result.rowCount ?? 0;
    report({ kind: 'rewrapped', keys: rows.length });
  }
}

type UnfinishedTenant = { tenant: Tenant; newest: number; age_ms: number };

/** The tenants with more than one key, and the age of their newest one. */
async function unfinishedTenants(client: Connection): Promise<UnfinishedTenant[]> {
  const { rows } = await client.query<UnfinishedTenant>(
    `select tenant, max(version) as newest, floor(extract(epoch from now() - max(created_at)) * 1000)::int8 as age_ms
       from vault_keys group by tenant having count(*) > 1 order by tenant`,
  );
  return rows;
}

/** All of a place or none: otherwise the next run would miss the tenants that a run killed here had left without a new key. */
async function makeNewKeys({ sql, change }: PlaceConnection, masterKeys: MasterKeys): Promise<void> {
  const { rows } = await sql.query<{ tenant: Tenant; newest: number }>(
    'select tenant, max(version) as newest from vault_keys group by tenant',
  );
  const keys = columns(rows.map(({ tenant, newest }) => masterKeys.newDataKey(tenant, newest + 1)));
  await change(keys[0], () =>
    sql.query(
      `insert into vault_keys (tenant, version, master, wrapped)
       select x.tenant, x.version, $1, x.wrapped from unnest($2::int4[], $3::int4[], $4::bytea[]) as x (tenant, version, wrapped)
           on conflict do nothing`,
      [masterKeys.current, ...keys],
    ),
  );
}

function columns(keys: readonly WrappedKey[]): [Tenant[], number[], Buffer[]] {
  return [keys.map((key) => key.tenant), keys.map((key) => key.version), keys.map((key) => key.wrapped)];
}

/** In several passes, because servers may hold a row or add one under the old key; not endlessly, because a row may not open. */
async function moveTenant(
  place: PlaceConnection,
  move: Move,
  { pause, report, sum }: Pick<Required<Parts>, 'pause' | 'report'> & { sum: Rotation },
): Promise<void> {
  const { tenant, target } = move;
  for (let pass = 1; ; pass++) {
    let rows = 0;
    const unreadable: string[] = [];
    for (const kind of sealedKinds) {
      const moved = await reencrypt(place, kind, move, (rows) => report({ kind: 'reencrypted', tenant, rows }));
      sum[kind] += moved.rows;
      rows += moved.rows;
      unreadable.push(...moved.unreadable);
    }
    const { destroyed, left } = await destroyUnusedKeys(place, tenant, target);
    sum.destroyed += destroyed;
    if (destroyed > 0) report({ kind: 'destroyed', tenant, keys: destroyed });
    const isStuck = unreadable.length > 0 && rows === 0;
    if (left === 0 || isStuck || pass === passesMax) {
      sum.unfinished += left === 0 ? 0 : 1;
      sum.unreadable.push(...unreadable.slice(0, unreadableMax - sum.unreadable.length));
      return;
    }
    await pause(betweenPassesMs);
  }
}

async function readKeys(client: Connection, masterKeys: MasterKeys, tenant: Tenant) {
  const { rows } = await client.query<WrappedKey>(
    'select tenant, version, master, wrapped from vault_keys where tenant = $1',
    [tenant],
  );
  return new Map(rows.map((row) => [row.version, masterKeys.unwrap(row)]));
}

async function destroyUnusedKeys({ sql, change }: PlaceConnection, tenant: Tenant, target: number) {
  let destroyed = 0;
  try {
    const result = await change([tenant], () =>
      sql.query(
        `delete from vault_keys k where k.tenant = $1 and k.version < $2
            and not exists (select from vault_cards c where c.tenant = k.tenant and c.key_version = k.version)
            and not exists (select from vault_cvcs c where c.tenant = k.tenant and c.key_version = k.version)
            and not exists (select from vault_secrets s where s.tenant = k.tenant and s.key_version = k.version)`,
        [tenant, target],
      ),
    );
    destroyed = result.rowCount ?? 0;
  } catch (error) {
    if (sqlState(error) !== foreignKeyViolation) throw error; // something was sealed under the key while it was being deleted
  }
  const { rows } = await sql.query<{ left: number }>(
    'select count(*) as left from vault_keys where tenant = $1 and version < $2',
    [tenant, target],
  );
  return { destroyed, left: rows[0]!.left };
}
