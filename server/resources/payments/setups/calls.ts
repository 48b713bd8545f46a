import type { Connector, Reply, SetupAttempt } from '../../../connectors/contract.ts';
import type { Attempt } from '../attempts/attempt.ts';

/** Cancels a setup. Sending it twice is harmless. */
export function cancelCall(
  { name, cancelSetup }: Connector,
  { tenant, id }: Attempt,
  setup: SetupAttempt,
  now: number,
): () => Promise<Reply> {
  if (cancelSetup === undefined) throw new Error(`${name} has set up what it cannot cancel`);
  return () => cancelSetup({ tenant, attempt: id, now, setup });
}
