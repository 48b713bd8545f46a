import { idTime } from '../base/id.ts';
import type { Sql } from '../base/sql.ts';
import { findTenants } from '../resources/accounts/tenants.ts';
import { findFlaggedNotice, findFlaggedNotices } from '../resources/notices/store.ts';
import { kindOf, type NoticeState } from '../resources/notices/stored_notice.ts';
import { withConnection } from './context.ts';
import { withOperator } from './operator.ts';
import { print } from './print.ts';
import { parsePast, UsageError } from './usage.ts';

/** Account and mode are null where a processor reports for an account that does not exist. */
type ShownNotice = Pick<NoticeState, 'id' | 'connector' | 'processor_account' | 'reported' | 'reason' | 'failures'> & {
  event: string;
  kind: string;
  account: string | null;
  mode: string | null;
  since: string;
  next_attempt: string | null;
};

export async function list(options: { json?: boolean }): Promise<void> {
  const found = await withConnection(({ client }) => findShown(client));
  const lines = found.map(
    ({ id, connector, processor_account, event, kind, account, mode, since, failures, reason }) =>
      `${id}  ${kind} of ${processor_account ?? connector}, ${account === null ? 'no account' : `${account}, ${mode} mode`}  event ${event}  since ${since}  failed ${failures} times: ${reason}`,
  );
  print(options.json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findShown(client: Sql): Promise<ShownNotice[]> {
  const owners = new Map((await findTenants(client, undefined)).map((owner) => [owner.tenant, owner]));
  return (await findFlaggedNotices(client)).map((notice) => {
    const { tenant, id, connector, processor_account, event_id, reported, reason, failures, due_at } = notice;
    const { account = null, mode = null } = owners.get(tenant) ?? {};
    const times = { since: new Date(idTime(id)).toISOString(), next_attempt: due_at?.toISOString() ?? null };
    const facts = { id, connector, processor_account, event: event_id, kind: kindOf(notice), account, mode };
    return { ...facts, reported, reason, failures, ...times };
  });
}

export async function retry(id: string): Promise<void> {
  await onNotice('notices.retry', id);
  console.log(`${id} is tried again now by a running server; "tollgate notices list" shows it if it fails again.`);
}

export async function dismiss(id: string): Promise<void> {
  await onNotice('notices.dismiss', id);
  console.log(`${id} is dismissed. The audit log keeps what it reports.`);
}

async function onNotice(operation: string, id: string): Promise<void> {
  await withOperator(async (operator, { client }) => {
    const found = await findFlaggedNotice(client, id);
    if (found === undefined) throw new UsageError(`There is no notice ${id}; "tollgate notices list" shows them.`);
    await operator.run(operation, { id, parameters: { tenant: found.tenant } });
  });
}

type ReplayOptions = { since?: string; event?: string; json?: boolean };

/** `tollgate processors replay`: in steps, each of which is one commit. */
export async function replay(account: string, { since, event, json }: ReplayOptions): Promise<void> {
  const replayed = await withOperator(async (operator, { actor }) => {
    const from = since === undefined ? undefined : Math.floor(parsePast('--since', since, actor.now) / 1_000);
    let count = 0;
    let after: string | undefined;
    do {
      const call = { id: account, parameters: { since: from, event, after } };
      const step = await operator.run<{ replayed: number; next?: string }>('notices.replay', call);
      count += step.replayed;
      after = step.next;
    } while (after !== undefined);
    return count;
  });
  const sentence = `${replayed} stored ${replayed === 1 ? 'notice is' : 'notices are'} handled once more by a running server.`;
  print(json, { processor_account: account, replayed }, () => sentence);
}
