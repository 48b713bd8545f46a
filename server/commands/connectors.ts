import type { Clock } from '../base/clock.ts';
import { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Config } from '../config.ts';
import { type Connectors, createConnectors, registrations } from '../connectors/index.ts';

/** The processors that are configured, for their statements: commands ask them to do nothing. */
export function connectorsOf(config: Config, pool: Pool, clock: Clock): Connectors {
  return createConnectors({
    registrations,
    settings: config.connectorSettings,
    modes: config.connectors,
    tools: { pool, reads: new Reads(pool), clock, publicUrl: () => config.publicUrl ?? '' },
    report: async () => {},
    limits: { clock, deadlineMs: 0, onLate: () => {} },
  });
}
