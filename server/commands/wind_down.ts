import type { Mode } from '../base/reads.ts';
import type { ShownEndable, ShownOutstanding } from '../resources/people/accounts/wind_down.ts';
import { recordAudit } from '../resources/people/audit_log/audit.ts';
import { type Operator, RefusedCommand, withOperator } from './operator.ts';
import { print, sentenceCase, table } from './print.ts';
import { Progress } from './progress.ts';

type Amounts = { amount: unknown; currency: string }[];
type Balance = { available: Amounts; pending: Amounts; disputed: Amounts };

/** How many were ended, by their kind. */
type Ended = Record<string, number>;
type RefusedEnd = { id: string; kind: string; message: string };

/** What is left in a mode, and what was done about it. */
type ModeReport = {
  mode: Mode;
  left: ShownOutstanding[];
  balance: Balance;
  ended: Ended;
  refused: RefusedEnd[];
};

const modes = ['test', 'live'] as const;
/** They are named one by one; of thousands, the first tell the reason. */
const refusedMax = 20;

/** Lists what a suspended account has left, and ends with `--apply` what can be ended. It can be repeated, and interrupted. */
export async function windDown(account: string, options: { apply?: boolean; json?: boolean }): Promise<void> {
  const { apply = false, json } = options;
  const reports = await withOperator(async (operator, { client, actor }) => {
    const found = await Promise.all(modes.map((mode) => reportOn(operator, account, mode)));
    if (!apply) return found;
    using progress = new Progress('ended');
    const record = async () => {
      const details = Object.fromEntries(found.map(({ mode, ended }) => [mode, ended]));
      if (found.every(({ ended }) => Object.keys(ended).length === 0)) return;
      await recordAudit(client, actor.now, {
        actor: actor.name,
        action: 'account.wound_down',
        account,
        subject: account,
        details,
      });
    };
    try {
      for (const report of found) await endAll(operator, account, report, progress);
    } catch (error) {
      await record().catch(() => {}); // the reason of the interruption matters more
      throw error;
    }
    await record();
    for (const report of found) await lookAgain(operator, account, report);
    return found;
  });
  const ok = reports.every(({ left }) => left.every(({ count }) => count === 0));
  print(json, { ok, account, applied: apply, modes: reports.map(shown) }, () => text(account, reports, apply, ok));
  if (!ok) process.exitCode = 1;
}

async function reportOn(operator: Operator, account: string, mode: Mode): Promise<ModeReport> {
  return { mode, ended: {}, refused: [], ...(await whatIsLeft(operator, account, mode)) };
}

async function whatIsLeft(operator: Operator, account: string, mode: Mode) {
  const { data: left } = await operator.run<{ data: ShownOutstanding[] }>('account.list_outstanding', {
    account,
    mode,
    id: account,
  });
  return { left, balance: await operator.run<Balance>('balance.retrieve', { account, mode }) };
}

/** What is left in the end. A running server also ends objects: what it was faster with was refused here, and is not left. */
async function lookAgain(operator: Operator, account: string, report: ModeReport): Promise<void> {
  Object.assign(report, await whatIsLeft(operator, account, report.mode));
  const kinds = new Set(report.left.filter(({ count }) => count > 0).map(({ kind }) => kind));
  report.refused = report.refused.filter(({ kind }) => kinds.has(kind));
}

/** Page by page: each is read after the one before is ended, and refused when the account was resumed meanwhile. */
async function endAll(operator: Operator, account: string, report: ModeReport, progress: Progress): Promise<void> {
  const { mode, left, ended, refused } = report;
  for (const { kind } of left.filter(({ can_end }) => can_end))
    for (let page: ShownEndable[] = [], hasMore = true; hasMore; ) {
      const after = page.length === 0 ? {} : { starting_after: page.at(-1)!.id };
      const call = { account, mode, id: account, parameters: { kind, ...after } };
      const found = await operator.run<{ data: ShownEndable[]; has_more: boolean }>('account.list_endable', call);
      [page, hasMore] = [found.data, found.has_more];
      const messages = await Promise.all(page.map((one) => end(operator, account, mode, one)));
      const failed = page.flatMap(({ id }, at) => {
        const message = messages[at];
        return message === undefined ? [] : [{ id, kind, message }];
      });
      const count = page.length - failed.length;
      if (count > 0) ended[kind] = (ended[kind] ?? 0) + count;
      refused.push(...failed.slice(0, refusedMax - refused.length));
      progress.add(count);
    }
}

/** The message of a refusal, which is no reason to stop: the object is still left in the end, and is tried again by the next run. */
async function end(
  operator: Operator,
  account: string,
  mode: Mode,
  { id, operation, test_clock }: ShownEndable,
): Promise<string | undefined> {
  try {
    await operator.run(operation, { account, mode, id, testClock: test_clock });
    return undefined;
  } catch (error) {
    if (error instanceof RefusedCommand) return error.message;
    throw error;
  }
}

function shown({ mode, left, balance, ended, refused }: ModeReport) {
  const { available, pending, disputed } = balance;
  const counts = Object.fromEntries(left.map(({ kind, count }) => [kind, count]));
  return { mode, left: counts, balance: { available, pending, disputed }, ended, refused };
}

const words = (kind: string) => kind.replaceAll('_', ' ');

function text(account: string, reports: readonly ModeReport[], apply: boolean, ok: boolean): string {
  const canEnd = reports.some(({ left }) => left.some(({ can_end, count }) => can_end && count > 0));
  const verdict = () => {
    if (ok) return `Of ${account} nothing is left to end or to wait for.`;
    if (!apply && canEnd) return 'Nothing was changed; --apply ends what can be ended.';
    return `Look again later: tollgate accounts wind-down ${account}${canEnd ? ' --apply' : ''}`;
  };
  return [...reports.flatMap((report) => [...modeText(report), '']), verdict()].join('\n');
}

function modeText({ mode, left, balance, ended, refused }: ModeReport): string[] {
  const rows = left.filter(({ count }) => count > 0).map(({ kind, count, fate }) => [words(kind), `${count}`, fate]);
  const done = Object.entries(ended).map(([kind, count]) => `${words(kind)} (${count})`);
  return [
    `${sentenceCase(mode)} mode`,
    ...(done.length === 0 ? [] : [`Ended: ${done.join(', ')}.`]),
    ...refused.map(({ id, message }) => `${id} could not be ended: ${message}`),
    rows.length === 0 ? 'Nothing is left.' : table(['left', 'number', 'what becomes of them'], rows),
    ...balanceLines(balance),
  ];
}

/** Sums can exceed 2^53, and are printed with all their digits. */
function balanceLines({ available, pending, disputed }: Balance): string[] {
  const digits = (of: Amounts, at: number) => JSON.stringify(of[at]!.amount);
  return available.map(
    ({ currency }, at) =>
      `Balance in ${currency}: ${digits(available, at)} available, ${digits(pending, at)} pending, ${digits(disputed, at)} disputed.`,
  );
}
