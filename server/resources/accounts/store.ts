import type { Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';
import type { Terms } from '../../ledger/fee.ts';
import type { Account, AccountId, AccountTerms } from './account.ts';
import { AccountMissing } from './tenants.ts';

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

export type WholeAccount = Account & AccountTerms;

const wholeColumns = 'id, name, tier, rate_limit, status, fee_ppm, fee_fixed, settlement_days, test_settlement';

export async function listAccounts(sql: Sql): Promise<WholeAccount[]> {
  const result = await sql.query<WholeAccount>(`select ${wholeColumns} from accounts order by id`);
  return result.rows;
}

export async function requireAccount(sql: Sql, id: string): Promise<WholeAccount> {
  const result = await sql.query<WholeAccount>(`select ${wholeColumns} from accounts where id = $1`, [id]);
  return result.rows[0] ?? missing(id);
}

/** Until the transaction ends nobody else changes it: the audit log says what was. */
export async function lockAccount(sql: Sql, id: string): Promise<WholeAccount> {
  const result = await sql.query<WholeAccount>(`select ${wholeColumns} from accounts where id = $1 for update`, [id]);
  return result.rows[0] ?? missing(id);
}

export async function setTerms(sql: Sql, id: string, terms: AccountTerms): Promise<void> {
  await sql.query(
    `update accounts set fee_ppm = $2, fee_fixed = $3::json, settlement_days = $4, test_settlement = $5 where id = $1`,
    [id, terms.fee_ppm, JSON.stringify(terms.fee_fixed), terms.settlement_days, terms.test_settlement],
  );
}

function missing(account: string): never {
  throw new AccountMissing(account);
}

type Ask = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** What holds for a tenant: in test mode an account may have its money at once. */
export async function findTerms(ask: Ask, tenant: Tenant): Promise<Terms> {
  const [row] = await ask(
    `select a.fee_ppm, a.fee_fixed,
            case when t.mode = 'test' and a.test_settlement = 'immediate' then 0 else a.settlement_days end as days
       from tenants t join accounts a on a.id = t.account where t.tenant = $1`,
    [tenant],
  );
  const { fee_ppm, fee_fixed, days } = row as { fee_ppm: number; fee_fixed: Record<string, number>; days: number };
  return { feePpm: fee_ppm, feeFixed: fee_fixed, settlementDays: days };
}

export async function setAccountStatus(sql: Sql, id: string, status: Account['status']): Promise<void> {
  const result = await sql.query('update accounts set status = $2 where id = $1', [id, status]);
  if (result.rowCount === 0) missing(id);
}

export type { AccountId };
