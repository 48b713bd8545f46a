import type { AuthorizeRequest, Instrument } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { isFrom } from '../attempts/inquire.ts';
import type { Step } from '../attempts/perform.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { returnUrlOf } from '../returns/token.ts';
import type { Candidates } from '../routing/route.ts';
import { type Earlier, type RoutedCall, routedStep } from '../routing/routed_step.ts';
import { agreementFor, findAgreements } from './agreement.ts';
import { takeSlot } from './calls.ts';
import type { Payment } from './payment.ts';
import type { LoadedPayment } from './settle.ts';

/** The facts of a charge that every processor gets. */
export type Charge = Pick<
  AuthorizeRequest,
  'instrument' | 'initiator' | 'declinesChallenge' | 'storedCredential' | 'returnUrl'
> & {
  /** The attempts by which the cardholder has agreed to it, newest first. */
  agreements: readonly Attempt[];
};

export async function chargeOf(
  { reads, tenant, keyring, publicUrl }: Pick<Context, 'reads' | 'tenant' | 'keyring' | 'publicUrl'>,
  payment: Payment,
  method: PaymentMethod,
  instrument: Instrument,
  {
    merchantInitiated,
    declinesChallenge = false,
  }: { merchantInitiated: boolean; declinesChallenge?: boolean | undefined },
): Promise<Charge> {
  // Cardholders come back to us, and go on to the merchant's `return_url` from there.
  const returnUrl = returnUrlOf({ keyring, publicUrl, tenant }, payment.id);
  if (merchantInitiated) {
    const { attempts: agreements } = await findAgreements(reads, tenant, method);
    return { instrument, initiator: 'merchant', storedCredential: 'subsequent', returnUrl, agreements };
  }
  // A method that is attached to a customer may be charged again without the cardholder.
  const storedCredential = method.customer === null ? 'none' : 'first';
  return { instrument, initiator: 'cardholder', storedCredential, declinesChallenge, returnUrl, agreements: [] };
}

/** Asks processors to authorize a payment, one after the other until one of them has acted. */
export function authorizeStep(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  stored: { payment: Payment; isNew: boolean },
  charge: Charge,
  candidates: Candidates,
  earlier?: Earlier,
): Step<LoadedPayment> {
  return routedStep(context, authorization(stored, charge), candidates, earlier);
}

function authorization(
  { payment, isNew }: { payment: Payment; isNew: boolean },
  charge: Charge,
): RoutedCall<LoadedPayment> {
  return {
    facts: { payment: payment.id, verb: 'authorize', amount: payment.amount },
    load: (attempt) => ({ payment: heldBy(payment, attempt), attempt, isNew }),
    call: (connector, attempt, now) => connector.authorize(requestOf(payment, attempt, charge, now)),
    begin: takeSlot,
    after: (before) => authorization({ payment: before.payment, isNew: before.isNew ?? false }, charge),
  };
}

/** A payment whose outcome was unknown names the attempt that may hold its money. It names the next one once it is passed on. */
function heldBy(payment: Payment, { id }: Attempt): Payment {
  return payment.authorization_attempt === null ? payment : { ...payment, authorization_attempt: id };
}

function requestOf(
  payment: Payment,
  attempt: Attempt,
  { agreements, ...charge }: Charge,
  now: number,
): AuthorizeRequest {
  const { tenant, id, deadline_at } = attempt;
  const agreed = agreementFor(attempt, agreements);
  return {
    ...charge,
    networkTransactionId: agreed?.network_transaction_id ?? undefined,
    // The processor's own name for it says nothing to another account.
    agreementReference: (agreed && isFrom(agreed, attempt) && agreed.reference) || undefined,
    tenant,
    attempt: id,
    now,
    deadline: deadline_at.getTime(),
    payment: payment.id,
    money: { amount: payment.amount, currency: payment.currency },
    capture: payment.capture_method !== 'manual',
  };
}
