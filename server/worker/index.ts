import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Log } from '../base/log.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { Notice } from '../connectors/contract.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Duty } from '../resources/duty.ts';
import type { TermsOf } from '../resources/payments/receipt.ts';
import type { Vault } from '../vault/index.ts';
import { DisputeCare } from './disputes.ts';
import { hearNotices } from './notices.ts';
import { destroyDetached } from './payment_methods.ts';
import { PaymentCare } from './payments.ts';
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

/** The duties that are not declared by their resources. */
export function createDuties(parts: WorkerParts): { duties: Duty[]; payments: PaymentCare } {
  const payments = new PaymentCare(parts);
  const refunds = new RefundCare(parts);
  const disputes = new DisputeCare(parts);
  const take = async (notice: Notice, connector: string) => {
    if (notice.kind === 'refund_settled') return refunds.noticed(notice, connector);
    return notice.kind === 'dispute_opened' ? disputes.opened(notice, connector) : disputes.closed(notice, connector);
  };
  const duties = [
    payments.kind(),
    refunds.kind(),
    disputes.kind(),
    hearNotices({ ...parts, connectors: parts.connectors.all, take }),
    destroyDetached(parts),
  ];
  return { duties, payments };
}
