import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { InboundRequest, Notice, ProcessorAccountId } from '../../../connectors/contract.ts';

/** The stored facts of a notice beside the request that brought it. */
export type NoticeState = Leasable & {
  id: Id<'ntc'>;
  connector: string;
  /** Null for a processor without accounts. */
  processor_account: ProcessorAccountId | null;
  /** The processor's own id: a repeated notice has the same. */
  event_id: string;
  /** Null while only the request is known. */
  reported: Notice[] | null;
  /** In a row. */
  failures: number;
  /** The error of the last attempt to record it. */
  reason: string | null;
  /** Since when it waits for a person. */
  flagged_at: Date | null;
};

/** A notice of a processor. It is stored before it is handled. Once it is recorded, it is no longer due. */
export type StoredNotice = NoticeState & {
  /** The request as it came, sealed; null when the processor was asked for the notice. */
  request: Buffer | null;
};

/** A notice that is about to be handled. The request of one that has just come need not be opened again. */
export type DueNotice = NoticeState & { request: Buffer | InboundRequest | null };

/**
 * This many failures in a row take five minutes: a database that restarts, notices that come in the wrong order. Then a person should
 * know.
 */
export const failuresMax = 6;

const firstPauseMs = 10_000;
const pauseMaxMs = 3_600_000;
const reasonCharsMax = 1_000;

/** The pause before the next attempt: it doubles each time, up to an hour. */
export function noticePause(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), pauseMaxMs);
}

/** The notice after one more failure. `reported` is what it reports, as far as that is known by now. */
export function failedAgain<Stored extends NoticeState>(
  before: Stored,
  error: unknown,
  reported: Notice[] | null,
  now: number,
): Stored {
  const failures = before.failures + 1;
  return {
    ...before,
    version: before.version + 1,
    failures,
    reason: storedReason(error),
    reported: reported ?? before.reported,
    flagged_at: failures < failuresMax ? null : (before.flagged_at ?? new Date(now)),
    due_at: new Date(now + noticePause(failures)),
    lease_until: null,
  };
}

/** The notice once it is recorded, or given up. */
export function finished<Stored extends NoticeState>(before: Stored): Stored {
  return { ...before, version: before.version + 1, failures: 0, reason: null, ...settledTimes };
}

const settledTimes = { flagged_at: null, due_at: null, lease_until: null };

/** The notice when its processor is too slow to be asked about yet another one, or when it overtook the answer to a call. */
export function putOff<Stored extends NoticeState>(before: Stored, now: number): Stored {
  return { ...before, version: before.version + 1, due_at: new Date(now + firstPauseMs), lease_until: null };
}

/** The notice, due immediately, as if it had just arrived. */
export function dueAgain<Stored extends NoticeState>(before: Stored, now: number): Stored {
  return { ...before, version: before.version + 1, due_at: new Date(now), lease_until: null };
}

/** The subject of a notice, in a word or two. */
export function kindOf({ reported }: Pick<NoticeState, 'reported'>): string {
  return reported === null ? 'request' : [...new Set(reported.map(({ kind }) => kind))].join(', ') || 'nothing';
}

function storedReason(error: unknown): string {
  return String(error).replaceAll('\0', '').slice(0, reasonCharsMax);
}
