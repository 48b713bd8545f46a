import { type Table, table } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
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

export const tenantRows: Table<AccountInMode> = table('tenants', {
  int4: 'tenant',
  text: 'account mode',
  key: ['tenant'],
});

/** For statements that go through every tenant's part of another table. */
export const tenantsTable = tenantRows.name;

/** The tenant of an account in a mode; undefined for an id of no account. */
export async function findTenant(reads: Reads, account: string, mode: Mode): Promise<Tenant | undefined> {
  const text = 'select tenant from tenants where account = $1 and mode = $2';
  const [row] = await reads.rows<{ tenant: Tenant }>(text, [account, mode]);
  return row?.tenant;
}

export async function accountIdOf(reads: Reads, tenant: Tenant): Promise<AccountInMode['account']> {
  const text = 'select account from tenants where tenant = $1';
  const [row] = await reads.rows<Pick<AccountInMode, 'account'>>(text, [tenant]);
  return row!.account;
}

/** The same account in the other mode. */
export async function tenantInOtherMode(reads: Reads, tenant: Tenant): Promise<Tenant | undefined> {
  const [row] = await reads.rows<{ tenant: Tenant }>(
    'select other.tenant from tenants own join tenants other using (account) where own.tenant = $1 and other.mode <> own.mode',
    [tenant],
  );
  return row?.tenant;
}

export async function modeOf(reads: Reads, tenant: Tenant): Promise<Mode> {
  const [row] = await reads.rows<{ mode: Mode }>('select mode from tenants where tenant = $1', [tenant]);
  return row!.mode;
}

export function modesOf(pool: Pool, tenants: readonly Tenant[]): Promise<Pick<AccountInMode, 'tenant' | 'mode'>[]> {
  return query(pool, 'select tenant, mode from tenants where tenant = any($1)', [tenants]);
}
