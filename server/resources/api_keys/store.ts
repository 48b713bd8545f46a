import type { Tenant } from '../../base/reads.ts';
import { type Pool, query, type Sql } from '../../base/sql.ts';
import type { ApiKey, ApiKeyId, KeyWithAccount } from './api_key.ts';

const columns = `k.id, k.tenant, t.account, t.mode, k.name, k.hint, k.scopes, k.allowed_ips, k.signature_required, k.expires_at,
  k.revoked_at, k.rolled_to, k.last_used`;
const source = 'api_keys k join tenants t on t.tenant = k.tenant';

/** By hash and therefore across tenants: this is how a request finds its tenant. */
export async function findKeysByHash(sql: Sql | Pool, hashes: Buffer[]): Promise<Map<string, KeyWithAccount>> {
  const rows = await query<KeyWithAccount & { hash: Buffer }>(
    sql,
    `select ${columns}, k.hash, a.tier, a.rate_limit, a.status as account_status,
            coalesce(k.expires_at <= now(), false) as expired, coalesce(k.revoked_at <= now(), false) as revoked
       from ${source} join accounts a on a.id = t.account
      where k.hash = any($1::bytea[])`,
    [hashes],
    'keys_by_hash',
  );
  return new Map(rows.map(({ hash, ...key }) => [hash.toString('base64'), key]));
}

export async function listKeys(sql: Sql, account: string): Promise<ApiKey[]> {
  const result = await sql.query<ApiKey>(`select ${columns} from ${source} where t.account = $1 order by k.id`, [
    account,
  ]);
  return result.rows;
}

export async function findKey(sql: Sql, account: string, id: string): Promise<ApiKey | undefined> {
  const result = await sql.query<ApiKey>(
    `select ${columns} from ${source} where t.account = $1 and k.id = $2 for update of k`,
    [account, id],
  );
  return result.rows[0];
}

export type NewKey = Pick<
  ApiKey,
  'id' | 'tenant' | 'name' | 'hint' | 'scopes' | 'allowed_ips' | 'signature_required' | 'expires_at'
> & {
  hash: Buffer;
};

export async function insertKey(sql: Sql, key: NewKey): Promise<void> {
  await sql.query(
    `insert into api_keys (id, tenant, hash, hint, name, scopes, allowed_ips, signature_required, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      key.tenant,
      key.hash,
      key.hint,
      key.name,
      key.scopes,
      key.allowed_ips,
      key.signature_required,
      key.expires_at,
    ],
  );
}

/** A key that is already to be revoked earlier stays so. */
export async function revokeKeyAfter(
  sql: Sql,
  tenant: Tenant,
  id: ApiKeyId,
  seconds: number,
  rolledTo: ApiKeyId | null,
): Promise<void> {
  await sql.query(
    `update api_keys
        set revoked_at = least(revoked_at, now() + make_interval(secs => $3)), rolled_to = coalesce($4, rolled_to)
      where tenant = $1 and id = $2`,
    [tenant, id, seconds, rolledTo],
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
