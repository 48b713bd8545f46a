import type { Tenant } from '../../../base/reads.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { Attempt, ProcessorAnswer } from '../attempts/attempt.ts';
import { commitDue, conflictsMax, type InquiryServices, settleAnswer } from '../attempts/inquire.ts';
import { findAttemptIds, replaceAttempt, requireAttempt } from '../attempts/store.ts';
import { inquiryPause, undue } from '../attempts/subject.ts';
import type { Reader } from '../attempts/topic.ts';
import { reopened } from './correct.ts';
import type { Payment, PaymentId } from './payment.ts';
import type { LoadedPayment } from './settle.ts';
import { paymentsTable, replacePayment } from './store.ts';
import type { PaymentTopic } from './topic.ts';

/**
 * What the owner of a payment says of an approval that came when the payment was over. take: it succeeds after all. after: another payment
 * of the owner may still succeed, and is closed first. reverse: the money goes back, which is an incident. release: the owner knows of it,
 * as after a capture that was declined.
 */
export type LateVerdict = { kind: 'take' | 'reverse' | 'release' } | { kind: 'after'; payment: PaymentId };

/** Undefined: it does not own the payment. */
export type LateApprovalRule = (reader: Reader, payment: Payment) => Promise<LateVerdict | undefined>;

export const lateApprovalRules = extensionPoint<LateApprovalRule>('payments.late_approvals');

type LateParts = {
  services: InquiryServices;
  topic: PaymentTopic;
  rules: readonly LateApprovalRule[];
  giveBack: (payment: Payment, authorization: Attempt, verb: 'reverse') => Promise<boolean>;
  close: (tenant: Tenant, id: PaymentId, reason: string) => Promise<'closed' | 'paid' | 'unknown'>;
  find: (loaded: LoadedPayment) => Promise<ProcessorAnswer>;
};

/** Approvals of payments that have failed or were canceled: they took money that the payment does not show. */
export class LateApprovals {
  readonly #parts: LateParts;

  constructor(parts: LateParts) {
    this.#parts = parts;
  }

  /** An approval has turned up. What its owner may take is recorded first, and decided by the job of the payment. */
  async record(attempt: Attempt): Promise<void> {
    const { reads, log } = this.#parts.services;
    const { tenant, id, verb, payment: of } = attempt;
    if (of === null || (verb !== 'authorize' && verb !== 'capture')) return; // the other verbs take no money
    for (let tries = 0; tries < conflictsMax; tries++) {
      const payment = await reads.one(paymentsTable, tenant, of);
      if (payment?.status !== 'failed' && payment?.status !== 'canceled') return;
      if (payment.open_attempt !== null) return; // it is being reversed already
      const isWanted = verb === 'authorize' && (await this.isWanted(payment));
      if (await (isWanted ? this.#recordApproved(payment, id) : this.#reverse(payment, id))) return;
    }
    log.error(
      { attempt: id },
      'incident: an approval for a payment that is over could not be reversed; reverse it by hand',
    );
  }

  /** Whether the owner may take it. Not if the processor was asked to give it back: then it has, however late it reports the approval. */
  async isWanted(payment: Payment): Promise<boolean> {
    const reader = { reads: this.#parts.services.reads, tenant: payment.tenant };
    const kind = (await this.#verdictOn(payment))?.kind;
    if (kind !== 'take' && kind !== 'after') return false;
    return (await findAttemptIds(reader, payment.id, 'reverse')).length === 0;
  }

  /** A payment that is over, and whose authorization is approved: its owner takes the money, or it goes back. */
  async resolve(payment: Payment, authorization: Attempt): Promise<void> {
    const { tenant, id } = payment;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const verdict = (await this.#verdictOn(payment)) ?? { kind: 'release' };
      if (verdict.kind === 'release') return void (await this.#parts.giveBack(payment, authorization, 'reverse'));
      if (verdict.kind === 'reverse') return void (await this.#reverse(payment, authorization.id));
      if (verdict.kind === 'after') {
        if ((await this.#parts.close(tenant, verdict.payment, 'abandoned')) === 'unknown') return this.#putOff(payment);
        continue;
      }
      // A report can be older than what became of the payment.
      const found = await this.#parts.find({ payment, attempt: authorization });
      if (found.outcome.kind === 'unknown' || found.outcome.kind === 'pending') return this.#putOff(payment);
      if (found.outcome.kind !== 'approved') return void (await this.#reverse(payment, authorization.id));
      if (await this.#take({ payment, attempt: authorization }, found)) return;
    }
    throw new Error(`could not decide on the approval of ${id}, which is over`);
  }

  /**
   * False if the owner has changed since the verdict, as by a payment while the processor was asked: it is asked again. What changes after
   * its rows were read is a conflict of the commit.
   */
  async #take(loaded: LoadedPayment, found: ProcessorAnswer): Promise<boolean> {
    const { services, topic } = this.#parts;
    const isStill = async () => (await this.#verdictOn(loaded.payment))?.kind === 'take';
    if ((await settleAnswer(services, topic, reopened(loaded), found, isStill)) === undefined) return false;
    services.log.warn(
      { payment: loaded.payment.id, attempt: loaded.attempt.id },
      'an approval came for a payment that is over; the checkout that it was made for takes it',
    );
    return true;
  }

  async #verdictOn(payment: Payment): Promise<LateVerdict | undefined> {
    const reader = { reads: this.#parts.services.reads, tenant: payment.tenant };
    for (const rule of this.#parts.rules) {
      const verdict = await rule(reader, payment);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  }

  /** The approval survives whatever happens to this process. */
  async #recordApproved(payment: Payment, id: string): Promise<boolean> {
    const { clock, reads } = this.#parts.services;
    const before = await requireAttempt({ reads, tenant: payment.tenant }, id);
    if (before.state === 'approved' && payment.due_at !== null) return true; // a repeated report
    const now = new Date(clock.now());
    const attempt: Attempt = {
      ...before,
      version: before.version + 1,
      state: 'approved',
      decline_code: null,
      finished_at: now,
    };
    const due = { ...undue(payment), due_at: now };
    const writes = [replacePayment(due), replaceAttempt(attempt)];
    return commitDue(this.#parts.services, { tenant: payment.tenant, writes }, now);
  }

  async #reverse(payment: Payment, id: string): Promise<boolean> {
    const { log, reads } = this.#parts.services;
    log.error(
      { payment: payment.id, attempt: id },
      'incident: an approval came for a payment that is over; it is reversed',
    );
    const authorization = await requireAttempt({ reads, tenant: payment.tenant }, payment.authorization_attempt ?? id);
    return this.#parts.giveBack(payment, authorization, 'reverse');
  }

  /** Whether another payment of the owner succeeds, or what the processor says, is not known yet. */
  async #putOff(payment: Payment): Promise<void> {
    const inquiries = payment.inquiries + 1;
    const due_at = new Date(this.#parts.services.clock.now() + inquiryPause(inquiries));
    const later = { ...undue(payment), inquiries, due_at };
    await commitDue(this.#parts.services, { tenant: later.tenant, writes: [replacePayment(later)] }, due_at);
  }
}
