import { idTime } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import { jobCalls } from '../../../operations/job_calls.ts';
import {
  type AnyOperation,
  type Context,
  type Outcome,
  operation,
  type Sequenced,
} from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import { concludeChange, readPendingChange } from './pay_first.ts';
import type { PendingChange } from './pending_plan.ts';
import { pendingChangesTable, removePendingChange, savePendingChange } from './store.ts';

const finishName = 'subscriptions.finish_change';

const pauseMs = { min: 5_000, max: 60_000 };

/** Finishes changes whose request has ended before the answer of the processor was committed. */
export function finishChanges(services: JobServices, declared: Declared): Job {
  const run = jobCalls(services, declared, 'pending_changes');
  return dueRows(services, 'pending_changes', pendingChangesTable, async ({ tenant, id }) => {
    await run({ tenant, id, operation: finishName });
  });
}

/** The operation by which the job finishes a change. Its id is that of the payment. */
export const finishOperation: AnyOperation = operation({
  name: finishName,
  summary: 'Carry out a change whose payment was made, or drop it',
  route: 'POST /subscriptions/:id/finish_change',
  callers: ['job'],
  output: Type.Object({}),
  async run(context) {
    const change = await context.reads.one(pendingChangesTable, context.tenant, context.id);
    return change === undefined ? { result: {} } : finish(context, change);
  },
});

async function finish(context: Context, change: PendingChange): Promise<Outcome | Sequenced> {
  const { id } = change;
  const payment = (await findPayments(context, [id])).get(id);
  if (payment === undefined) return { result: {}, writes: [removePendingChange(change)] }; // it went with its test clock
  // An inquiry settles the payment. Meanwhile the caller may ask again, and is answered.
  if (payment.status === 'processing') return lookAgain(change, context.now);
  const pending = await readPendingChange(context, payment);
  if (pending === undefined) return { result: {} };
  const decided = await concludeChange(context, { payment, pending }, ({ invoice }) => ({
    result: {},
    objectId: invoice.id,
  }));
  // A job has no caller to answer.
  if ('sequence' in decided) return decided;
  const { error: _, ...outcome } = decided;
  return outcome;
}

/** The pause grows with the age of the payment. */
function lookAgain(change: PendingChange, now: number): Outcome {
  const pause = Math.min(Math.max(now - idTime(change.id), pauseMs.min), pauseMs.max);
  const due = now + pause;
  const waits = { ...change, version: change.version + 1, due_at: new Date(due), lease_until: null };
  return { result: {}, writes: [savePendingChange(waits)], due };
}
