import { claim, type Write } from '../../../base/commit/index.ts';
import { idTime } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, MarkedPayment } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { daysUntil, post } from '../../../ledger/posting.ts';
import { eventWrites } from '../../../outbox/event.ts';
import { type Attempt, newAttempt } from '../attempts/attempt.ts';
import { commitDue, commitSettled, type InquiryServices, isFrom } from '../attempts/inquire.ts';
import { addAttempt, attemptsTable } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { type MethodServices, methodOfLost } from '../payment_methods/adopt.ts';
import { cardFacts } from '../payment_methods/card_facts.ts';
import type { PaymentMethod } from '../payment_methods/payment_method.ts';
import { createdBy } from '../test_clocks/time.ts';
import { isRecordable } from './elsewhere.ts';
import { type Payment, takenBy, untouched } from './payment.ts';
import { receiptOf } from './receipt.ts';
import { paymentEvent } from './schema.ts';
import { type Settled, settle, settleCapturedElsewhere } from './settle.ts';
import { findTenantsWith, paymentsTable } from './store.ts';
import type { PaymentTopic } from './topic.ts';

/**
 * Payments that a restore to an earlier moment has lost. The processor still has them, with our marks, and they are recorded again under
 * their own ids.
 */

/** A payment in the statement of a processor that the ledger lacks. */
export type ReportedPayment = {
  tenant: Tenant;
  source: NoticeSource;
  origin: MarkedPayment;
  /** The received amount, and the attempt that the processor's books name. */
  money: Money;
  reference: string;
  at: Date;
  /** A processor account of another tenant for the same account at the processor. */
  sharedWith: string | undefined;
};

export type AdoptServices = InquiryServices & MethodServices & { topic: PaymentTopic };

/** The result for a line of a statement: the object that records it, or why there is none. Undefined after a conflict. */
export type AdoptResult = { object: string } | { obstacle: string } | undefined;

/** The rows that are committed together with an object that is adopted. */
export type Beside = (object: string) => Write[];

/** Records a payment that is lost, or the capture of one that was stored before the capture. */
export async function adoptPayment(
  services: AdoptServices,
  reported: ReportedPayment,
  beside: Beside,
): Promise<AdoptResult> {
  const { tenant, origin, source, money } = reported;
  const { reads } = services;
  const [stored, authorization] = await Promise.all([
    reads.one(paymentsTable, tenant, origin.payment),
    reads.one(attemptsTable, tenant, origin.authorization),
  ]);
  if (stored !== undefined) {
    if (authorization?.payment !== stored.id || stored.authorization_attempt !== authorization.id)
      return { obstacle: `${stored.id} was not authorized by ${origin.authorization}` };
    if (!isFrom(source, authorization)) return { obstacle: `${stored.id} was made by another processor account` };
    return adoptCapture(services, reported, { payment: stored, authorization }, beside);
  }
  if (authorization !== undefined)
    return { obstacle: `${authorization.id} is an attempt of ${authorization.payment ?? authorization.setup}` };
  if ((await findTenantsWith(reads, origin.payment)).length > 0)
    return { obstacle: `${origin.payment} belongs to another account, or to the other mode` };
  if (reported.sharedWith !== undefined)
    return {
      obstacle: `${reported.sharedWith} of another account is the same account at the processor: it may be theirs`,
    };
  const { amount, currency } = origin.money;
  if (money.currency !== currency)
    return { obstacle: `${amount} ${currency} were authorized, and the statement is in ${money.currency}` };
  if (money.amount > amount) return { obstacle: `more was captured than the ${amount} ${currency} authorized` };
  return recordPayment(services, reported, beside);
}

/** The payment, its attempts, its method, postings and the event are one commit. The id of the payment is taken once. */
async function recordPayment(services: AdoptServices, reported: ReportedPayment, beside: Beside): Promise<AdoptResult> {
  const { tenant, origin, reference, source } = reported;
  const now = services.clock.now();
  const charged = { tenant, account: source.processor_account, shown: origin.method, attempt: origin.authorization };
  const found = await methodOfLost(services, charged);
  if (found === undefined) return { obstacle: 'the processor does not tell the card' };
  const attempts = attemptsOf(reported);
  if (!attempts.some(({ id }) => id === reference)) return { obstacle: `its marks do not name ${reference}` };
  for (const { id } of attempts)
    if (await services.reads.one(attemptsTable, tenant, id)) return { obstacle: `${id} is known here` };
  const payment = paymentOf(reported, found.method);
  const terms = await services.terms(tenant);
  const settlementDays = daysUntil(now, reported.at.getTime(), terms.settlementDays);
  const postings = receiptOf(payment, reference as AttemptId, { ...terms, settlementDays });
  const writes = [
    claim(paymentsTable, payment),
    ...attempts.map(addAttempt),
    ...found.writes,
    ...postings.map((movement) => post(tenant, now, movement)),
    ...eventWrites(tenant, null, now, [paymentEvent('payment.succeeded', payment)]),
    ...beside(payment.id),
  ];
  return (await commitDue(services, { tenant, writes })) ? { object: payment.id } : undefined;
}

/**
 * Members that the processor does not keep, or does not tell, are not restored: the customer, the description, the metadata, the invoice
 * and whether the cardholder was there. Without a customer, no later charge takes it for an agreement of the cardholder.
 */
function paymentOf({ tenant, origin, money, source }: ReportedPayment, method: PaymentMethod): Payment {
  const { payment: id, authorization, capture, reference, isManual } = origin;
  const { connector, processor_account: account } = source;
  return {
    tenant,
    id,
    version: 1,
    ...origin.money,
    amount_received: money.amount,
    status: 'succeeded',
    customer: null,
    description: null,
    metadata: null,
    invoice: null,
    checkout_session: null,
    on_approval: null,
    setup: null,
    return_url: null,
    off_session: null,
    payment_method: method.id,
    ...cardFacts(method),
    capture_method: isManual ? 'manual' : null,
    captured_elsewhere: isManual && capture === undefined ? true : null,
    authorization_attempt: authorization,
    ...takenBy(account === null ? null : { account, connector, reference }),
    ...untouched,
    ...createdBy(method.test_clock, idTime(id)),
    ...idle,
  };
}

const whyRecorded = "It was recorded again from the processor's books.";

/** The authorization, and the capture where that was a separate attempt. */
function attemptsOf(reported: ReportedPayment): Attempt[] {
  const { authorization, capture, money } = reported.origin;
  const authorized = attemptOf(reported, 'authorize', authorization, money.amount);
  return capture === undefined
    ? [authorized]
    : [authorized, attemptOf(reported, 'capture', capture, reported.money.amount)];
}

function attemptOf(
  { tenant, source, origin, at }: ReportedPayment,
  verb: 'authorize' | 'capture',
  id: AttemptId,
  amount: number,
): Attempt {
  const facts = { tenant, payment: origin.payment, verb, amount, ...source, request_id: null, reason: whyRecorded };
  const answer = { version: 1, state: 'approved', reference: origin.reference, finished_at: at } as const;
  return { ...newAttempt(facts, idTime(id), at.getTime()), id, ...answer };
}

/** The payment was stored before the restored moment, and captured after it. */
async function adoptCapture(
  services: AdoptServices,
  reported: ReportedPayment,
  { payment, authorization }: { payment: Payment; authorization: Attempt },
  beside: Beside,
): Promise<AdoptResult> {
  const { money, origin, reference } = reported;
  const { id, status } = payment;
  if (payment.open_attempt !== null)
    return { obstacle: `the processor is being asked about ${id}: compare again later` };
  if (status === 'succeeded')
    return { obstacle: `${id} has succeeded: "tollgate ledger verify" tells whether it is posted` };
  if (!isRecordable(payment, money))
    return { obstacle: `${id} is ${status}, with ${payment.amount} ${payment.currency}` };
  if (reference !== (origin.capture ?? origin.authorization)) return { obstacle: `its marks do not name ${reference}` };
  const settled = captureOf(services.clock.now(), reported, payment, authorization);
  const loaded = { payment, attempt: settled.attempt, authorization };
  return (await commitSettled(services, services.topic, loaded, settled, beside(id))) ? { object: id } : undefined;
}

function captureOf(now: number, reported: ReportedPayment, payment: Payment, authorization: Attempt): Settled {
  const { money, origin } = reported;
  if (origin.capture === undefined) return settleCapturedElsewhere(payment, authorization, money);
  const attempt: Attempt = {
    ...attemptOf(reported, 'capture', origin.capture, money.amount),
    version: 0,
    state: 'open',
  };
  const answer = { outcome: { kind: 'approved', reference: origin.reference }, exchange: {} } as const;
  return settle({ payment, attempt, authorization }, answer, now);
}
