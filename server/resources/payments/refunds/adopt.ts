import type { Write } from '../../../base/commit/index.ts';
import { idTime, newId } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { post } from '../../../ledger/posting.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { findNow, type InquiryServices, isFrom, settleAnswer, waitForCall } from '../attempts/inquire.ts';
import { attemptFor } from '../attempts/perform.ts';
import { attemptsTable, findRefundAttempt, hasRefundWithoutReference, requireStored } from '../attempts/store.ts';
import { idle } from '../attempts/subject.ts';
import { authorizationOf } from '../payments/calls.ts';
import type { Payment } from '../payments/payment.ts';
import { paymentsTable } from '../payments/store.ts';
import { clockTime, createdBy } from '../test_clocks/time.ts';
import { madeAtProcessor, type Refund } from './refund.ts';
import { type LoadedRefund, refundMovement } from './settle.ts';
import type { RefundTopic } from './topic.ts';

/** A refund that a processor reports, by the processor's own name for it. */
export type ReportedRefund = {
  tenant: Tenant;
  refund: string;
  authorization: AttemptId;
  money: Money;
  /** The attempt that made it, where a restore has lost that: its books name the refund by it. */
  attempt?: AttemptId;
};

/** The refund cannot be recorded now: one of ours has to be settled first, or a person has to look into it. */
export class Unrecordable extends Error {}

/**
 * Records a refund that was made at the processor without the gateway. Returns `done`, also if there is nothing to record, and `conflict` if
 * the payment has changed meanwhile. If it throws, the notice is kept and tried again: a refund of ours may have to be settled first, or a
 * person has to look into it.
 */
export async function adoptRefund(
  services: InquiryServices,
  topic: RefundTopic,
  reported: ReportedRefund,
  source: NoticeSource,
  beside: (refund: string) => Write[] = () => [],
): Promise<'done' | 'conflict'> {
  const { reads } = services;
  const reader = { reads, tenant: reported.tenant };
  const authorization = await reads.one(attemptsTable, reported.tenant, reported.authorization);
  // Other software may have copied the marks of a setup.
  if (!authorization?.payment || !isFrom(source, authorization)) {
    const { tenant, authorization: attempt, refund } = reported;
    await services.unmatchedNotices.ignore(source, tenant, authorization, { attempt, refund });
    return 'done';
  }
  // The payment is read first, and its version guards the commit: of two reports at the same moment, one finds the refund of the other.
  const payment = await requireStored(reader, paymentsTable, authorization.payment);
  const recorded = await findRefundAttempt(reader, payment.id, reported.refund);
  if (recorded !== undefined) return settleKnown(services, topic, recorded, authorization);
  if (await hasRefundWithoutReference(reader, payment.id))
    throw new Unrecordable(`a refund of ${payment.id} has no answer yet`);
  return record(services, topic, reported, { payment, authorization }, beside);
}

/** It is recorded already, or is one of ours that has lost its mark. */
async function settleKnown(
  services: InquiryServices,
  topic: RefundTopic,
  attempt: Attempt,
  held: Attempt,
): Promise<'done' | 'conflict'> {
  waitForCall(attempt, services.clock.now());
  const loaded = await topic.read({ reads: services.reads, tenant: attempt.tenant }, attempt);
  const answer = await findNow(services, attempt, { authorization: authorizationOf(loaded.payment, held) });
  return (await settleAnswer(services, topic, loaded, answer)) === undefined ? 'conflict' : 'done';
}

/** The refund, its attempt, the payment that counts it, postings and events are one commit. */
async function record(
  services: InquiryServices,
  topic: RefundTopic,
  reported: ReportedRefund,
  { payment: before, authorization: held }: { payment: Payment; authorization: Attempt },
  beside: (refund: string) => Write[],
): Promise<'done' | 'conflict'> {
  const loaded = await newRefund(services, reported, before, held);
  const { refund, attempt } = loaded;
  const answer = await findNow(services, attempt, { authorization: authorizationOf(before, held) });
  const { kind } = answer.outcome;
  if (kind === 'declined') return 'done'; // the money has stayed, or is back
  if (kind !== 'approved' && kind !== 'pending')
    throw new Unrecordable(`the processor does not show ${reported.refund} yet`);
  refuseUnfit(before, reported);
  const writes = [post(refund.tenant, services.clock.now(), refundMovement('refund', refund)), ...beside(refund.id)];
  const settled = await settleAnswer(services, topic, loaded, { ...answer, writes });
  return settled === undefined ? 'conflict' : 'done';
}

async function newRefund(
  services: InquiryServices,
  { tenant, refund: reference, money, attempt: own }: ReportedRefund,
  before: Payment,
  held: Attempt,
): Promise<LoadedRefund> {
  const { clock, connectors, reads } = services;
  const now = clock.now();
  const id = newId('re', own === undefined ? now : idTime(own));
  const facts = { payment: before.id, refund: id, verb: 'refund', amount: money.amount } as const;
  const context = { tenant, now, connectors, requestId: null };
  const made = attemptFor(context, await connectors.of(held), facts);
  const attempt = { ...made, reference, reason: 'It was made at the processor.', ...(own && { id: own }) };
  const refund: Refund = {
    tenant,
    id,
    version: 0,
    payment: before.id,
    amount: money.amount,
    currency: money.currency,
    status: 'pending',
    reason: madeAtProcessor,
    metadata: null,
    failure_reason: null,
    attempt: attempt.id,
    processor_reference: own === undefined ? reference : null,
    ...createdBy(before.test_clock, (await clockTime({ reads }, before)) ?? now),
    ...idle,
  };
  const payment = { ...before, amount_refunded: (before.amount_refunded ?? 0) + money.amount };
  return { refund, payment, attempt };
}

/** @throws when the payment, as it is recorded, cannot have this refund. */
function refuseUnfit(payment: Payment, { refund, money: { amount, currency } }: ReportedRefund): void {
  const left = payment.amount_received - (payment.amount_refunded ?? 0);
  if (payment.status === 'succeeded' && currency === payment.currency && amount > 0 && amount <= left) return;
  throw new Unrecordable(
    `${refund} of ${amount} ${currency} was made at the processor, and ${payment.id} is ${payment.status} with ${left} ${payment.currency} left`,
  );
}
