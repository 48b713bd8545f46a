import { copies } from '../../../operations/extension_points/erasure.ts';
import { dueRows, type Job, leasesOf } from '../../../operations/job.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { Advance } from './advance.ts';
import { deletedTestClocksTable, replaceDeletedClock, testClocksTable } from './store.ts';
import { clockWork } from './work.ts';

/** Advances clocks. An advance changes its own row at every moment, so the lease that is renewed is that of the row as it is by then. */
export function advanceClocks(services: JobServices, declared: Declared): Job {
  const { durable, clock } = services;
  const leases = leasesOf(durable, testClocksTable, clock);
  return {
    name: 'test clocks',
    lease: async (limit, shares) =>
      (await leases(limit, shares)).map(
        (leased) => new Advance(services, declared, declared.extensionsOf(clockWork), leased),
      ),
  };
}

/** Deletes what is in deleted clocks, one step at a time. */
export function finishClockDeletions(services: JobServices, declared: Declared): Job {
  const { committer, clock, onDue } = services;
  return dueRows(services, 'deleted test clocks', deletedTestClocksTable, async (before) => {
    const { tenant, id, version, frozen_time } = before;
    const about = { tenant, id, now: frozen_time.getTime() };
    const works = declared.extensionsOf(clockWork);
    const released = await Promise.all(works.map((work) => work.release?.(services, declared, about) ?? true));
    const now = clock.now();
    const due_at = released.includes(false) ? new Date(now) : null;
    if (due_at === null)
      await Promise.all(declared.extensionsOf(copies).map((one) => one.compare(services, declared, tenant)));
    await committer.commit({
      tenant,
      writes: [replaceDeletedClock({ ...before, version: version + 1, due_at, lease_until: null })],
    });
    if (due_at !== null) onDue(now);
  });
}
