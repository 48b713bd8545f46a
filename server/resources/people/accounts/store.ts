import { type DirectoryWrite, insert, type Table, table, update } from '../../../base/commit/index.ts';
import type { Mode, Reads, Tenant } from '../../../base/reads.ts';
import type { Terms } from '../../../ledger/fee.ts';
import { orderOf, type Range } from '../../../operations/range.ts';
import { type AccountInMode, tenantRows, tenantsTable } from '../../../operations/tenants.ts';
import type { Account, AccountDunning, AccountId, Dunning } from './account.ts';
import { type CardTestingLimits, limitsWith } from './card_testing.ts';
import { type MailSwitches, switchesWith } from './mail_kinds.ts';

const accountsTable: Table<Account, 'directory'> = table('accounts', {
  home: 'directory',
  text: 'id name tier status test_settlement dunning_end',
  int4: 'version rate_limit fee_ppm',
  json: 'fee_fixed dunning_days card_testing mail',
  int2: 'settlement_days',
  bool: 'totp_required',
  key: ['id'],
});

const columns = accountsTable.columns.join(', ');

export async function findAccount(reads: Reads, id: string): Promise<Account | undefined> {
  const [account] = await reads.directory.rows<Account>(`select ${columns} from accounts where id = $1`, [id]);
  return account;
}

export function findAccounts(reads: Reads, range: Range): Promise<Account[]> {
  const bounds = range.bounds.map(([comparison], at) => `id ${comparison} $${at + 1}`);
  const where = bounds.length === 0 ? '' : `where ${bounds.join(' and ')}`;
  return reads.directory.rows<Account>(
    `select ${columns} from accounts ${where} ${orderOf(range)}`,
    range.bounds.map(([, id]) => id),
  );
}

/** The tenants of a new account. Their numbers are taken beforehand: the keys that are inserted with a tenant carry its number. */
export async function takeTenants(reads: Reads, account: AccountId): Promise<AccountInMode[]> {
  const taken = await reads.directory.rows<Omit<AccountInMode, 'account'>>(
    `select nextval(pg_get_serial_sequence('tenants', 'tenant'))::int4 as tenant, mode from unnest($1::text[]) as mode`,
    [['test', 'live']],
  );
  return taken.map((one) => ({ ...one, account }));
}

export function addAccount(account: Account, tenants: readonly AccountInMode[]): DirectoryWrite[] {
  return [insert(accountsTable, account), ...tenants.map((tenant) => insert(tenantRows, tenant))];
}

export const replaceAccount = (account: Account): DirectoryWrite => update(accountsTable, account);

/** What the account of a tenant has set, for those who act for the tenant. */
export type TenantSettings = {
  name: string;
  mode: Mode;
  isSuspended: boolean;
  terms: Terms;
  dunning: Dunning;
  cardTesting: CardTestingLimits & { isTestMode: boolean };
  mail: MailSwitches;
};

/** In test mode an account's money may become available immediately. */
export async function findSettings(reads: Pick<Reads, 'directory'>, tenant: Tenant): Promise<TenantSettings> {
  type SettingsRow = Pick<
    Account,
    'name' | 'fee_ppm' | 'fee_fixed' | 'status' | 'card_testing' | 'mail' | keyof AccountDunning
  > & {
    days: number;
    mode: Mode;
  };
  const [row] = await reads.directory.rows<SettingsRow>(
    `select a.name, a.status, a.fee_ppm, a.fee_fixed, a.dunning_days, a.dunning_end, a.card_testing, a.mail, t.mode,
            case when t.mode = 'test' and a.test_settlement = 'immediate' then 0 else a.settlement_days end as days
       from ${tenantsTable} t join accounts a on a.id = t.account where t.tenant = $1`,
    [tenant],
  );
  const { name, status, fee_ppm, fee_fixed, days, dunning_days, dunning_end, card_testing, mail, mode } = row!;
  return {
    name,
    mode,
    isSuspended: status === 'suspended',
    terms: { feePpm: fee_ppm, feeFixed: fee_fixed, settlementDays: days },
    dunning: { days: dunning_days, end: dunning_end },
    cardTesting: { ...limitsWith(card_testing), isTestMode: mode === 'test' },
    mail: switchesWith(mail),
  };
}

/** The tenants of active accounts that have switched a kind of mail on. */
export async function findTenantsWithMail(reads: Pick<Reads, 'directory'>, kind: string): Promise<Tenant[]> {
  const rows = await reads.directory.rows<{ tenant: Tenant }>(
    `select t.tenant from ${tenantsTable} t join accounts a on a.id = t.account
      where a.status = 'active' and a.mail ->> $1 = 'true' order by t.tenant`,
    [kind],
  );
  return rows.map(({ tenant }) => tenant);
}
