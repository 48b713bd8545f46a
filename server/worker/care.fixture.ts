import type { Clock } from '../base/clock.ts';
import { Committer } from '../base/commit/index.ts';
import type { Log } from '../base/log.ts';
import { Reads } from '../base/reads.ts';
import { openPool } from '../base/sql.ts';
import { createConnectors } from '../connectors/index.ts';
import { TermsCache } from '../resources/accounts/terms.ts';
import { deadlineMs } from '../resources/disputes/disputes.fixture.ts';
import type { Duty } from '../resources/duty.ts';
import type { Shop } from '../resources/payments/payments.fixture.ts';
import type { PaymentParts } from './payments.ts';

export type CareParts = PaymentParts & {
  /** What was raised so far. */
  alarms: { message: string; fields: object }[];
  close(): Promise<void>;
};

/** What payments, refunds and disputes are seen to with, beside a shop, for a test that does it by itself. */
export function careParts(shop: Shop, clock: Clock, { visibleAfterMs = 0 } = {}): CareParts {
  const address = { connectionString: shop.server.databaseUrl };
  const pool = openPool(address, { use: 'durable', connectionsMax: 2, onError: () => {} });
  const reads = new Reads(pool);
  const committer = new Committer(address);
  const alarms: CareParts['alarms'] = [];
  return {
    ...{ reads, durable: pool, committer, clock, onDue: () => {}, terms: new TermsCache(reads, clock).of, alarms },
    connectors: createConnectors({
      live: 'none',
      patience: { clock, deadlineMs, onLate: () => {} },
      simulator: { place: 'remote', pool, reads, clock, publicUrl: () => '', visibleAfterMs },
    }),
    log: { error: (fields: object, message: string) => void alarms.push({ message, fields }) } as unknown as Log,
    async close() {
      await committer.close();
      await pool.end();
    },
  };
}

/** Everything of a kind that is due at this moment, once; how much it was. */
export async function tend(kind: Duty): Promise<number> {
  const jobs = await kind.lease(100);
  for (const job of jobs) await job.run();
  return jobs.length;
}
