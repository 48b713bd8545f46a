import type { AuthorizeRequest, Connector, InquiryOutcome, Instrument } from '../../../connectors/contract.ts';
import type { Context } from '../../../operations/operation.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { attemptFor, type Step } from '../attempts/perform.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { takeSlot } from './calls.ts';
import type { Payment } from './payment.ts';
import { returnPath, returnToken } from './return_token.ts';
import type { Candidates } from './route.ts';
import type { LoadedPayment } from './settle.ts';
import { findNetworkTransaction } from './store.ts';

/** All processors together have this long, counted from the beginning of the request, or of the inquiry that passes the payment on. */
const routingMs = 25_000;
/** With less time left, another processor is not tried. */
const leastMs = 1_000;

/** The facts of a charge that every processor gets. */
export type Charge = Pick<
  AuthorizeRequest,
  'instrument' | 'initiator' | 'declinesChallenge' | 'storedCredential' | 'networkTransactionId' | 'returnUrl'
>;

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
  const returnUrl = `${publicUrl()}${returnPath}${returnToken(keyring, tenant, payment.id)}`;
  if (merchantInitiated) {
    const networkTransactionId = await findNetworkTransaction(reads, tenant, method);
    return { instrument, initiator: 'merchant', storedCredential: 'subsequent', networkTransactionId, returnUrl };
  }
  // A method that is attached to a customer may be charged again without the cardholder.
  const storedCredential = method.customer === null ? 'none' : 'first';
  const terms = { initiator: 'cardholder', storedCredential, declinesChallenge } as const;
  return { instrument, ...terms, networkTransactionId: undefined, returnUrl };
}

/** The processors that were asked before, and when the last of them was. */
export type Earlier = { passedOver: readonly string[]; at: number };

/**
 * Asks the first of the processors to authorize a payment. Where it provably does not act, or says that another may approve, the next one
 * is asked. After an unknown outcome no other is asked: the first one may have taken the money.
 */
export function authorizeStep(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  { payment, isNew }: { payment: Payment; isNew: boolean },
  charge: Charge,
  [candidate, ...others]: Candidates,
  earlier?: Earlier,
): Step<LoadedPayment> {
  const { connector, reason } = candidate;
  const { clock } = context.connectors.limits;
  const latest = context.now + routingMs;
  // The ids of attempts begin with their time: later, so that they sort in the order in which they were made.
  const now = earlier === undefined ? context.now : Math.max(clock.now(), earlier.at + 1);
  const passed = earlier?.passedOver ?? [];
  const facts = {
    ...({ payment: payment.id, verb: 'authorize', amount: payment.amount } as const),
    reason: reason && [reason, ...passed].join('; '),
  };
  const attempt = attemptFor({ ...context, now }, connector, facts, latest);
  const loaded: LoadedPayment = { payment: heldBy(payment, attempt), attempt, isNew };
  return {
    loaded,
    connector,
    call: () => connector.authorize(requestOf(payment, attempt, charge, now)),
    begin: takeSlot(loaded),
    async next(before, outcome) {
      const [second, ...rest] = others;
      if (second === undefined || latest - clock.now() < leastMs) return undefined;
      const stored = { payment: before.payment, isNew: before.isNew ?? false };
      const passedOver = [...passed, whyPassedOver(connector, outcome)];
      return authorizeStep(context, stored, charge, [second, ...rest], { passedOver, at: now });
    },
  };
}

/** A payment whose outcome was unknown names the attempt that may hold its money. It names the next one once it is passed on. */
function heldBy(payment: Payment, { id }: Attempt): Payment {
  return payment.authorization_attempt === null ? payment : { ...payment, authorization_attempt: id };
}

function requestOf(
  payment: Payment,
  { tenant, id, deadline_at }: Attempt,
  charge: Charge,
  now: number,
): AuthorizeRequest {
  return {
    ...charge,
    tenant,
    attempt: id,
    now,
    deadline: deadline_at.getTime(),
    payment: payment.id,
    money: { amount: payment.amount, currency: payment.currency },
    capture: payment.capture_method !== 'manual',
  };
}

export function whyPassedOver({ name, account }: Pick<Connector, 'name' | 'account'>, outcome: InquiryOutcome): string {
  return `${account ?? name} passed over: ${reasonOf(outcome)}`;
}

function reasonOf(outcome: InquiryOutcome): string {
  if (outcome.kind === 'declined') return outcome.declineCode ?? outcome.code;
  if (outcome.kind !== 'not_sent') return outcome.kind;
  // The code of a system error says the same in a way that only programmers read.
  return /^[A-Z_]+$/.test(outcome.reason) ? 'no connection' : outcome.reason;
}
