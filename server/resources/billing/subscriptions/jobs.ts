import { dueRows, type Job } from '../../../operations/job.ts';
import { jobCalls } from '../../../operations/job_calls.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { refuseSuspended } from '../../people/accounts/suspended.ts';
import { subscriptionsTable } from '../subscription_state/store.ts';
import { advanceName } from './advance.ts';

/**
 * A tenant has half of them. While the invoices of a half of these get their numbers in one commit, the other half is read. More were
 * measured, and no faster.
 */
const concurrency = 128;

/** Bills subscriptions, and does what else becomes due for them. */
export function billSubscriptions(services: JobServices, declared: Declared): Job {
  const run = jobCalls(services, declared, 'subscriptions');
  const job = dueRows(services, 'subscriptions', subscriptionsTable, async ({ tenant, id, status }) => {
    // A subscription that has ended, or never began, is not charged.
    if (status !== 'canceled' && status !== 'incomplete') await refuseSuspended(services, tenant);
    await run({ tenant, id, operation: advanceName });
  });
  return { ...job, concurrency };
}
