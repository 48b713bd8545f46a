import { applyWrites, GuardFailed, type Write } from '../base/commit/index.ts';
import type { Tenant } from '../base/reads.ts';
import { type EventDraft, eventWrite } from '../outbox/event.ts';
import { accountOf } from '../resources/accounts/tenants.ts';
import { recordAudit } from '../resources/audit.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './usage.ts';

export type SettledByHand = {
  tenant: Tenant;
  writes: Write[];
  events: readonly EventDraft[];
  audit: { action: string; subject: string } & Record<string, string>;
};

/** What a person has settled: its rows, its events and its entry in the audit log, in one transaction. */
export async function writeSettled(
  session: CommandContext,
  { tenant, writes, events, audit }: SettledByHand,
): Promise<void> {
  const { client, actor } = session;
  const told = events.map((event) => eventWrite(tenant, null, actor.now, event));
  const { action, subject, ...details } = audit;
  await applyWrites(client, [...writes, ...told]).catch((error) => {
    if (!(error instanceof GuardFailed)) throw error;
    throw new UsageError(`A server is looking at ${subject} at this moment. Try again.`);
  });
  const account = await accountOf(client, tenant);
  await recordAudit(client, { actor: actor.name, action, account, subject, details });
}
