import type { Write } from '../../../base/commit/index.ts';
import { post } from '../../../ledger/posting.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { type Attempt, paymentIdOf } from '../attempts/attempt.ts';
import { requireStored, saveAttempt } from '../attempts/store.ts';
import type { Reader, Topic } from '../attempts/topic.ts';
import { paymentsTable, replacePayment } from '../payments/store.ts';
import { serializeRefund } from './schema.ts';
import { type LoadedRefund, type SettledRefund, settleRefund } from './settle.ts';
import { refundsTable, saveRefund } from './store.ts';

/** The rows that are committed with an answer about a refund, in a resource that depends on it. */
export type RefundHook = (services: Pick<Services, 'reads'>, settled: SettledRefund, now: number) => Promise<Write[]>;

export const refundSettlements = extensionPoint<RefundHook>('refunds.settled');

export type RefundTopic = Topic<LoadedRefund, SettledRefund>;

/** Refunds as a topic of attempts. */
export function refundTopic(hooks: readonly RefundHook[]): RefundTopic {
  return {
    name: 'refund',
    flagMessage:
      'no final answer about a refund for 14 days: ask the processor, and settle it with "tollgate payments settle"',
    read,
    subject: ({ refund }) => refund,
    isOpen: ({ attempt }) => attempt.state === 'open',
    settle: settleRefund,
    // A refund that the bank declined is no error: it exists, and it has failed.
    answer: ({ refund }) => ({ result: serializeRefund(refund), objectId: refund.id }),
    async part(services, settled, now) {
      const { refund, attempt, payment, movements } = settled;
      const writes = [saveRefund(refund), saveAttempt(attempt)];
      if (payment !== undefined) writes.push(replacePayment(payment));
      for (const movement of movements) writes.push(post(refund.tenant, now, movement));
      for (const hook of hooks) writes.push(...(await hook(services, settled, now)));
      return { writes, events: [] };
    },
  };
}

async function read(reader: Reader, attempt: Attempt): Promise<LoadedRefund> {
  const [refund, payment] = await Promise.all([
    requireStored(reader, refundsTable, attempt.refund!),
    requireStored(reader, paymentsTable, paymentIdOf(attempt)),
  ]);
  return { refund, payment, attempt };
}
