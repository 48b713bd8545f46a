import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, InquiryOutcome, Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { NoticeHandler, NoticeHandlers } from '../../../operations/notice_handlers.ts';
import { type Attempt, isUnfinished, type ProcessorAnswer, paymentIdOf } from '../attempts/attempt.ts';
import {
  askAgain,
  carryOut,
  commitDue,
  commitSettled,
  conflictsMax,
  find,
  findNow,
  inquire,
  isFrom,
  settleAnswer,
  waitForCall,
} from '../attempts/inquire.ts';
import { attemptFor, perform } from '../attempts/perform.ts';
import {
  addAttempt,
  attemptsTable,
  findAttemptIds,
  replaceAttempt,
  requireAttempt,
  requireStored,
} from '../attempts/store.ts';
import { firstInquiry, undue } from '../attempts/subject.ts';
import { isDecided, isPageOver, nextLook, unanswered } from '../attempts/waiting.ts';
import { authorizationOf, cancelCall, captureCall, isUnlessPaid } from './calls.ts';
import { isRecordable } from './elsewhere.ts';
import { type LateApprovalRule, LateApprovals } from './late_approval.ts';
import { type ChallengeRule, type PassOnServices, stepAfter } from './pass_on.ts';
import { closedAs, isFinal, type Payment, type PaymentId } from './payment.ts';
import { isAwaitingCardholder, type LoadedPayment, settleCapturedElsewhere } from './settle.ts';
import { paymentsTable, replacePayment } from './store.ts';
import type { PaymentTopic } from './topic.ts';

const soonMs = 5_000;

type LoadedAttempts = { payment: Payment; attempt: Attempt; authorization: Attempt };

/**
 * Settles payments without a request: inquires about unknown outcomes, passes payments on to the next processor, lets them expire, and
 * records what processors report.
 */
export class PaymentJobs implements NoticeHandlers {
  readonly #services: PassOnServices;
  readonly #topic: PaymentTopic;
  readonly #challengeRules: readonly ChallengeRule[];
  readonly #lateApprovals: LateApprovals;

  constructor(
    services: PassOnServices,
    topic: PaymentTopic,
    challengeRules: readonly ChallengeRule[] = [],
    lateRules: readonly LateApprovalRule[] = [],
  ) {
    this.#services = services;
    this.#topic = topic;
    this.#challengeRules = challengeRules;
    this.#lateApprovals = new LateApprovals({
      services,
      topic,
      rules: lateRules,
      giveBack: (payment, authorization, verb) => this.#giveBack(payment, authorization, verb),
      close: (...payment) => this.close(...payment),
      find: (loaded) => this.#find(loaded),
    });
  }

  job(): Job {
    return dueRows(this.#services, 'payments', paymentsTable, (payment) => this.#settleDue(payment));
  }

  /** A processor reports that an attempt has changed, for example that the cardholder has decided. It is asked for the outcome. */
  readonly attempt_changed: NoticeHandler<'attempt_changed'> = async ({ tenant, attempt: id }, source) => {
    const attempt = await this.#services.reads.one(attemptsTable, tenant, id);
    if (attempt !== undefined && !isOfPayment(attempt)) return; // refunds, disputes and setups inquire themselves
    const decided = (known: Attempt) => this.#askAboutUndone(known);
    if (attempt !== undefined && isFrom(source, attempt) && !isUnfinished(attempt.state)) return decided(attempt);
    return this.#decide({ tenant, id, source }, (loaded) => this.#findNow(loaded), decided);
  };

  /**
   * A processor reports that a reserved amount was released, because it was not captured in time, or that its page has ended. The cancel asks
   * whether this is so.
   */
  readonly authorization_expired: NoticeHandler<'authorization_expired'> = (notice, source) =>
    this.#onHeld(notice, source, async (payment, attempt) =>
      payment.status === 'requires_capture' || (payment.status === 'requires_action' && attempt.page !== null)
        ? this.#giveBack({ ...payment, cancellation_reason: 'expired' }, attempt, 'cancel')
        : true,
    );

  /** The payment was canceled at the processor. The cancel asks whether this is so. */
  readonly canceled_elsewhere: NoticeHandler<'canceled_elsewhere'> = (notice, source) =>
    this.#onHeld(notice, source, async (payment, attempt) =>
      payment.status === 'requires_capture' || payment.status === 'requires_action'
        ? this.#giveBack({ ...payment, cancellation_reason: 'made_at_processor' }, attempt, 'cancel')
        : true,
    );

  /** The payment was captured at the processor. If it cannot be recorded, the notice is kept for a person. */
  readonly captured_elsewhere: NoticeHandler<'captured_elsewhere'> = (notice, source) =>
    this.#onHeld(notice, source, async (payment, attempt) => {
      if (payment.status === 'succeeded') return true;
      const { amount, currency } = notice.money;
      if (!isRecordable(payment, notice.money))
        throw new Error(
          `${amount} ${currency} were captured at the processor, and ${payment.id} is ${payment.status} with ${payment.amount} ${payment.currency}`,
        );
      const settled = settleCapturedElsewhere(payment, attempt, notice.money);
      return commitSettled(this.#services, this.#topic, { payment, attempt }, settled);
    });

  /** Handles what a processor reports about the authorization of a payment, once no attempt is open. `handle` is false after a conflict. */
  async #onHeld(
    { tenant, attempt: id, kind }: Pick<Notice, 'tenant' | 'kind'> & { attempt: AttemptId },
    source: NoticeSource,
    handle: (payment: Payment, attempt: Attempt) => Promise<boolean>,
  ): Promise<void> {
    const { reads } = this.#services;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await reads.one(attemptsTable, tenant, id);
      if (attempt?.setup) return; // setups decide themselves
      if (attempt === undefined || !isFrom(source, attempt)) return this.#ignore(attempt, { tenant, id, source });
      const payment = await reads.one(paymentsTable, tenant, paymentIdOf(attempt));
      if (payment?.open_attempt) {
        const open = await this.#attempt(payment, payment.open_attempt);
        // A cancel of our own finds the same.
        if (kind === 'canceled_elsewhere' && (open.verb === 'cancel' || open.verb === 'reverse')) return;
        waitForCall(open, this.#services.clock.now());
        throw new Error(`${payment.open_attempt} of this payment is still open`);
      }
      if (payment === undefined || payment.authorization_attempt !== id) return;
      if (await handle(payment, attempt)) return;
    }
    throw new Error(`a report about the authorization ${id} could not be recorded`);
  }

  /** A processor reports the outcome of an attempt. A method is named by the processor itself: no stored notice has a token. */
  readonly payment_settled: NoticeHandler<'payment_settled'> = ({ tenant, attempt: id, outcome }, source) => {
    const answer = { outcome, exchange: { notice: outcome } };
    const decided = (attempt: Attempt) => this.#checkReport(attempt, outcome);
    const answerOf = async (loaded: LoadedPayment) =>
      loaded.payment.payment_method === null ? this.#findNow(loaded) : answer;
    return this.#decide({ tenant, id, source }, answerOf, decided);
  };

  /** An answer after its deadline. An approval of a payment that has failed or was canceled is reversed, or taken after all. */
  readonly late: NonNullable<NoticeHandlers['late']> = async (tenant, id, outcome) => {
    const { reads, log } = this.#services;
    log.warn({ attempt: id, outcome: outcome.kind }, 'late answer from a processor; it decides nothing');
    const attempt = await reads.one(attemptsTable, tenant, id);
    if (outcome.kind === 'approved' && attempt !== undefined) await this.#lateApprovals.record(attempt);
  };

  /** Settles a payment by an answer to its attempt, if the attempt is not settled yet. */
  async #decide(
    about: { tenant: Tenant; id: AttemptId; source: NoticeSource },
    answerOf: (loaded: LoadedPayment) => Promise<ProcessorAnswer>,
    decided: (attempt: Attempt) => Promise<void>,
  ): Promise<void> {
    const { reads, clock } = this.#services;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await reads.one(attemptsTable, about.tenant, about.id);
      if (attempt?.setup) return; // setups decide themselves
      if (attempt === undefined || !isFrom(about.source, attempt) || !isOfPayment(attempt))
        return this.#ignore(attempt, about);
      waitForCall(attempt, clock.now());
      const loaded = await this.#topic.read({ reads, tenant: about.tenant }, attempt);
      if (!this.#topic.isOpen(loaded) && !isAwaitingCardholder(loaded)) return decided(await this.#afterCancel(loaded));
      const answer = await answerOf(loaded);
      if (isAwaitingCardholder(loaded) && !isDecided(answer.outcome))
        return void (await this.#replace({ ...undue(loaded.payment), due_at: new Date(clock.now() + soonMs) }));
      if (await this.#settleOrPassOn(loaded, answer)) return;
    }
    throw new Error(`could not record the outcome of ${about.id}`);
  }

  /**
   * A pending authorization was decided while it is being canceled: the answer to the cancel comes first. Where none has come, the
   * processor is asked again. The attempt is read again, because that answer may have been committed after it was read.
   */
  async #afterCancel({ payment, attempt }: LoadedPayment): Promise<Attempt> {
    if (attempt.state !== 'pending') return attempt;
    const { open_attempt } = payment;
    if (open_attempt !== null) {
      waitForCall(await this.#attempt(payment, open_attempt), this.#services.clock.now());
      await this.#replace({ ...undue(payment), due_at: new Date(this.#services.clock.now()) });
    }
    return this.#attempt(payment, attempt.id);
  }

  #ignore(made: Attempt | undefined, about: { tenant: Tenant; id: AttemptId; source: NoticeSource }): Promise<void> {
    const { tenant, id, source } = about;
    return this.#services.unmatchedNotices.ignore(source, tenant, made, { attempt: id });
  }

  #findNow({ payment, attempt, authorization = attempt }: LoadedPayment): Promise<ProcessorAnswer> {
    return findNow(this.#services, attempt, { authorization: authorizationOf(payment, authorization) });
  }

  /** Asks for the outcome of an attempt of a payment. */
  #find({ payment, attempt, authorization = attempt }: LoadedPayment): Promise<ProcessorAnswer> {
    return find(this.#services, attempt, { authorization: authorizationOf(payment, authorization) });
  }

  /** There is nothing to inquire, unless a try of a checkout was undone: its customer may have paid on a page that seemed to be closed. */
  async #askAboutUndone(attempt: Attempt): Promise<void> {
    if (attempt.verb !== 'authorize' || attempt.state !== 'reversed') return;
    const { reads } = this.#services;
    const loaded = await this.#topic.read({ reads, tenant: attempt.tenant }, attempt);
    if (!(await this.#lateApprovals.isWanted(loaded.payment))) return;
    const found = await this.#findNow(loaded);
    if (found.outcome.kind === 'approved') await this.#lateApprovals.record(attempt);
  }

  /** The attempt is settled. A report that differs from the stored outcome is an incident. */
  async #checkReport(attempt: Attempt, outcome: InquiryOutcome): Promise<void> {
    if (outcome.kind === 'approved') await this.#lateApprovals.record(attempt);
    if (outcome.kind === 'declined' && attempt.state === 'approved')
      this.#services.log.error(
        { payment: attempt.payment, attempt: attempt.id },
        'incident: the outcome of a payment differs from the one reported earlier; ask the processor',
      );
  }

  /** Commits a payment alone. False after a conflict. */
  #replace(payment: Payment): Promise<boolean> {
    return commitDue(this.#services, { tenant: payment.tenant, writes: [replacePayment(payment)] }, payment.due_at);
  }

  async #settleDue(payment: Payment): Promise<void> {
    if (payment.open_attempt !== null) return this.#inquire(payment, payment.open_attempt);
    if (isFinal(payment.status)) return this.#release(payment);
    return this.#expire(payment);
  }

  /** A payment that has failed or was canceled holds no money: an authorization that is still approved is reversed, or taken after all. */
  async #release(payment: Payment): Promise<void> {
    const held = payment.authorization_attempt;
    const authorization = held === null ? undefined : await this.#attempt(payment, held);
    if (payment.status !== 'succeeded' && authorization?.state === 'approved')
      return this.#lateApprovals.resolve(payment, authorization);
    await this.#replace(undue(payment));
  }

  async #inquire(before: Payment, open: AttemptId): Promise<void> {
    const payment = { ...before, inquiries: before.inquiries + 1 };
    const attempt = await this.#attempt(payment, open);
    const held = payment.authorization_attempt;
    const authorization = held === null || held === open ? attempt : await this.#attempt(payment, held);
    const about = { authorization: authorizationOf(payment, authorization) };
    const answer = await inquire(this.#services, attempt, about, async () => {
      // Canceling twice is harmless, and an authorization is captured once, so what never arrived is sent again. Charging twice is not.
      if (attempt.verb === 'cancel' || attempt.verb === 'reverse')
        return this.#cancel({ payment, attempt, authorization });
      if (attempt.verb === 'capture') return this.#captureAgain({ payment, attempt, authorization });
      await this.#giveBack(payment, authorization, 'reverse', attempt);
      return undefined;
    });
    if (answer !== undefined) await this.#settle({ payment, attempt, authorization }, answer);
  }

  /**
   * Settles a payment by an answer. If the answer passes it on, the end of the attempt and the next attempt are one commit, and then the
   * next processor is asked. False after a conflict.
   */
  async #settleOrPassOn(loaded: LoadedPayment, answer: ProcessorAnswer): Promise<boolean> {
    const now = this.#services.clock.now();
    const next = await stepAfter(this.#services, this.#challengeRules, loaded, answer, now);
    if (next === undefined) return (await settleAnswer(this.#services, this.#topic, loaded, answer)) !== undefined;
    const { tenant } = loaded.payment;
    return carryOut(this.#services, tenant, await perform({ ...this.#services, tenant, now }, this.#topic, next));
  }

  /**
   * Ends a payment that waits for its cardholder. closed: nothing was paid, nor can be. paid: it was paid before. unknown: the outcome
   * follows, because the processor gives no answer, or something else is under way.
   */
  async close(tenant: Tenant, id: PaymentId, reason: string): Promise<'closed' | 'paid' | 'unknown'> {
    const reader = { reads: this.#services.reads, tenant };
    const payment = await requireStored(reader, paymentsTable, id);
    if (payment.status !== 'requires_action' || payment.open_attempt !== null) return closedAs(payment);
    const authorization = await this.#attempt(payment, payment.authorization_attempt!);
    await this.#giveBack({ ...payment, cancellation_reason: reason }, authorization, 'cancel');
    const after = await requireStored(reader, paymentsTable, id);
    if (after.status !== 'requires_action' || after.open_attempt !== null) return closedAs(after);
    const loaded = { payment: after, attempt: await this.#attempt(after, after.authorization_attempt!) };
    const found = await this.#find(loaded);
    if (isDecided(found.outcome)) await this.#settle(loaded, found);
    return closedAs(await requireStored(reader, paymentsTable, id));
  }

  /** The cardholder has an hour or the time of a page, the capture a week; then the authorization is canceled. */
  async #expire(payment: Payment): Promise<void> {
    const authorization = await this.#attempt(payment, payment.authorization_attempt!);
    const now = this.#services.clock.now();
    let isOver = false;
    if (payment.status === 'requires_action') {
      const found = await this.#find({ payment, attempt: authorization });
      if (isDecided(found.outcome)) return void (await this.#settle({ payment, attempt: authorization }, found));
      if (found.outcome.kind === 'unknown') return this.#unanswered(payment);
      isOver = isPageOver(found.outcome, now);
    }
    if (!isOver && payment.expires_at!.getTime() > now) {
      const asked = { ...undue(payment), inquiries: payment.inquiries + 1 };
      return void (await this.#replace({ ...asked, due_at: nextLook(asked, now) }));
    }
    await this.#giveBack({ ...payment, cancellation_reason: 'expired' }, authorization, 'cancel');
  }

  /** Cancels or reverses: the attempt is committed first, then the processor is asked, then its answer is committed. */
  async #giveBack(
    payment: Payment,
    authorization: Attempt,
    verb: 'cancel' | 'reverse',
    lost?: Attempt,
  ): Promise<boolean> {
    const { clock, connectors } = this.#services;
    const connector = await connectors.of(authorization);
    const context = { tenant: payment.tenant, now: clock.now(), connectors, requestId: null };
    const facts = { payment: payment.id, verb, amount: null };
    const attempt = { ...attemptFor(context, connector, facts), version: 1 };
    const due = firstInquiry(attempt);
    const slot = { open_attempt: attempt.id, authorization_attempt: authorization.id, due_at: due };
    const begun: Payment = { ...undue(payment), ...slot };
    const given = lost && { ...lost, version: lost.version + 1, state: 'lost' as const };
    const writes = [replacePayment(begun), addAttempt(attempt), ...(given ? [replaceAttempt(given)] : [])];
    if (!(await commitDue(this.#services, { tenant: payment.tenant, writes }, due))) return false;
    const about = given?.id === authorization.id ? given : authorization;
    const loaded = { payment: begun, attempt, authorization: about };
    await this.#settle(loaded, await this.#cancel(loaded));
    return true; // the attempt is committed: whatever the processor answered, a job settles it
  }

  async #captureAgain(loaded: LoadedAttempts): Promise<ProcessorAnswer> {
    const { clock, connectors } = this.#services;
    const connector = await connectors.of(loaded.attempt);
    const authorization = authorizationOf(loaded.payment, loaded.authorization);
    return askAgain(this.#services, loaded.attempt, captureCall(connector, loaded, clock.now()), {
      earlier: authorization,
    });
  }

  /** A cancel releases reserved money and nothing else. A reversal also gives back what the gateway has captured itself. */
  async #cancel({ payment, attempt, authorization: made }: LoadedAttempts): Promise<ProcessorAnswer> {
    const { clock, connectors, reads } = this.#services;
    const connector = await connectors.of(attempt);
    const { tenant, verb } = attempt;
    const captures = verb === 'reverse' ? await findAttemptIds({ reads, tenant }, paymentIdOf(attempt), 'capture') : [];
    const authorization = authorizationOf(payment, made);
    const unlessPaid = isUnlessPaid(payment, verb, made);
    const call = cancelCall(connector, attempt, { authorization, captures, unlessPaid }, clock.now());
    return askAgain(this.#services, attempt, call, { earlier: authorization });
  }

  async #settle(loaded: LoadedPayment, answer: ProcessorAnswer): Promise<void> {
    await this.#settleOrPassOn(loaded, answer);
    if (loaded.attempt.verb === 'reverse' && answer.outcome.kind === 'declined')
      this.#services.log.error(
        { payment: loaded.payment.id },
        'incident: the processor refuses to reverse an approval; ask the processor',
      );
    const { flagged_at, inquiries } = loaded.payment;
    const isRepeated = flagged_at !== null && inquiries > 0;
    if (
      answer.outcome.kind === 'already_captured' &&
      !isRepeated &&
      !isRecordable(loaded.payment, answer.outcome.money)
    )
      this.#services.log.error(
        { payment: loaded.payment.id, captured: answer.outcome.money },
        'incident: a capture at the processor cannot be recorded, and is not undone; ask the processor',
      );
  }

  /** The processor does not tell whether the cardholder has decided. After the hour it is asked with growing pauses, and the payment is flagged. */
  async #unanswered(payment: Payment): Promise<void> {
    const asked = unanswered(payment, undue(payment), this.#services.clock.now());
    if (!(await this.#replace(asked))) return;
    if (asked.flagged_at !== null && payment.flagged_at === null)
      this.#services.log.error(
        { payment: payment.id },
        'a processor has not reported the decision of a cardholder for three days; ask it, and have the payment canceled',
      );
  }

  #attempt({ tenant }: Payment, id: AttemptId): Promise<Attempt> {
    return requireAttempt({ reads: this.#services.reads, tenant }, id);
  }
}

/** Whether it was made for the payment itself. */
function isOfPayment({ payment, refund, dispute }: Attempt): boolean {
  return payment !== null && refund === null && dispute === null;
}
