import type { Copies } from '../../../operations/extension_points/erasure.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { Services } from '../../../operations/services.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import { type Dependents, releaseAll } from './operations.ts';
import { deletedCustomersTable, replaceTombstone } from './store.ts';

/**
 * Releases what did not fit into the commit that deleted a customer, one step at a time: each step is a commit that others wait for. In the
 * last one, what is kept elsewhere of the customer is gone. A step that conflicts with a request is taken again when its lease expires.
 */
export function finishDeletions(services: Services, others: readonly Dependents[], kept: readonly Copies[]): Job {
  const { reads, vault, committer, clock: real, onDue } = services;
  return dueRows(services, 'deleted customers', deletedCustomersTable, async (before) => {
    const { tenant, id, version, test_clock, clock_time } = before;
    const now = real.now();
    const clock = test_clock === null ? undefined : { id: test_clock, now: clock_time!.getTime() };
    const { writes, events, isLast } = await releaseAll(others, { reads, vault, tenant, now, clock }, id);
    if (isLast) await Promise.all(kept.map((one) => one.forget(services, tenant, [id])));
    const happened = happenedAt(clock?.now, events);
    const due_at = isLast ? null : new Date(now);
    const after = replaceTombstone({ ...before, version: version + 1, due_at, lease_until: null });
    await committer.commit({
      tenant,
      writes: [...writes, ...eventWrites(tenant, null, now, happened), after],
    });
    if (!isLast) onDue(now);
  });
}
