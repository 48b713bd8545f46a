import { type Table, table } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
import type { PlaceSql, SqlAt } from '../base/places/sql_at.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import { type Pool, query, type Sql } from '../base/sql.ts';

/** One account in one mode, which is what a tenant is. */
export type AccountInMode = { tenant: Tenant; account: Id<'acct'>; mode: Mode };

export class AccountMissing extends Error {
  readonly account: string;

  constructor(account: string) {
    super(`there is no account ${account}`);
    this.account = account;
  }
}

export async function tenantOf(sql: Sql | Pool, account: string, mode: Mode): Promise<Tenant> {
  const [row] = await query<{ tenant: Tenant }>(sql, 'select tenant from tenants where account = $1 and mode = $2', [
    account,
    mode,
  ]);
  if (row === undefined) throw new AccountMissing(account);
  return row.tenant;
}

export async function accountOf(sql: Sql | Pool, tenant: Tenant): Promise<AccountInMode> {
  const text = 'select tenant, account, mode from tenants where tenant = $1';
  const [row] = await query<AccountInMode>(sql, text, [tenant]);
  return row!;
}

/** Every account in both modes, or one account in both. */
export async function findTenants(sql: Sql | Pool, account: string | undefined): Promise<AccountInMode[]> {
  const found = await query<AccountInMode>(
    sql,
    'select tenant, account, mode from tenants where $1::text is null or account = $1 order by tenant',
    [account ?? null],
  );
  if (account !== undefined && found.length === 0) throw new AccountMissing(account);
  return found;
}

export const tenantRows: Table<AccountInMode, 'directory'> = table('tenants', {
  home: 'directory',
  int4: 'tenant',
  text: 'account mode',
  key: ['tenant'],
});

/** The name, for statements that join it with other tables of the directory. */
export const tenantsTable = tenantRows.name;

/**
 * All tenants, for a statement that goes through each one's part of another table. It takes them as a parameter, because the directory alone
 * knows them.
 */
export async function everyTenant(directory: Sql | Pool): Promise<Tenant[]> {
  const rows = await query<{ tenant: Tenant }>(directory, 'select tenant from tenants order by tenant', []);
  return rows.map(({ tenant }) => tenant);
}

/** Those whose rows are at a place, which does not know them; in the directory, which has rows of all, every one. */
export async function tenantsThere(at: SqlAt, { name, sql }: PlaceSql): Promise<Tenant[]> {
  const all = await everyTenant(at.directory);
  return sql === at.directory ? all : all.filter((tenant) => at.placeOf(tenant) === name);
}

/** Those of a mode, or of both. */
export async function findEveryTenant(reads: Reads, mode: Mode | null = null): Promise<Tenant[]> {
  const text = 'select tenant from tenants where $1::text is null or mode = $1 order by tenant';
  return (await reads.directory.rows<{ tenant: Tenant }>(text, [mode])).map(({ tenant }) => tenant);
}

/** Those of an account, one for each mode. */
export async function findTenantsOf(reads: Reads, account: string): Promise<Tenant[]> {
  const text = 'select tenant from tenants where account = $1 order by tenant';
  return (await reads.directory.rows<{ tenant: Tenant }>(text, [account])).map(({ tenant }) => tenant);
}

/** The tenant of an account in a mode; undefined for an id of no account. */
export async function findTenant(reads: Reads, account: string, mode: Mode): Promise<Tenant | undefined> {
  const text = 'select tenant from tenants where account = $1 and mode = $2';
  const [row] = await reads.directory.rows<{ tenant: Tenant }>(text, [account, mode]);
  return row?.tenant;
}

/** Whose a tenant is, and in which mode, never changes. */
async function constantsOf(reads: Reads, tenant: Tenant): Promise<Pick<AccountInMode, 'account' | 'mode'>> {
  return (await reads.directory.constant('select account, mode from tenants where tenant = $1', [tenant]))!;
}

export async function accountIdOf(reads: Reads, tenant: Tenant): Promise<AccountInMode['account']> {
  return (await constantsOf(reads, tenant)).account;
}

/** The same account in the other mode. */
export async function tenantInOtherMode(reads: Reads, tenant: Tenant): Promise<Tenant | undefined> {
  const [row] = await reads.directory.rows<{ tenant: Tenant }>(
    'select other.tenant from tenants own join tenants other using (account) where own.tenant = $1 and other.mode <> own.mode',
    [tenant],
  );
  return row?.tenant;
}

export async function modeOf(reads: Reads, tenant: Tenant): Promise<Mode> {
  return (await constantsOf(reads, tenant)).mode;
}

export function modesOf(pool: Pool, tenants: readonly Tenant[]): Promise<Pick<AccountInMode, 'tenant' | 'mode'>[]> {
  return query(pool, 'select tenant, mode from tenants where tenant = any($1)', [tenants]);
}
