import { silentLog } from '../base/log.ts';
import { catalog } from '../catalog.ts';
import type { NoticeSource } from '../connectors/index.ts';
import { accountOf } from '../operations/tenants.ts';
import { UnmatchedNotices } from '../resources/payments/attempts/unmatched.ts';
import { paymentTopic, settlements } from '../resources/payments/payments/topic.ts';
import { findOwnerOf } from '../resources/payments/processor_accounts/store.ts';
import { type Adoption, adoptDifferences } from '../resources/payments/reconciliations/adopt.ts';
import type { NamedDifference } from '../resources/payments/reconciliations/reconcile.ts';
import { refundSettlements, refundTopic } from '../resources/payments/refunds/topic.ts';
import type { CommandContext } from './context.ts';
import { openServices } from './operator.ts';
import { MissingError } from './usage.ts';

type Compared = { source: NoticeSource; differences: readonly NamedDifference[] };

/** Records what the processor has and the ledger lacks. A server may be running: the ids of what is recorded are taken once. */
export async function adoptLost(
  context: CommandContext,
  date: string,
  { source, differences }: Compared,
): Promise<Adoption> {
  const { client, at, actor } = context;
  const id = source.processor_account!;
  const owner = await findOwnerOf(at, id);
  if (owner === undefined) throw new MissingError(`there is no processor account ${id}`);
  const caller = { kind: 'operator', ...(await accountOf(client, owner)), name: actor.name } as const;
  const { services, close } = await openServices(context);
  try {
    const { processorAccounts, clock } = services;
    const log = silentLog;
    const unmatchedNotices = new UnmatchedNotices({ processorAccounts, clock, log, count: () => {} });
    const topics = {
      topic: paymentTopic(catalog.extensionsOf(settlements)),
      refundTopic: refundTopic(catalog.extensionsOf(refundSettlements)),
    };
    return await adoptDifferences(
      { ...services, log, unmatchedNotices, ...topics },
      { source, date, caller },
      differences,
    );
  } finally {
    await close();
  }
}
