import { Unavailable } from '../../../base/errors.ts';
import { settlesWithin } from '../../../base/keyed_queue.ts';
import { errorName } from '../../../connectors/ask.ts';
import type { Connector, Registered, RegistrationRequest } from '../../../connectors/contract.ts';

/** `isAnswered` is false when the processor could not be asked, so that nothing is known. */
export type CredentialCheck = { ok: boolean; message: string; identity?: string; isAnswered: boolean };

/** Nothing was changed, because the processor had to be asked and did not answer. */
export class ProcessorSilent extends Unavailable {}

type RegisteredCheck = CredentialCheck & { registered: Registered };

/**
 * Asks a processor whether the credentials work, and has it send its notices here, unless a person has arranged that, or the credentials are
 * of another account than before. Both together take as long as one may. Never rejects.
 */
export async function verifyAndRegister(
  connector: Connector,
  request: RegistrationRequest,
  { identity, deadlineMs }: { identity: string | null; deadlineMs: number },
): Promise<RegisteredCheck> {
  const { name } = connector;
  const silent = {
    message: `${name} did not say whether it sends its notices to ${request.noticesUrl}. Verify again.`,
  };
  const verified = verifyCredentials(connector, deadlineMs);
  const both = verified.then(async (check): Promise<RegisteredCheck> => {
    const isSame = check.identity === undefined || identity === null || check.identity === identity;
    if (!check.ok || !isSame || connector.register === undefined) return { ...check, registered: { message: '' } };
    return { ...check, registered: await connector.register(request).catch(() => silent) };
  });
  return (await settlesWithin(both, deadlineMs)) ? both : { ...(await verified), registered: silent };
}

/** Has the processor send no more notices here: whether nothing is left there. Never rejects. */
export async function unregisterNotices(
  connector: Connector,
  noticesUrl: string,
  deadlineMs: number,
): Promise<boolean> {
  if (connector.unregister === undefined) return true;
  const asked = connector.unregister({ noticesUrl }).catch(() => false);
  return (await settlesWithin(asked, deadlineMs)) ? asked : false;
}

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
