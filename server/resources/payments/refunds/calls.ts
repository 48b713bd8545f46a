import type { Authorization, Connector, Reply } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import type { Refund } from './refund.ts';

/** Refunds. A connector without `refund` answers with a decline. Sending it twice is harmless: the processor knows the attempt. */
export function refundCall(
  connector: Connector,
  { refund, attempt, authorization }: { refund: Refund; attempt: Attempt; authorization: Authorization },
  now: number,
): () => Promise<Reply> {
  const { tenant, id } = attempt;
  const money = { amount: refund.amount, currency: refund.currency };
  return async () => {
    if (connector.refund !== undefined) return connector.refund({ tenant, attempt: id, now, authorization, money });
    const outcome = { kind: 'declined', code: 'processing_error', declineCode: 'refunds_not_supported' } as const;
    return { attempt: id, outcome, exchange: {} };
  };
}
