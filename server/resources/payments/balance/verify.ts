import type { Keyring } from '../../../base/keyring.ts';
import type { ConnectionsAt } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Connection } from '../../../base/sql.ts';
import { ledgerRules, type Rule } from '../../../ledger/rules.ts';
import { type Chain, verifyChain } from '../../../ledger/verify.ts';
import { type AccountInMode, findTenants } from '../../../operations/tenants.ts';
import { businessRules } from './rules.ts';

const chainRule = 'the chain holds';
const violationsMax = 100; // of each rule: more would say nothing new

/** Account and mode are null where the ledger has postings of a tenant that does not exist. */
export type LedgerOwner = { tenant: Tenant; account: string | null; mode: string | null };
export type Violation = LedgerOwner & { rule: string; id: string | null; message: string };
export type Verification = {
  chains: (LedgerOwner & Chain)[];
  differences: Violation[];
  /** Which of them are where. */
  places: { place: string; node: string; tenants: Tenant[] }[];
};

/** Called before each step, with how many steps are done. */
export type StepReport = (done: number, total: number) => void;

/**
 * Checks the chain, the balances and the books on one snapshot of the database, so that nothing is seen half-written. Of several places,
 * each is checked on a snapshot of its own: no tenant is at two.
 */
export async function verifyBooks(
  { at, keyring }: { at: ConnectionsAt; keyring: Keyring },
  account?: string,
  report: StepReport = () => {},
): Promise<Verification> {
  const { directory } = at;
  const wanted =
    account === undefined ? undefined : (await findTenants(directory, account)).map(({ tenant }) => tenant);
  const steps = { done: 0, total: 0 };
  /** One after the other: places share the connection to the directory. */
  let last: Promise<unknown> = Promise.resolve();
  const known = () => {
    const read = last.then(() => findTenants(directory, account));
    last = read.catch(() => {});
    return read;
  };
  const found = await at.everywhere(async ({ name, node, sql, has }) => {
    await sql.query('begin isolation level repeatable read read only');
    try {
      const owners = await findOwners(sql, { known, has, isOne: account !== undefined });
      steps.total += owners.length + rules.length;
      const verified = await verifyAll(sql, keyring, owners, () => report(steps.done++, steps.total));
      return { ...verified, places: [{ place: name, node, tenants: owners.map(({ tenant }) => tenant) }] };
    } finally {
      await sql.query('rollback').catch(() => {}); // nothing was written
    }
  }, wanted);
  return found.length === 1 ? found[0]! : joined(found);
}

/** As one place would have been verified: the chains by tenant, and the differences by rule. */
function joined(found: readonly Verification[]): Verification {
  const byTenant = (one: LedgerOwner, other: LedgerOwner) => one.tenant - other.tenant;
  const placeOf = new Map([chainRule, ...rules.map(({ name }) => name)].map((name, place) => [name, place]));
  const byRule = (one: Violation, other: Violation) => placeOf.get(one.rule)! - placeOf.get(other.rule)!;
  return {
    chains: found.flatMap(({ chains }) => chains).sort(byTenant),
    differences: found
      .flatMap(({ differences }) => differences)
      .sort((one, other) => byRule(one, other) || byTenant(one, other)),
    places: found.flatMap(({ places }) => places),
  };
}

const rules = [...ledgerRules, ...businessRules];

async function verifyAll(
  client: Connection,
  keyring: Keyring,
  owners: readonly LedgerOwner[],
  step: () => void,
): Promise<Omit<Verification, 'places'>> {
  const found: Omit<Verification, 'places'> = { chains: [], differences: [] };
  for (const owner of owners) {
    step();
    const chain = await verifyChain(client, keyring, owner.tenant);
    found.chains.push({ ...owner, ...chain });
    if (chain.problem !== undefined) found.differences.push({ ...owner, rule: chainRule, ...chain.problem });
  }
  for (const rule of rules) {
    step();
    found.differences.push(...(await violationsOf(client, rule, owners)));
  }
  return found;
}

/**
 * The faults of the ledger itself, without those of comparisons. A sealed posting that was removed is still counted in the
 * balances: until the ledger passes its checks, a posting that looks as if it were missing must not be posted again.
 */
export function brokenLedgers({ differences }: Pick<Verification, 'differences'>): Violation[] {
  const rules = new Set([chainRule, ...ledgerRules.map(({ name }) => name)]);
  const broken = differences.filter(({ rule }) => rules.has(rule));
  return broken.filter(({ tenant }, at) => broken.findIndex((other) => other.tenant === tenant) === at);
}

type OwnersWanted = { known: () => Promise<AccountInMode[]>; has: (tenant: Tenant) => boolean; isOne: boolean };

/** Of all accounts, also the tenants of the ledger of a place that do not exist. */
async function findOwners(sql: Connection, { known: read, has, isOne }: OwnersWanted): Promise<LedgerOwner[]> {
  const ofPlace = ({ tenant }: LedgerOwner) => has(tenant);
  if (isOne) return (await read()).filter(ofPlace);
  const { rows } = await sql.query<{ tenant: Tenant }>(
    `select tenant from postings union select tenant from ledger_blocks union select tenant from ledger_balances`,
  );
  const known = await read();
  const names = new Map(known.map((one) => [one.tenant, one]));
  const gone = rows.filter(({ tenant }) => !names.has(tenant));
  const all = [...known.filter(ofPlace), ...gone.map(({ tenant }) => ({ tenant, account: null, mode: null }))];
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
