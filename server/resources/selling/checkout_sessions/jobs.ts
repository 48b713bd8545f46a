import { dueRows, type Job } from '../../../operations/job.ts';
import { jobCalls } from '../../../operations/job_calls.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import type { CheckoutSession } from './checkout_session.ts';
import { isOver, renewCopies } from './erasure.ts';
import { closeAgainMs } from './settle.ts';
import { replaceSession, sessionsTable } from './store.ts';

/** Sessions whose time is over expire, as do those of deleted customers. What is open at the processor is closed first. */
export function expirySessions(services: JobServices, declared: Declared): Job {
  const call = jobCalls(services, declared, 'expired checkout sessions');
  return dueRows(services, 'expired checkout sessions', sessionsTable, async (session) => {
    if (isOver(session)) return renewCopies(services, declared, session);
    const { tenant, id } = session;
    const { error } = await call({ tenant, id, operation: 'checkout_sessions.expire' });
    const after = await services.reads.one(sessionsTable, tenant, id);
    // The processor refuses to close its page, or is being asked: its payment ends by itself at the latest.
    if (after?.status === 'open' && after.version === session.version) await lookAgain(services, after);
    if (error !== undefined && error.code !== 'checkout_session_not_open' && error.status >= 500) throw error;
  });
}

async function lookAgain({ committer, clock, onDue }: JobServices, session: CheckoutSession): Promise<void> {
  const due_at = new Date(clock.now() + closeAgainMs);
  const later = { ...session, version: session.version + 1, due_at, lease_until: null };
  if ((await committer.commit({ tenant: later.tenant, writes: [replaceSession(later)] })) === 'committed')
    onDue(due_at.getTime());
}
