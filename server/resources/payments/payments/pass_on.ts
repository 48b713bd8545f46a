import { ApiError } from '../../../base/errors.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { type Attempt, type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import type { InquiryServices } from '../attempts/inquire.ts';
import { passesOn, type Step } from '../attempts/perform.ts';
import { findAttemptsOf, saveAttempt } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import type { Reader } from '../attempts/topic.ts';
import { declineOf, instrumentOf, openEarly } from '../payment_methods/instrument.ts';
import { refuseDetached, requirePaymentMethod } from '../payment_methods/operations.ts';
import { processorsMax } from '../routing/choices.ts';
import { accountsAsked, earlierOf } from '../routing/passed_on.ts';
import { candidatesAfter } from '../routing/route.ts';
import { authorizeStep, chargeOf } from './authorize.ts';
import type { Payment, PaymentId } from './payment.ts';
import type { LoadedPayment } from './settle.ts';

/** Whether something that waits for a payment takes a challenge for a decline. Its request knows it; a job has to ask. */
export type ChallengeRule = (reader: Reader, payment: PaymentId) => Promise<boolean>;

export const challengeRules = extensionPoint<ChallengeRule>('payments.declines_challenge');

export type PassOnServices = InquiryServices &
  Pick<Services, 'vault' | 'keyring' | 'publicUrl' | 'routes' | 'processorAccounts' | 'isSuspended' | 'brandingOf'>;

/**
 * The step with the next processor, for a payment whose request has ended without an outcome, where an inquiry finds that the processor
 * passes it on. It ends the attempt in the same commit. Undefined: the answer settles the payment, as it does while the account is suspended:
 * the next processor would be a new charge.
 */
export async function stepAfter(
  services: PassOnServices,
  rules: readonly ChallengeRule[],
  loaded: LoadedPayment,
  answer: ProcessorAnswer,
  now: number,
): Promise<Step<LoadedPayment> | undefined> {
  if (!isPassedOn(loaded, answer) || (await services.isSuspended(loaded.payment.tenant))) return undefined;
  const attempt = recordAnswer(loaded.attempt, answer, now);
  try {
    const step = await nextStep(services, rules, loaded.payment, attempt, answer, now);
    return step && { ...step, writes: [saveAttempt(attempt), ...(answer.writes ?? [])] };
  } catch (error) {
    if (error instanceof ApiError) return undefined; // the method can no longer be charged, or no processor is left
    throw error;
  }
}

/** Whether the processor has given no answer before, and now says that another may be asked. Pure. */
function isPassedOn({ payment, attempt }: LoadedPayment, { outcome }: ProcessorAnswer): boolean {
  const isUnanswered = attempt.state === 'open' || attempt.state === 'unknown';
  const isAwaited = payment.status === 'processing' && payment.open_attempt === attempt.id;
  return attempt.verb === 'authorize' && isUnanswered && isAwaited && passesOn(outcome);
}

/** The security code is gone: it was discarded with the first attempt. */
async function nextStep(
  services: PassOnServices,
  rules: readonly ChallengeRule[],
  before: Payment,
  attempt: Attempt,
  answer: ProcessorAnswer,
  now: number,
): Promise<Step<LoadedPayment> | undefined> {
  const { tenant, request_id: requestId } = attempt;
  // What its cardholder was to choose, or has chosen, only the processor knows.
  if (before.payment_method === null) return undefined;
  // What a try of a checkout was to ask of the card, and whether it keeps it, is not stored. Its customer is there, and can try again.
  if (before.checkout_session !== null) return undefined;
  const context = { ...services, tenant, now, requestId, id: before.payment_method };
  const payment: Payment = { ...before, ...idle };
  const { amount, currency } = payment;
  const [method, early, asked] = await Promise.all([
    requirePaymentMethod(context),
    openEarly(context, before.payment_method),
    findAttemptsOf(context, payment.id, '', processorsMax).then(accountsAsked),
  ]);
  refuseDetached(method, 'payment_method');
  const { instrument } = await instrumentOf(context, method, early);
  if (declineOf(method, now) !== undefined) return undefined;
  const candidates = await candidatesAfter(asked, context, { amount, currency }, method, instrument);
  const declining = await Promise.all(rules.map((declines) => declines(context, payment.id)));
  // A payment that a job made before `off_session` was stored has no request.
  const merchantInitiated = payment.off_session ?? requestId === null;
  const terms = { merchantInitiated, declinesChallenge: declining.includes(true) };
  const charge = await chargeOf(context, payment, method, instrument, terms);
  const earlier = earlierOf(attempt, answer, asked);
  return authorizeStep(context, { payment, isNew: false }, charge, candidates, earlier);
}
