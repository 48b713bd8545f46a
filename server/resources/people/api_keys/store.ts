import { type DirectoryWrite, insert, type Table, table, update } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Sql } from '../../../base/sql.ts';
import type { KeyWithAccount } from '../../../operations/caller.ts';
import type { ApiKey, ApiKeyId, UsedApiKey } from './api_key.ts';

const columns = {
  int4: 'tenant version',
  text: 'id hint name rolled_to',
  bytea: 'hash',
  json: 'scopes allowed_ips',
  bool: 'signature_required',
} as const;

/** Without `last_used`: an update replaces all columns, and would overwrite what `noteKeysUsed` has written since the key was read. */
const keysTable: Table<ApiKey, 'directory'> = table('api_keys', {
  home: 'directory',
  ...columns,
  timestamptz: 'expires_at revoked_at scope_uses_since',
});
export const keysView: Table<UsedApiKey, 'directory'> = table('api_keys', {
  home: 'directory',
  ...columns,
  timestamptz: 'expires_at revoked_at last_used scope_uses_since',
});

export const addKey = (key: ApiKey): DirectoryWrite => insert(keysTable, key);
export const replaceKey = (key: ApiKey): DirectoryWrite => update(keysTable, key);

/**
 * A key, and the database's time in epoch milliseconds: the end of a key is judged by that clock, so it is set by that clock too. The
 * clock of this process follows it, but may be some milliseconds off.
 */
export async function findKey(reads: Reads, tenant: Tenant, id: ApiKeyId) {
  const [row] = await reads.directory.rows<UsedApiKey & { now: number }>(
    `select ${keysView.columns.join(', ')}, floor(extract(epoch from now()) * 1000)::int8 as now
       from api_keys where tenant = $1 and id = $2`,
    [tenant, id],
  );
  if (row === undefined) return undefined;
  const { now, ...key } = row;
  return { key, now };
}

/** By hash and therefore across tenants: this is how a request finds its tenant. */
export async function findKeysByHash(sql: Sql | Pool, hashes: Buffer[]): Promise<Map<string, KeyWithAccount>> {
  const rows = await query<KeyWithAccount & { hash: Buffer }>(
    sql,
    `select k.id, k.tenant, t.account, t.mode, k.name, k.hint, k.scopes, k.allowed_ips, k.signature_required, k.expires_at,
            k.revoked_at, k.rolled_to, k.hash, a.tier, a.rate_limit, a.status as account_status,
            coalesce(k.expires_at <= now(), false) as expired, coalesce(k.revoked_at <= now(), false) as revoked
       from api_keys k join tenants t on t.tenant = k.tenant join accounts a on a.id = t.account
      where k.hash = any($1::bytea[])`,
    [hashes],
    'keys_by_hash',
  );
  return new Map(rows.map(({ hash, ...key }) => [hash.toString('base64'), key]));
}

/** The hashes of the keys that were used last, and of the newest unused ones; the most recent last. Revoked keys are left out. */
export async function findRecentHashes(pool: Pool, limit: number): Promise<Buffer[]> {
  const rows = await query<{ hash: Buffer }>(
    pool,
    `select hash from api_keys where revoked_at is null or revoked_at > now()
      order by last_used desc nulls last, id desc limit $1`,
    [limit],
  );
  return rows.map(({ hash }) => hash).reverse();
}

/** The scopes that keys have needed since a moment of each key's own, by the id of the key. */
export async function findUsedScopes(
  reads: Reads,
  tenant: Tenant,
  keys: readonly { id: ApiKeyId; since: number }[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await reads.directory.rows<{ key_id: ApiKeyId; scopes: string[] }>(
    `select u.key_id, array_agg(u.scope order by u.scope) as scopes
       from unnest($2::text[], $3::timestamptz[]) as x (key_id, since)
       join api_key_uses u on u.key_id = x.key_id and u.last_used >= x.since
      where u.tenant = $1 group by u.key_id`,
    [tenant, keys.map(({ id }) => id), keys.map(({ since }) => new Date(since))],
  );
  return new Map(rows.map(({ key_id, scopes }) => [key_id, scopes]));
}

/** That a key has needed a scope, exact to the hour: a key in use then costs a write an hour, and not one every few seconds. */
export async function noteScopesUsed(
  pool: Pool,
  uses: readonly { tenant: Tenant; id: ApiKeyId; scope: string; at: Date }[],
): Promise<void> {
  await query(
    pool,
    `insert into api_key_uses as u (tenant, key_id, scope, last_used)
     select * from unnest($1::int4[], $2::text[], $3::text[], $4::timestamptz[]) as x (tenant, key_id, scope, at)
      order by x.tenant, x.key_id, x.scope -- everybody locks in the same order
         on conflict (tenant, key_id, scope) do update set last_used = excluded.last_used
      where u.last_used < excluded.last_used - interval '1 hour'`,
    [uses.map((use) => use.tenant), uses.map((use) => use.id), uses.map((use) => use.scope), uses.map((use) => use.at)],
  );
}

export async function noteKeysUsed(pool: Pool, uses: { tenant: Tenant; id: ApiKeyId; at: Date }[]): Promise<void> {
  await query(
    pool,
    `with locked as materialized (
       select k.tenant, k.id, x.at
         from api_keys k join unnest($1::int4[], $2::text[], $3::timestamptz[]) as x (tenant, id, at)
           on k.tenant = x.tenant and k.id = x.id
        order by k.id -- everybody locks in the same order
          for update of k)
     update api_keys k set last_used = greatest(k.last_used, l.at) 
       from locked l where k.tenant = l.tenant and k.id = l.id`,
    [uses.map((use) => use.tenant), uses.map((use) => use.id), uses.map((use) => use.at)],
  );
}
