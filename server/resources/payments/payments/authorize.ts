import type { Authentication, AuthorizeRequest, Instrument, KeptCard } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { isFrom } from '../attempts/inquire.ts';
import type { Step } from '../attempts/perform.ts';
import { keepNumber, withKept } from '../payment_methods/kept_cards.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { returnPages } from '../returns/token.ts';
import { asAskedFor, requestedPage } from '../routing/requested_page.ts';
import type { Candidates } from '../routing/route.ts';
import { type Earlier, type KeepCard, type RoutedCall, routedStep } from '../routing/routed_step.ts';
import { agreementFor, findAgreements } from './agreement.ts';
import { takeSlot } from './calls.ts';
import type { Payment } from './payment.ts';
import type { Begun, LoadedPayment } from './settle.ts';

/** The facts of a charge that every processor gets. */
export type Charge = Pick<
  AuthorizeRequest,
  | 'instrument'
  | 'initiator'
  | 'declinesChallenge'
  | 'storedCredential'
  | 'returnUrl'
  | 'authentication'
  | 'statementDescriptor'
  | 'description'
> & {
  /** The attempts by which the cardholder has agreed to it, newest first. */
  agreements: readonly Attempt[];
  keep?: KeepCard;
};

type ChargingContext = Pick<Context, 'reads' | 'tenant' | 'connectors' | 'keyring' | 'publicUrl' | 'brandingOf'>;

export type ChargeTerms = {
  merchantInitiated: boolean;
  declinesChallenge?: boolean | undefined;
  authentication?: Authentication | undefined;
  /** The method is attached to a customer once the charge succeeds. */
  keeps?: boolean | undefined;
};

export async function chargeOf(
  context: ChargingContext,
  payment: Payment,
  method: PaymentMethod,
  instrument: Instrument,
  { merchantInitiated, declinesChallenge = false, authentication, keeps = false }: ChargeTerms,
): Promise<Charge> {
  const { reads, tenant } = context;
  // Cardholders come back to us, and go on to the merchant's `return_url` from there.
  const returnUrl = returnPages.urlOf(context, payment.id);
  const isNumber = instrument.kind === 'card';
  const named = await namesOf(context, payment);
  if (merchantInitiated) {
    const { attempts: agreements } = await findAgreements(reads, tenant, method);
    const keep = isNumber ? { keep: keepsFor(context, method, agreements) } : {};
    return {
      instrument,
      initiator: 'merchant',
      storedCredential: 'subsequent',
      returnUrl,
      agreements,
      ...keep,
      ...named,
    };
  }
  // A method that is attached to a customer may be charged again without the cardholder.
  const storedCredential = method.customer === null && !keeps ? 'none' : 'first';
  const keep = isNumber && storedCredential === 'first' ? { keep: keepsFor(context, method) } : {};
  return {
    instrument,
    initiator: 'cardholder',
    storedCredential,
    declinesChallenge,
    ...(authentication && { authentication }),
    returnUrl,
    agreements: [],
    ...keep,
    ...named,
  };
}

/**
 * What cardholders read on their statements, by the branding of the account, and what the merchant reads at the processor of a checkout. The
 * description of other payments is the merchant's own, and has never been sent.
 */
async function namesOf(
  { brandingOf, tenant }: ChargingContext,
  { checkout_session, description }: Payment,
): Promise<Pick<Charge, 'statementDescriptor' | 'description'>> {
  const { statementDescriptor } = await brandingOf(tenant);
  return {
    ...(statementDescriptor !== undefined && { statementDescriptor }),
    ...(checkout_session !== null && description !== null && { description }),
  };
}

/** The charge of what the cardholder chooses, on a page or in the fields of the processor. */
export async function chargeOfChoice(
  context: ChargingContext,
  payment: Payment,
  instrument: Instrument<'page' | 'confirmation'>,
  { save, authentication }: { save: boolean; authentication?: Authentication | undefined },
): Promise<Charge> {
  return {
    instrument,
    initiator: 'cardholder',
    storedCredential: save ? 'first' : 'none',
    ...(authentication && { authentication }),
    returnUrl: returnPages.urlOf(context, payment.id),
    agreements: [],
    ...(await namesOf(context, payment)),
  };
}

/**
 * Where a processor keeps the number of a method for charges without the cardholder. Where it makes no customer for it, the charge is made
 * all the same. `agreements`: those that a charge without the cardholder carries; one with the cardholder reads them where they are needed.
 */
function keepsFor(context: ChargingContext, method: PaymentMethod, agreements?: readonly Attempt[]): KeepCard {
  const isAlone = agreements !== undefined;
  return async (connector, attempt) => {
    const keeping = await keepNumber(context, { payment_method: method.id, isAlone }, connector, attempt);
    if (keeping === undefined || keeping === 'unmade') return undefined;
    const { customer, isNew, writes } = keeping;
    const agreed = isNew ? [] : (agreements ?? (await findAgreements(context.reads, context.tenant, method)).attempts);
    const agreement = agreed.find((one) => isFrom(one, attempt) && one.reference !== null)?.reference ?? undefined;
    return { kept: { customer, agreement }, writes };
  };
}

/** Asks processors to authorize a payment, one after the other until one of them has acted. */
export function authorizeStep(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  stored: StoredPayment,
  charge: Charge,
  candidates: Candidates,
  earlier?: Earlier,
): Step<LoadedPayment> {
  return routedStep(context, authorization(stored, charge), candidates, earlier);
}

type StoredPayment = { payment: Payment; isNew: boolean; begun?: Begun | undefined };

function authorization({ payment, isNew, begun }: StoredPayment, charge: Charge): RoutedCall<LoadedPayment> {
  return {
    facts: { payment: payment.id, verb: 'authorize', amount: payment.amount },
    page: (connector, now) => requestedPage(connector, charge, now),
    load: (attempt) => ({ payment: heldBy(payment, attempt), attempt, isNew, begun }),
    call: (connector, attempt, now, kept) => connector.authorize(requestOf(payment, attempt, charge, now, kept)),
    keep: charge.keep,
    begin: takeSlot,
    after: ({ payment: before, isNew: isUnstored = false }) =>
      authorization({ payment: before, isNew: isUnstored, begun }, charge),
  };
}

/** A payment whose outcome was unknown names the attempt that may hold its money. It names the next one once it is passed on. */
function heldBy(payment: Payment, { id }: Attempt): Payment {
  return payment.authorization_attempt === null ? payment : { ...payment, authorization_attempt: id };
}

function requestOf(
  payment: Payment,
  attempt: Attempt,
  { agreements, keep: _, ...charge }: Charge,
  now: number,
  kept: KeptCard | undefined,
): AuthorizeRequest {
  const { tenant, id, deadline_at } = attempt;
  const agreed = agreementFor(attempt, agreements);
  return {
    ...charge,
    instrument: asAskedFor(withKept(charge.instrument, kept), attempt),
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
