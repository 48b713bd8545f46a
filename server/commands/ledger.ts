import { databaseInWords } from '../database.ts';
import { type LedgerOwner, type Verification, verifyBooks } from '../resources/balance/verify.ts';
import { withConnection } from './context.ts';
import { print, sentenceCase, table } from './print.ts';

/** Recomputes the ledger. Read-only; a server may be running. */
export async function verify(options: { account?: string; json?: boolean }): Promise<void> {
  const { database, found } = await withConnection(async (context) => ({
    database: databaseInWords(context.config),
    found: await verifyBooks(context, options.account),
  }));
  print(options.json, { database, ...presented(found) }, () =>
    [sentenceCase(database), ...heads(found), '', ...verdict(found)].join('\n'),
  );
  if (found.differences.length > 0) process.exitCode = 1;
}

function presented({ chains, differences }: Verification) {
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
  if (differences.length === 0) return ['Everything holds.'];
  const count = differences.length === 1 ? 'One thing does' : `${differences.length} things do`;
  return [
    `${count} not hold:`,
    ...differences.map((difference) => `- ${nameOf(difference)}: ${difference.message} (rule: ${difference.rule}).`),
  ];
}
