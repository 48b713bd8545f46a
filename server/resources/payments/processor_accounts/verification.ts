import { Unavailable } from '../../../base/errors.ts';
import { settlesWithin } from '../../../base/keyed_queue.ts';
import { errorName } from '../../../connectors/ask.ts';
import type { Connector } from '../../../connectors/contract.ts';

/** `isAnswered` is false when the processor could not be asked, so that nothing is known. */
export type CredentialCheck = { ok: boolean; message: string; identity?: string; isAnswered: boolean };

/** Nothing was changed, because the processor had to be asked and did not answer. */
export class ProcessorSilent extends Unavailable {}

/** Asks a processor whether the credentials work. Never rejects. */
export async function verifyCredentials(connector: Connector, deadlineMs: number): Promise<CredentialCheck> {
  const { name } = connector;
  if (connector.verify === undefined)
    return { ok: true, message: `${name} has no credentials to verify.`, isAnswered: true };
  const silent = (reason: string) => ({ ok: false, message: `${name} did not answer: ${reason}.`, isAnswered: false });
  const asked = connector.verify().then(
    (answer): CredentialCheck => ({ ...answer, isAnswered: true }),
    (error: unknown) => silent(errorName(error)),
  );
  return (await settlesWithin(asked, deadlineMs)) ? asked : silent(`no reply within ${deadlineMs / 1_000} s`);
}
