import { systemClock } from '../base/clock.ts';
import { applyWrites, GuardFailed } from '../base/commit/index.ts';
import { Refusal } from '../base/errors.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import { catalog } from '../catalog.ts';
import { eventWrite } from '../outbox/event.ts';
import { recordAudit } from '../resources/accounts/audit.ts';
import { accountOf, findTerms } from '../resources/accounts/store.ts';
import type { Context, Outcome } from '../resources/operation.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage.ts';

/** Runs an operation in the transaction of a command, with what it writes to the audit log. */
export async function runAsOperator(
  { client, keyring, actor }: Session,
  { tenant, name, id, parameters }: { tenant: Tenant; name: string; id: string; parameters: object },
): Promise<object> {
  const ask = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
  const reads = {
    rows: ask,
    one: async (table: { name: string; columns: readonly string[] }, of: Tenant, row: string) =>
      (await ask(`select ${table.columns.join(', ')} from ${table.name} where tenant = $1 and id = $2`, [of, row]))[0],
  } as unknown as Reads;
  const context = {
    caller: { kind: 'operator', tenant, mode: 'test' as Mode, name: actor.name },
    ...{ tenant, mode: 'test', requestId: null, id, now: systemClock.now(), reads, keyring },
    terms: (of: Tenant) => findTerms(ask, of),
  } as unknown as Context;
  const operation = catalog.operations.find((one) => one.name === name)!;
  const outcome = (await operation.run(context, parameters as never).catch((error) => {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  })) as Outcome;
  const events = (outcome.events ?? []).map((event) => eventWrite(tenant, null, actor.now, event));
  await applyWrites(client, [...(outcome.writes ?? []), ...events], catalog).catch((error) => {
    if (!(error instanceof GuardFailed)) throw error;
    throw new UsageError(`A server is looking at ${id} at this moment. Try again.`);
  });
  if (outcome.audit !== undefined)
    await recordAudit(client, { actor: actor.name, account: await accountOf(client, tenant), ...outcome.audit });
  return outcome.result;
}
