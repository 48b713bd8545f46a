import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Reads } from '../../../base/reads.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { ProcessorOf } from '../../../connectors/index.ts';

/** Finds a processor account by its id alone: a processor that sends a notice knows no tenant. Read at most once a second. */
export function accountLocator({ reads, clock }: { reads: Reads; clock: Clock }) {
  const isKept = (found: ProcessorOf | undefined) => found !== undefined;
  const located = new BriefCache<ProcessorAccountId, ProcessorOf | undefined>({
    clock,
    keptMs: 1_000,
    entriesMax: 10_000,
    isKept,
  });
  return (id: ProcessorAccountId) => located.get(id, () => locateAccount(reads, id));
}

/** A place that is away hides the accounts of its own tenants only: the processor sends their notices again. */
export function locateAccount(reads: Reads, id: ProcessorAccountId): Promise<ProcessorOf | undefined> {
  return reads.everywhere.find<ProcessorOf>(
    'select tenant, connector, id as processor_account from processor_accounts where id = $1',
    [id],
  );
}
