import type { Clock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
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
};

/** The services of jobs, on the database of a shop, for a test that runs jobs by itself and sees what they log. */
export function testServices(shop: Shop, clock: Clock, { visibleAfterMs = 0 } = {}): TestServices {
  const alarms: TestServices['alarms'] = [];
  const { vault, keyring, publicUrl, routes, processorAccounts, brandingOf, sellerOf, reads, durable, committer } =
    shop.server.gateway.services;
  const record = (fields: object, message: string) => void alarms.push({ message, fields });
  const log = { error: record, warn: record, debug: () => {} } as unknown as Log;
  return {
    ...{ vault, keyring, publicUrl, routes, processorAccounts, brandingOf, sellerOf },
    ...{ reads, durable, committer, clock },
    onDue: () => {},
    ...cachedSettings({ reads, clock, directoryGraceMs: 0 }),
    cardTesting: undefined as never, // no payment of a shop is a try of a checkout
    alarms,
    connectors: createConnectors({
      registrations,
      settings: { simulator: { place: 'remote', visibleAfterMs } },
      modes: defaultConnectors,
      tools: { durable, reads, clock, publicUrl: () => '' },
      report: async () => {},
      openAccount: () => Promise.reject(new Error('there are no processor accounts')),
      limits: { clock, deadlineMs, onLate: () => {} },
    }),
    log,
    unmatchedNotices: new UnmatchedNotices({ processorAccounts, clock, log, count: () => {} }),
  };
}

/** Runs a job once on each due row; gives how many there were. */
export async function runDue(job: Job): Promise<number> {
  const rows = await job.lease(100);
  for (const row of rows) await row.run();
  return rows.length;
}
