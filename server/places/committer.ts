import type { Patience } from '../base/patient_client.ts';
import type { Tracing } from '../base/tracing/tracing.ts';
import type { Config } from '../config.ts';
import type { createMetrics } from '../http/answering/metrics.ts';
import type { AllProvided, Catalog } from '../operations/resource.ts';
import type { Scheduler } from '../worker/scheduler.ts';
import type { PlaceOptions } from './place.ts';

/** What follows commits. It is made after the connections, and complete before anything is committed. */
export type CommitFollowers = { provided: AllProvided; worker: Scheduler };

type CommitterParts = {
  config: Config;
  overrides: { patience?: Patience & { commitMs: number } };
  catalog: Catalog;
  metrics: ReturnType<typeof createMetrics>;
  tracing: Tracing;
  followers: CommitFollowers;
};

/** Notifies everything that follows commits: live dashboards, caches, the metrics, and the loops that derived rows wake. */
export function committerOptions(parts: CommitterParts): PlaceOptions['committer'] {
  const { config, overrides, catalog, metrics, tracing, followers } = parts;
  return {
    observer: {
      ...metrics.commit,
      committed(unit) {
        followers.provided.committed(unit);
        if (config.metrics) metrics.events.committed(unit);
      },
    },
    tracing,
    ...(overrides.patience && { patience: overrides.patience }),
    extend: (unit) => followers.provided.beforeCommit(unit),
    derived: catalog.derived,
    onDerived: () => {
      for (const { wakes } of catalog.derived) if (wakes !== undefined) followers.worker.wake(wakes);
    },
  };
}
