import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Log } from '../base/log.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Notice } from '../connectors/contract.ts';
import type { Connectors } from '../connectors/index.ts';
import type { TermsOf } from '../resources/payments/receipt.ts';
import type { Vault } from '../vault/index.ts';
import { DisputeCare } from './disputes.ts';
import { Worker } from './loop.ts';
import { hearNotices } from './notices.ts';
import { destroyDetached } from './payment_methods.ts';
import { PaymentCare } from './payments.ts';
import { recoverMissed } from './recoveries.ts';
import { RefundCare } from './refunds.ts';

export type WorkerParts = {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  connectors: Connectors;
  vault: Vault;
  terms: TermsOf;
  clock: Clock;
  log: Log;
  onDue: (moment: number) => void;
};

/** Everything that must happen later. */
export function createWorker(parts: WorkerParts): { worker: Worker; payments: PaymentCare } {
  const payments = new PaymentCare(parts);
  const refunds = new RefundCare(parts);
  const disputes = new DisputeCare(parts);
  const take = async (notice: Notice, connector: string) => {
    if (notice.kind === 'refund_settled') return refunds.noticed(notice, connector);
    return notice.kind === 'dispute_opened' ? disputes.opened(notice, connector) : disputes.closed(notice, connector);
  };
  const kinds = [
    payments.kind(),
    refunds.kind(),
    disputes.kind(),
    hearNotices({ ...parts, connectors: parts.connectors.all, take }),
    destroyDetached(parts),
    recoverMissed(parts),
  ];
  return { worker: new Worker(kinds, parts.clock, parts.log), payments };
}
