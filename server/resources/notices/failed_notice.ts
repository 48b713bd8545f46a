import type { Id } from '../../base/id.ts';
import type { Leasable } from '../../base/lease.ts';
import type { Notice } from '../../connectors/contract.ts';

/** A notice that could not be recorded. The processor was told that we have it; it is retried from here, and waits for a person. */
export type FailedNotice = Leasable & {
  id: Id<'ntc'>;
  connector: string;
  /** The processor's own id of the notice. */
  notice_id: string;
  kind: Notice['kind'];
  notice: Notice;
  /** The error of the last attempt to record it. */
  reason: string;
  failures: number;
  due_at: Date;
};

/** So many failures in a row may be a database that restarts, or a call that is still under way; then the notice is kept. */
export const failuresMax = 3;

const firstPauseMs = 10_000;
const pauseMaxMs = 3_600_000;
const reasonCharsMax = 1_000;

/** The pause before the next attempt: it doubles each time, up to an hour. */
export function noticePause(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), pauseMaxMs);
}

/** The notice after one more failure. */
export function failedAgain(before: FailedNotice, error: unknown, now: number): FailedNotice {
  const failures = before.failures + 1;
  return {
    ...before,
    version: before.version + 1,
    failures,
    reason: storedReason(error),
    due_at: new Date(now + noticePause(failures)),
    lease_until: null,
  };
}

export function storedReason(error: unknown): string {
  return String(error).slice(0, reasonCharsMax);
}
