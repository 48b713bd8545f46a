import { Busy } from '../../../base/errors.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Attempt } from './attempt.ts';
import { requireAttempt } from './store.ts';
import type { Subject } from './subject.ts';
import type { Reader } from './topic.ts';

/** A payment or a setup: one attempt of it can be open at a time. */
export type Slotted = Subject & { open_attempt: AttemptId | null };

/** The subject while a remote processor is asked: its slot is taken, and an inquiry is due in case no answer comes. */
export function takenSlot<Row extends Slotted>(row: Row, isNew: boolean, attempt: Attempt, due: Date): Row {
  return {
    ...row,
    version: row.version + 1,
    status: isNew ? 'processing' : row.status,
    open_attempt: attempt.id,
    inquiries: 0,
    due_at: due,
    lease_until: null,
  };
}

const settling: readonly string[] = ['processing', 'succeeded', 'failed', 'canceled'];

/** Waits while another verb is in flight, unless its outcome is unknown and may take long. */
export function waitForSlot({ open_attempt, status }: Slotted): void {
  if (open_attempt !== null && !settling.includes(status)) throw new Busy('an attempt is under way');
}

/**
 * Whether a payment or a setup can be ended before it is decided: it waits for its cardholder, or the processor has it and takes its time.
 * Not while an outcome is unknown. A cancel that is under way is waited for.
 */
export async function canEnd(context: Reader & { now: number }, subject: Slotted): Promise<boolean> {
  const { status, open_attempt } = subject;
  waitForSlot(subject);
  if (status !== 'processing' || open_attempt === null) return status === 'requires_action';
  const { verb, state, deadline_at } = await requireAttempt(context, open_attempt);
  if (verb === 'cancel' && state === 'open' && deadline_at.getTime() > context.now)
    throw new Busy('a cancel is under way');
  return (verb === 'authorize' || verb === 'setup') && state === 'pending';
}
