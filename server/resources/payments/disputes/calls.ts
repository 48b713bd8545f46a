import type { Connector, Reply } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';
import type { Dispute } from './dispute.ts';
import { apiError } from './errors.ts';

export type DisputeVerb = 'contest' | 'concede';

/** Not every processor takes evidence or a concession over its API: some only on their own pages. */
export function refuseUnable(connector: Connector, verb: DisputeVerb): void {
  if (connector[verb] !== undefined) return;
  const reason = `the processor ${connector.name} does not accept this through the gateway; contact it directly`;
  throw apiError('parameter_invalid', { param: verb === 'contest' ? 'submit' : 'id', reason });
}

/** Submits evidence, or concedes. Sending it twice is harmless: the processor knows the attempt. */
export function disputeCall(
  connector: Connector,
  { dispute, attempt }: { dispute: Dispute; attempt: Attempt },
  now: number,
): () => Promise<Reply> {
  const { evidence, reference } = dispute;
  const request = { tenant: attempt.tenant, attempt: attempt.id, now, dispute: reference };
  return async () => {
    const reply =
      attempt.verb === 'contest' ? connector.contest?.({ ...request, evidence }) : connector.concede?.(request);
    if (reply === undefined) throw new Error(`${connector.name} cannot ${attempt.verb}`);
    return reply;
  };
}
