import type { ConnectionsAt } from '../base/places/connections.ts';
import type { Tenant } from '../base/reads.ts';
import type { Sql } from '../base/sql.ts';
import { type AccountInMode, findTenants } from '../operations/tenants.ts';
import { serializeNotice } from '../resources/payments/notices/operations.ts';
import { findFlaggedNotice, findFlaggedNotices } from '../resources/payments/notices/store.ts';
import { withConnection } from './context.ts';
import { withOperator } from './operator.ts';
import { isoTime, print } from './print.ts';
import { MissingError, parsePast } from './usage.ts';

export async function accountsByTenant(client: Sql): Promise<Map<Tenant, AccountInMode>> {
  return new Map((await findTenants(client, undefined)).map((owner) => [owner.tenant, owner]));
}

/** Account and mode are left out where a processor reports for an account that does not exist. */
export function ownerShown(owner: AccountInMode | undefined): Partial<Pick<AccountInMode, 'account' | 'mode'>> {
  return owner === undefined ? {} : { account: owner.account, mode: owner.mode };
}

export async function list(options: { json?: boolean }): Promise<void> {
  const found = await withConnection(({ at }) => findShown(at), { isReadOnly: true });
  const lines = found.map(
    ({ id, connector, processor_account, event, kind, account, mode, created, failures, reason }) =>
      `${id}  ${kind} of ${processor_account ?? connector}, ${account === undefined ? 'no account' : `${account}, ${mode} mode`}  event ${event}  since ${isoTime(created)}  failed ${failures} times: ${reason}`,
  );
  print(options.json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findShown(at: ConnectionsAt) {
  const owners = await accountsByTenant(at.directory);
  const kept = await findFlaggedNotices(at);
  return kept.map((notice) => ({ ...serializeNotice(notice), ...ownerShown(owners.get(notice.tenant)) }));
}

export async function retry(id: string, options: { json?: boolean }): Promise<void> {
  const notice = await onNotice('notices.retry', id);
  const next = '"tollgate notices list" shows it if it fails again';
  print(options.json, notice, () => `${id} is tried again now by a running server; ${next}.`);
}

export async function dismiss(id: string, options: { json?: boolean }): Promise<void> {
  const notice = await onNotice('notices.dismiss', id);
  print(options.json, notice, () => `${id} is dismissed. The audit log keeps what it reports.`);
}

async function onNotice(operation: string, id: string): Promise<object> {
  return withOperator(async (operator, { at, client }) => {
    const found = await findFlaggedNotice(at, id);
    if (found === undefined) throw new MissingError(`There is no notice ${id}; "tollgate notices list" shows them.`);
    const owners = await accountsByTenant(client);
    const notice = await operator.run<object>(operation, { id, parameters: { tenant: found.tenant } });
    return { ...notice, ...ownerShown(owners.get(found.tenant)) };
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
  print(json, { ok: true, processor_account: account, replayed }, () => sentence);
}
