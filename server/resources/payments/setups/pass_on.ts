import { ApiError } from '../../../base/errors.ts';
import type { Services } from '../../../operations/services.ts';
import { type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import type { InquiryServices } from '../attempts/inquire.ts';
import { passesOn, type Step } from '../attempts/perform.ts';
import { findAttemptsOfSetup, saveAttempt } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { declineOf, instrumentOf, openEarly } from '../payment_methods/instrument.ts';
import { refuseDetached, requirePaymentMethod } from '../payment_methods/operations.ts';
import { processorsMax } from '../routing/choices.ts';
import { accountsAsked, earlierOf } from '../routing/passed_on.ts';
import { candidatesAfter } from '../routing/route.ts';
import { setupStep } from './begin.ts';
import type { LoadedSetup } from './settle.ts';
import type { Setup } from './setup.ts';

export type SetupServices = InquiryServices &
  Pick<Services, 'vault' | 'keyring' | 'publicUrl' | 'routes' | 'processorAccounts' | 'isSuspended'>;

/**
 * The step with the next processor, for a setup whose request has ended without an outcome, where an inquiry finds that the processor
 * passes it on. Undefined: the answer settles the setup, as it does while the account is suspended.
 */
export async function stepAfter(
  services: SetupServices,
  loaded: LoadedSetup,
  answer: ProcessorAnswer,
  now: number,
): Promise<Step<LoadedSetup> | undefined> {
  if (!isPassedOn(loaded, answer) || (await services.isSuspended(loaded.setup.tenant))) return undefined;
  try {
    return await nextStep(services, loaded, answer, now);
  } catch (error) {
    if (error instanceof ApiError) return undefined; // the method can no longer be set up, or no processor is left
    throw error;
  }
}

/** Whether the processor has given no answer before, and now says that another may be asked. Pure. */
function isPassedOn({ setup, attempt }: LoadedSetup, { outcome }: ProcessorAnswer): boolean {
  const isUnanswered = attempt.state === 'open' || attempt.state === 'unknown';
  const isAwaited = setup.status === 'processing' && setup.open_attempt === attempt.id;
  return attempt.verb === 'setup' && isUnanswered && isAwaited && passesOn(outcome);
}

/** The security code is gone: it was discarded with the first attempt. */
async function nextStep(
  services: SetupServices,
  { setup: before, attempt: asked }: LoadedSetup,
  answer: ProcessorAnswer,
  now: number,
): Promise<Step<LoadedSetup> | undefined> {
  const attempt = recordAnswer(asked, answer, now);
  const { tenant, request_id: requestId } = attempt;
  // What its cardholder was to choose, or has chosen, only the processor knows.
  if (before.payment_method === null) return undefined;
  // What a try of a checkout was to ask of the card is not stored. Its customer is there, and can try again.
  if (before.checkout_session !== null) return undefined;
  const context = { ...services, tenant, now, requestId, id: before.payment_method };
  const setup: Setup = { ...before, ...idle };
  const [method, early, attempts] = await Promise.all([
    requirePaymentMethod(context),
    openEarly(context, before.payment_method),
    findAttemptsOfSetup(context, setup.id, processorsMax),
  ]);
  refuseDetached(method, 'payment_method');
  const { instrument } = await instrumentOf(context, method, early);
  if (declineOf(method, now) !== undefined) return undefined;
  const accounts = accountsAsked(attempts);
  const candidates = await candidatesAfter(accounts, context, undefined, method, instrument);
  const earlier = earlierOf(attempt, answer, accounts);
  const step = setupStep(context, { setup, isNew: false }, { instrument }, candidates, earlier);
  return { ...step, writes: [saveAttempt(attempt), ...(answer.writes ?? [])] };
}
