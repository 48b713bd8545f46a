import type { Write } from '../../../base/commit/index.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { ClockTime } from '../../../operations/operation.ts';
import { type Declared, extensionPoint, type JobServices } from '../../../operations/resource.ts';
import type { TestClockId } from './test_clock.ts';

/** The contribution of resources that live by a clock. */
export type ClockWork = {
  /** The earliest moment, up to a moment, at which something in the clock is due. One read: it is asked at every moment. */
  earliest(services: JobServices, tenant: Tenant, clock: TestClockId, upTo: Date): Promise<Date | undefined>;
  /**
   * Does what is due at this moment or before. Operations are run with `clock: { id, now: at }`. It may leave something due, or make
   * something new due at the same moment: then it is called again. So it need not do everything in one call, and should end soon
   * after `stopping`. A row that was done is no longer due, whatever crashes: a moment may be visited twice.
   */
  run(
    services: JobServices,
    declared: Declared,
    clock: { tenant: Tenant; id: TestClockId },
    at: Date,
    stopping: AbortSignal,
  ): Promise<void>;
  /** Rows that are committed with the deletion of a clock: what cannot wait until `release` deletes the rest. */
  deleted?(services: Pick<JobServices, 'reads'>, tenant: Tenant, clock: TestClockId): Promise<Write[]>;
  /** Deletes a part of what is in a deleted clock, as much as one step may hold. True when nothing is left. */
  release?(services: JobServices, declared: Declared, clock: ClockTime & { tenant: Tenant }): Promise<boolean>;
};

export const clockWork = extensionPoint<ClockWork>('test_clocks');
