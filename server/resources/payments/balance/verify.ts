import type { Keyring } from '../../../base/keyring.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Connection } from '../../../base/sql.ts';
import { ledgerRules, type Rule } from '../../../ledger/rules.ts';
import { type Chain, verifyChain } from '../../../ledger/verify.ts';
import { findTenants } from '../../../operations/tenants.ts';
import { businessRules } from './rules.ts';

const chainRule = 'the chain holds';
const violationsMax = 100; // of each rule: more would say nothing new

/** Account and mode are null where the ledger has postings of a tenant that does not exist. */
export type LedgerOwner = { tenant: Tenant; account: string | null; mode: string | null };
export type Violation = LedgerOwner & { rule: string; id: string | null; message: string };
export type Verification = { chains: (LedgerOwner & Chain)[]; differences: Violation[] };

/** Called before each step, with how many steps are done. */
export type StepReport = (done: number, total: number) => void;

/** Checks the chain, the balances and the books on one snapshot of the database, so that nothing is seen half-written. */
export async function verifyBooks(
  { client, keyring }: { client: Connection; keyring: Keyring },
  account?: string,
  report: StepReport = () => {},
): Promise<Verification> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await verifyAll(client, keyring, await findOwners(client, account), report);
  } finally {
    await client.query('rollback').catch(() => {}); // nothing was written
  }
}

async function verifyAll(
  client: Connection,
  keyring: Keyring,
  owners: readonly LedgerOwner[],
  report: StepReport,
): Promise<Verification> {
  const found: Verification = { chains: [], differences: [] };
  const rules = [...ledgerRules, ...businessRules];
  const total = owners.length + rules.length;
  for (const [at, owner] of owners.entries()) {
    report(at, total);
    const chain = await verifyChain(client, keyring, owner.tenant);
    found.chains.push({ ...owner, ...chain });
    if (chain.problem !== undefined) found.differences.push({ ...owner, rule: chainRule, ...chain.problem });
  }
  for (const [at, rule] of rules.entries()) {
    report(owners.length + at, total);
    found.differences.push(...(await violationsOf(client, rule, owners)));
  }
  return found;
}

/**
 * The faults of the ledger itself, without those of comparisons. A sealed posting that was removed is still counted in the
 * balances: until the ledger passes its checks, a posting that looks as if it were missing must not be posted again.
 */
export function brokenLedgers({ differences }: Verification): Violation[] {
  const rules = new Set([chainRule, ...ledgerRules.map(({ name }) => name)]);
  const broken = differences.filter(({ rule }) => rules.has(rule));
  return broken.filter(({ tenant }, at) => broken.findIndex((other) => other.tenant === tenant) === at);
}

/** Without an account, all tenants of the ledger, also those that do not exist. */
async function findOwners(client: Connection, account: string | undefined): Promise<LedgerOwner[]> {
  if (account !== undefined) return findTenants(client, account);
  const { rows } = await client.query<{ tenant: Tenant }>(
    `select tenant from postings union select tenant from ledger_blocks union select tenant from ledger_balances`,
  );
  const known = await findTenants(client, undefined);
  const names = new Map(known.map((one) => [one.tenant, one]));
  const gone = rows.filter(({ tenant }) => !names.has(tenant));
  const all = [...known, ...gone.map(({ tenant }) => ({ tenant, account: null, mode: null }))];
  return all.sort((one, other) => one.tenant - other.tenant);
}

async function violationsOf(
  client: Connection,
  { name, sql }: Rule,
  owners: readonly LedgerOwner[],
): Promise<Violation[]> {
  const { rows } = await client.query<{ tenant: number; id: string; should: string; is: string }>(
    `select * from (${sql}) found order by tenant, id limit ${violationsMax}`,
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
