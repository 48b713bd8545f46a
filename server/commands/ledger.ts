import { databaseInWords } from '../database.ts';
import type { MissingPosting, Repaired } from '../resources/payments/balance/repair.ts';
import {
  brokenLedgers,
  type LedgerOwner,
  type Verification,
  type Violation,
  verifyBooks,
} from '../resources/payments/balance/verify.ts';
import { type CommandContext, withConnection } from './context.ts';
import { type Operator, withOperator } from './operator.ts';
import { print, sentenceCase, table } from './print.ts';
import { Progress } from './progress.ts';

/** Recomputes the ledger. Read-only: a server may be running, and the database may be a standby. */
export async function verify(options: { account?: string; json?: boolean }): Promise<void> {
  const { database, places, found } = await withConnection(
    async (context) => {
      using progress = new Progress('verified');
      const found = await verifyBooks(context, options.account, (done, total) => progress.set(done, total));
      const places = context.isCluster ? placesOf(found) : undefined;
      return { database: databaseInWords(context.config), places, found };
    },
    { isReadOnly: true },
  );
  print(options.json, { ...presented(database, found), ...(places && { places }) }, () =>
    [sentenceCase(database), ...heads(found), ...placesInWords(places), '', ...verdict(found)].join('\n'),
  );
  if (found.differences.length > 0) process.exitCode = 1;
}

type VerifiedPlace = { place: string; server: string; tenants: number; postings: number; differences: number };

/** What was verified at each place of a cluster. */
function placesOf({ places, chains, differences }: Verification): VerifiedPlace[] {
  return places.map(({ place, node, tenants }) => {
    const isHere = ({ tenant }: LedgerOwner) => tenants.includes(tenant);
    const postings = chains.filter(isHere).reduce((sum, chain) => sum + chain.postings, 0);
    return { place, server: node, tenants: tenants.length, postings, differences: differences.filter(isHere).length };
  });
}

function placesInWords(places: readonly VerifiedPlace[] | undefined): string[] {
  if (places === undefined) return [];
  const rows = places.map(({ place, server, ...counts }) => [place, server, ...Object.values(counts).map(String)]);
  return ['', table(['place', 'server', 'accounts and modes', 'postings', 'problems'], rows)];
}

function presented(database: string, { chains, differences }: Verification) {
  return {
    ok: differences.length === 0,
    database,
    chains: chains.map(({ account, mode, tenant, blocks, head, postings, unsealed }) => {
      return { account, mode, tenant, blocks, head, postings, unsealed };
    }),
    differences: differences.map(differenceShown),
  };
}

function differenceShown({ account, mode, tenant, rule, id, message }: Violation) {
  return { account, mode, tenant, rule, id, message };
}

const nameOf = ({ account, mode, tenant }: LedgerOwner) =>
  account === null ? `tenant ${tenant}, which has no account` : `${account}, ${mode} mode`;

function heads({ chains }: Verification): string[] {
  const used = chains.filter(({ postings, blocks }) => postings > 0 || blocks > 0);
  if (used.length === 0) return ['There are no postings.'];
  const rows = used.map((chain) => {
    const { account, tenant, mode, postings, unsealed, blocks, head } = chain;
    return [account ?? `tenant ${tenant}`, mode ?? '', ...[postings, unsealed, blocks].map(String), head ?? ''];
  });
  return [table(['account', 'mode', 'postings', 'not sealed yet', 'blocks', 'head'], rows)];
}

function verdict({ differences }: Verification): string[] {
  if (differences.length === 0) return ['All checks passed.'];
  return [
    differences.length === 1 ? 'One problem:' : `${differences.length} problems:`,
    ...differences.map((difference) => `- ${nameOf(difference)}: ${difference.message} (rule: ${difference.rule}).`),
  ];
}

type RepairOptions = { account?: string; apply?: boolean; json?: boolean };
type Repair = {
  postings: (MissingPosting & Pick<LedgerOwner, 'account' | 'mode'>)[];
  /** More postings are missing than are listed. */
  has_more: boolean;
  /** Whose ledger is left alone, and the first thing that is wrong with it. */
  broken: Violation[];
  /** Checks that fail after the postings were made. */
  left: Violation[];
};

/** Shows the postings that the ledger lacks, and posts them with `--apply`. Servers may be running. */
export async function repair(options: RepairOptions): Promise<void> {
  const { apply = false, json } = options;
  const done = await withOperator((operator, context) => repairBooks(operator, context, options));
  const { postings, has_more, broken, left } = done;
  const ok = broken.length + left.length === 0 && (apply || postings.length === 0);
  const shown = {
    ok,
    applied: apply,
    postings,
    has_more,
    broken: broken.map(differenceShown),
    left: left.map(differenceShown),
  };
  print(json, shown, () => repairText(done, apply));
  if (!ok) process.exitCode = 1;
}

async function repairBooks(operator: Operator, context: CommandContext, options: RepairOptions): Promise<Repair> {
  const { account, apply } = options;
  const verified = await verifyBooks(context, account);
  const broken = brokenLedgers(verified);
  const done: Repair = { postings: [], has_more: false, broken, left: [] };
  for (const owner of verified.chains) {
    if (owner.account === null || broken.some(({ tenant }) => tenant === owner.tenant)) continue;
    const call = { account: owner.account, mode: owner.mode as 'test' | 'live' };
    let step: Repaired;
    do {
      step = await operator.run<Repaired>(apply ? 'balance.repair' : 'balance.list_missing', call);
      done.postings.push(...step.data.map((posting) => ({ ...call, ...posting })));
    } while (apply && step.has_more);
    done.has_more ||= step.has_more;
  }
  if (apply) done.left = (await verifyBooks(context, account)).differences;
  return done;
}

function repairText({ postings, has_more, broken, left }: Repair, apply: boolean): string {
  const count = postings.length === 1 ? '1 posting' : `${postings.length} postings`;
  const rows = postings.map(({ account, mode, kind, source, amount, currency, available_on }) => {
    return [account!, mode!, kind, source, `${amount} ${currency}`, available_on];
  });
  const head = ['account', 'mode', 'kind', 'source', 'amount', 'available on'];
  const missing = `${count} missing${has_more ? ', and more' : ''}. Nothing was changed; --apply posts what is missing.`;
  const lines = [
    ...(rows.length === 0 ? [] : [table(head, rows), '', apply ? `${count} made.` : missing]),
    ...(rows.length === 0 && broken.length === 0 ? ['No posting is missing.'] : []),
    ...broken.map(
      (wrong) => `- ${nameOf(wrong)}: left alone, because a check of the ledger itself fails: ${wrong.message}.`,
    ),
  ];
  if (left.length > 0) lines.push(`Problems left: ${left.length}. "tollgate ledger verify" lists them.`);
  return lines.join('\n');
}
