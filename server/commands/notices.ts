import { idTime } from '../base/id.ts';
import type { Sql } from '../base/sql.ts';
import { findTenants } from '../resources/accounts/tenants.ts';
import type { FailedNotice } from '../resources/notices/failed_notice.ts';
import { findFailedNotice, findFailedNotices } from '../resources/notices/store.ts';
import { withConnection } from './context.ts';
import { withOperator } from './operator.ts';
import { print } from './print.ts';
import { UsageError } from './usage.ts';

/** Account and mode are null where a processor reports for an account that does not exist. */
type ShownNotice = Pick<FailedNotice, 'id' | 'connector' | 'kind' | 'notice' | 'reason' | 'failures'> & {
  account: string | null;
  mode: string | null;
  since: string;
  next_attempt: string;
};

export async function list(options: { json?: boolean }): Promise<void> {
  const found = await withConnection(({ client }) => findShown(client));
  const lines = found.map(
    ({ id, connector, kind, account, mode, since, failures, reason }) =>
      `${id}  ${kind} of ${connector}, ${account === null ? 'no account' : `${account}, ${mode} mode`}  since ${since}  failed ${failures} times: ${reason}`,
  );
  print(options.json, found, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

async function findShown(client: Sql): Promise<ShownNotice[]> {
  const owners = new Map((await findTenants(client, undefined)).map((owner) => [owner.tenant, owner]));
  return (await findFailedNotices(client)).map(({ tenant, id, connector, kind, notice, reason, failures, due_at }) => {
    const { account = null, mode = null } = owners.get(tenant) ?? {};
    const times = { since: new Date(idTime(id)).toISOString(), next_attempt: due_at.toISOString() };
    return { id, connector, kind, account, mode, notice, reason, failures, ...times };
  });
}

export async function retry(id: string): Promise<void> {
  await onNotice('notices.retry', id);
  console.log(`${id} is tried again now by a running server; "tollgate notices list" shows it if it fails again.`);
}

export async function dismiss(id: string): Promise<void> {
  await onNotice('notices.dismiss', id);
  console.log(`${id} is dismissed. The audit log keeps the notice.`);
}

async function onNotice(operation: string, id: string): Promise<void> {
  await withOperator(async (operator, { client }) => {
    const found = await findFailedNotice(client, id);
    if (found === undefined) throw new UsageError(`There is no notice ${id}; "tollgate notices list" shows them.`);
    await operator.run(operation, { id, parameters: { tenant: found.tenant } });
  });
}
