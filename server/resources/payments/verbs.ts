import type { Connector, Reply } from '../../connectors/contract.ts';
import type { Attempt } from './attempt.ts';
import type { Payment } from './payment.ts';
import { attemptFor } from './perform.ts';

export function cancelAttempt(
  context: Parameters<typeof attemptFor>[0],
  connector: Connector,
  payment: Payment,
  verb: 'cancel' | 'reverse',
): Attempt {
  return attemptFor(context, connector, { payment: payment.id, verb, amount: null });
}

/** Cancels or reverses: for a processor it is the same. One that cannot do it says so like one that refuses. */
export function cancelCall(
  connector: Connector,
  attempt: Attempt,
  authorization: Attempt,
  now: number,
): () => Promise<Reply> {
  const { tenant, id } = attempt;
  const about = { attempt: authorization.id, reference: authorization.reference ?? undefined };
  return async () => {
    if (connector.cancel !== undefined) return connector.cancel({ tenant, attempt: id, now, authorization: about });
    const message = `${connector.name} cannot cancel.`;
    return { attempt: id, outcome: { kind: 'declined', code: 'processing_error', message }, exchange: {} };
  };
}
