import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { ProcessorAccounts } from '../processor_accounts/processors.ts';
import type { Attempt } from './attempt.ts';

type UnmatchedParts = {
  processorAccounts: Pick<ProcessorAccounts, 'find'>;
  clock: Clock;
  log: Log;
  /** For the metrics. */
  count: (source: NoticeSource) => void;
};

const warnEveryMs = 3_600_000;
const sourcesMax = 10_000;

/**
 * Notices about attempts that their processor account did not make. Every account at the same processor hears of everything that happens
 * there, so that they come by the thousand wherever two gateways, or two accounts of one gateway, share one. They change nothing.
 */
export class UnmatchedNotices {
  readonly #parts: UnmatchedParts;
  readonly #warnedAt = new Map<string, number>();

  constructor(parts: UnmatchedParts) {
    this.#parts = parts;
  }

  /** `made` is the attempt, where the tenant has it at another account. */
  async ignore(source: NoticeSource, tenant: Tenant, made: Attempt | undefined, about: object): Promise<void> {
    const { clock, log, count } = this.#parts;
    if (made !== undefined && (await this.#isShared(source, tenant, made)))
      return log.debug({ ...source, ...about }, 'a notice is for another account at the same processor');
    count(source);
    const name = source.processor_account ?? source.connector;
    const now = clock.now();
    if (now < (this.#warnedAt.get(name) ?? Number.NEGATIVE_INFINITY) + warnEveryMs) return;
    if (this.#warnedAt.size >= sourcesMax) this.#warnedAt.clear();
    this.#warnedAt.set(name, now);
    log.warn(
      { ...source, ...about },
      'a processor reports on a payment that is not known here; further ones of this hour are counted in tollgate_notices_unmatched_total',
    );
  }

  /** Whether both accounts are the same account at the processor, so that the other one hears of it too. */
  async #isShared(source: NoticeSource, tenant: Tenant, { connector, processor_account }: Attempt): Promise<boolean> {
    if (source.processor_account === null || processor_account === null || connector !== source.connector) return false;
    if (source.processor_account === processor_account) return false;
    const { processorAccounts } = this.#parts;
    const found = [processor_account, source.processor_account].map((id) => processorAccounts.find(tenant, id));
    const [maker, reporter] = await Promise.all(found);
    return maker !== undefined && maker.identity !== null && maker.identity === reporter?.identity;
  }
}
