import type { Clock } from '../../../base/clock.ts';
import { Committer } from '../../../base/commit/index.ts';
import type { Log } from '../../../base/log.ts';
import { onePool } from '../../../base/places/sql_at.ts';
import { Reads } from '../../../base/reads.ts';
import { openPool } from '../../../base/sql.ts';
import { createConnectors, defaultConnectors, registrations } from '../../../connectors/index.ts';
import type { Job } from '../../../operations/job.ts';
import { cachedSettings } from '../../people/accounts/settings.ts';
import { deadlineMs } from '../disputes/disputes.fixture.ts';
import type { PassOnServices } from '../payments/pass_on.ts';
import type { Shop } from '../payments/payments.fixture.ts';
import { UnmatchedNotices } from './unmatched.ts';

export type TestServices = PassOnServices & {
  /** The warnings and errors that were logged so far. */
  alarms: { message: string; fields: object }[];
  close(): Promise<void>;
};

/** The services of jobs, on the database of a shop, for a test that runs jobs by itself. */
export function testServices(shop: Shop, clock: Clock, { visibleAfterMs = 0 } = {}): TestServices {
  const address = { connectionString: shop.server.databaseUrl };
  const pool = openPool(address, { use: 'durable', connectionsMax: 2, onError: () => {} });
  const reads = new Reads(pool);
  const committer = new Committer(address);
  const alarms: TestServices['alarms'] = [];
  const { vault, keyring, publicUrl, routes, processorAccounts, brandingOf, sellerOf } = shop.server.gateway.services;
  const record = (fields: object, message: string) => void alarms.push({ message, fields });
  const log = { error: record, warn: record, debug: () => {} } as unknown as Log;
  return {
    ...{ vault, keyring, publicUrl, routes, processorAccounts, brandingOf, sellerOf },
    reads,
    durable: onePool(pool),
    committer,
    clock,
    onDue: () => {},
    ...cachedSettings({ reads, clock, directoryGraceMs: 0 }),
    cardTesting: undefined as never, // no payment of a shop is a try of a checkout
    alarms,
    connectors: createConnectors({
      registrations,
      settings: { simulator: { place: 'remote', visibleAfterMs } },
      modes: defaultConnectors,
      tools: { durable: onePool(pool), reads, clock, publicUrl: () => '' },
      report: async () => {},
      openAccount: () => Promise.reject(new Error('there are no processor accounts')),
      limits: { clock, deadlineMs, onLate: () => {} },
    }),
    log,
    unmatchedNotices: new UnmatchedNotices({ processorAccounts, clock, log, count: () => {} }),
    async close() {
      await committer.close();
      await pool.end();
    },
  };
}

/** Runs a job once on each due row; gives how many there were. */
export async function runDue(job: Job): Promise<number> {
  const rows = await job.lease(100);
  for (const row of rows) await row.run();
  return rows.length;
}
