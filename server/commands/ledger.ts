import type { Keyring } from '../base/keyring.ts';
import type { Tenant } from '../base/reads.ts';
import type { Connection } from '../base/sql.ts';
import { ledgerRules, type Rule } from '../ledger/rules.ts';
import { type Chain, verifyChain } from '../ledger/verify.ts';
import { AccountMissing } from '../resources/accounts/store.ts';
import { businessRules } from './ledger_rules.ts';
import { print, table } from './print.ts';
import { type Session, withConnection } from './session.ts';

const differencesMax = 100; // of each rule: who has more has seen enough

type Owner = { tenant: Tenant; account: string | null; mode: string | null };
type Difference = Owner & { rule: string; id: string | null; message: string };
type Report = { chains: (Owner & Chain)[]; differences: Difference[] };

/** Recomputes everything that the ledger says, changes nothing, and can be run beside a server. */
export async function verify(options: { account?: string; json?: boolean }): Promise<void> {
  const report = await withConnection((session) => check(session, options.account));
  print(options.json, presented(report), () => [...heads(report), '', ...verdict(report)].join('\n'));
  if (report.differences.length > 0) process.exitCode = 1;
}

/** On one state of the database: what is committed meanwhile is not seen, so nothing is seen half. */
export async function check(
  { client, keyring }: Pick<Session, 'client' | 'keyring'>,
  account?: string,
): Promise<Report> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await checkAll(client, keyring, await findOwners(client, account));
  } finally {
    await client.query('rollback').catch(() => {}); // nothing was written
  }
}

async function checkAll(client: Connection, keyring: Keyring, owners: readonly Owner[]): Promise<Report> {
  const report: Report = { chains: [], differences: [] };
  for (const owner of owners) {
    const chain = await verifyChain(client, keyring, owner.tenant);
    report.chains.push({ ...owner, ...chain });
    if (chain.problem !== undefined) report.differences.push({ ...owner, rule: 'the chain holds', ...chain.problem });
  }
  for (const rule of [...ledgerRules, ...businessRules])
    report.differences.push(...(await broken(client, rule, owners)));
  return report;
}

/** Whoever has something in the ledger, accounts that do not exist included. */
async function findOwners(client: Connection, account: string | undefined): Promise<Owner[]> {
  const { rows } = await client.query<Owner>(
    account === undefined
      ? `select tenant, t.account, t.mode
           from (select tenant from tenants union select tenant from postings union select tenant from ledger_blocks
                 union select tenant from ledger_balances) x
           left join tenants t using (tenant) order by tenant`
      : 'select tenant, account, mode from tenants where account = $1 order by tenant',
    account === undefined ? [] : [account],
  );
  if (account !== undefined && rows.length === 0)
    throw new AccountMissing(`there is no account ${account}; "tollgate accounts list" shows them`);
  return rows;
}

async function broken(client: Connection, { name, sql }: Rule, owners: readonly Owner[]): Promise<Difference[]> {
  const { rows } = await client.query<{ tenant: number; id: string; should: string; is: string }>(
    `select * from (${sql}) found order by tenant, id limit ${differencesMax}`,
    [owners.map(({ tenant }) => tenant)],
  );
  const byTenant = new Map(owners.map((owner) => [owner.tenant as number, owner]));
  return rows.map(({ tenant, id, should, is }) => ({
    ...byTenant.get(tenant)!,
    rule: name,
    id,
    message: `${id} should be ${should} and is ${is}`,
  }));
}

function presented({ chains, differences }: Report) {
  return {
    ok: differences.length === 0,
    chains: chains.map(({ account, mode, tenant, blocks, head, postings, unsealed }) => {
      return { account, mode, tenant, blocks, head, postings, unsealed };
    }),
    differences: differences.map(({ account, mode, tenant, rule, id, message }) => {
      return { account, mode, tenant, rule, id, message };
    }),
  };
}

const nameOf = ({ account, mode, tenant }: Owner) =>
  account === null ? `tenant ${tenant}, which has no account` : `${account}, ${mode} mode`;

function heads({ chains }: Report): string[] {
  const used = chains.filter(({ postings, blocks }) => postings > 0 || blocks > 0);
  if (used.length === 0) return ['There are no postings.'];
  const rows = used.map((chain) => {
    const { account, tenant, mode, postings, unsealed, blocks, head } = chain;
    return [account ?? `tenant ${tenant}`, mode ?? '', ...[postings, unsealed, blocks].map(String), head ?? ''];
  });
  return [table(['account', 'mode', 'postings', 'not sealed yet', 'blocks', 'head'], rows)];
}

function verdict({ differences }: Report): string[] {
  if (differences.length === 0) return ['Everything holds.'];
  const count = differences.length === 1 ? 'One thing does' : `${differences.length} things do`;
  return [
    `${count} not hold:`,
    ...differences.map((difference) => `- ${nameOf(difference)}: ${difference.message} (rule: ${difference.rule}).`),
  ];
}
