import type { Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';
import type { Account, AccountId } from './account.ts';

export class AccountMissing extends Error {}

export async function insertAccount(sql: Sql, account: Account): Promise<void> {
  await sql.query('insert into accounts (id, name, tier, rate_limit, status) values ($1, $2, $3, $4, $5)', [
    account.id,
    account.name,
    account.tier,
    account.rate_limit,
    account.status,
  ]);
  await sql.query(`insert into tenants (account, mode) values ($1, 'test'), ($1, 'live')`, [account.id]);
}

export async function listAccounts(sql: Sql): Promise<Account[]> {
  const result = await sql.query<Account>('select id, name, tier, rate_limit, status from accounts order by id');
  return result.rows;
}

export async function tenantOf(sql: Sql, account: string, mode: 'test' | 'live'): Promise<Tenant> {
  const result = await sql.query<{ tenant: Tenant }>('select tenant from tenants where account = $1 and mode = $2', [
    account,
    mode,
  ]);
  const row = result.rows[0];
  if (row === undefined)
    throw new AccountMissing(`there is no account ${account}; "tollgate accounts list" shows them`);
  return row.tenant;
}

export async function accountOf(sql: Sql, tenant: Tenant): Promise<string> {
  const result = await sql.query<{ account: string }>('select account from tenants where tenant = $1', [tenant]);
  return result.rows[0]!.account;
}

export async function setAccountStatus(sql: Sql, id: string, status: Account['status']): Promise<void> {
  const result = await sql.query('update accounts set status = $2 where id = $1', [id, status]);
  if (result.rowCount === 0) throw new AccountMissing(`there is no account ${id}; "tollgate accounts list" shows them`);
}

export type { AccountId };
