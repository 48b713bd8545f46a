import type { Authorization } from '../../../connectors/contract.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { NoticeHandler, NoticeHandlers } from '../../../operations/notice_handlers.ts';
import type { ProcessorAnswer } from '../attempts/attempt.ts';
import {
  askAgain,
  conflictsMax,
  findNow,
  type InquiryServices,
  inquire,
  isFrom,
  settleAnswer,
  waitForCall,
} from '../attempts/inquire.ts';
import { attemptsTable, requireAttempt } from '../attempts/store.ts';
import { authorizationOf } from '../payments/calls.ts';
import { adoptRefund } from './adopt.ts';
import { refundCall } from './calls.ts';
import type { Refund } from './refund.ts';
import type { LoadedRefund } from './settle.ts';
import { refundsTable } from './store.ts';
import type { RefundTopic } from './topic.ts';

/** Settles refunds whose outcome was unknown when their request was answered, and records what processors report about refunds later. */
export class RefundJobs implements NoticeHandlers {
  readonly #services: InquiryServices;
  readonly #topic: RefundTopic;

  constructor(services: InquiryServices, topic: RefundTopic) {
    this.#services = services;
    this.#topic = topic;
  }

  job(): Job {
    return dueRows(this.#services, 'refunds', refundsTable, (refund) => this.#settleDue(refund));
  }

  readonly refund_settled: NoticeHandler<'refund_settled'> = async (notice, source) => {
    const { reads, clock, log, unmatchedNotices } = this.#services;
    const { tenant, attempt: id, outcome } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await reads.one(attemptsTable, tenant, id);
      if (attempt?.verb !== 'refund' || !isFrom(source, attempt))
        return unmatchedNotices.ignore(source, tenant, attempt, { attempt: id });
      waitForCall(attempt, clock.now());
      const loaded = await this.#topic.read({ reads, tenant }, attempt);
      if (loaded.refund.status === 'failed' && outcome.kind === 'approved')
        return log.error({ notice }, 'incident: the outcome of a refund differs from the one reported earlier');
      if (await settleAnswer(this.#services, this.#topic, loaded, { outcome, exchange: { notice: outcome } })) return;
    }
    throw new Error(`could not record the outcome of refund attempt ${id}`);
  };

  /** A processor reports a refund that was made there without the gateway, or a change of one. */
  readonly refunded_elsewhere: NoticeHandler<'refunded_elsewhere'> = async (notice, source) => {
    for (let tries = 0; tries < conflictsMax; tries++)
      if ((await adoptRefund(this.#services, this.#topic, notice, source)) === 'done') return;
    throw new Error(`the refund ${notice.refund} at the processor could not be recorded`);
  };

  /** A processor reports that a refund has changed. It is asked for the outcome. */
  readonly attempt_changed: NoticeHandler<'attempt_changed'> = async ({ tenant, attempt: id }, source) => {
    const { reads, clock } = this.#services;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await reads.one(attemptsTable, tenant, id);
      if (attempt?.verb !== 'refund' || !isFrom(source, attempt)) return; // of a payment or a dispute
      waitForCall(attempt, clock.now());
      const loaded = await this.#topic.read({ reads, tenant }, attempt);
      const answer = await findNow(this.#services, attempt, { authorization: await this.#authorization(loaded) });
      if (await settleAnswer(this.#services, this.#topic, loaded, answer)) return;
    }
    throw new Error(`could not record the outcome of refund attempt ${id}`);
  };

  async #authorization({ payment }: LoadedRefund): Promise<Authorization> {
    const reader = { reads: this.#services.reads, tenant: payment.tenant };
    return authorizationOf(payment, await requireAttempt(reader, payment.authorization_attempt!));
  }

  async #settleDue(leased: Refund): Promise<void> {
    const reader = { reads: this.#services.reads, tenant: leased.tenant };
    const stored = await this.#topic.read(reader, await requireAttempt(reader, leased.attempt));
    // The row as it was leased: if it has changed since, its version is another one, and nothing is committed.
    const loaded = { ...stored, refund: { ...leased, inquiries: leased.inquiries + 1 } };
    const authorization = await this.#authorization(loaded);
    const answer = await inquire(this.#services, loaded.attempt, { authorization }, () =>
      this.#sendAgain(loaded, authorization),
    );
    if (answer !== undefined) await settleAnswer(this.#services, this.#topic, loaded, answer);
  }

  /** The processor never received it. Sending it again cannot refund twice, because the processor knows the attempt. */
  async #sendAgain({ refund, attempt }: LoadedRefund, authorization: Authorization): Promise<ProcessorAnswer> {
    const { clock, connectors } = this.#services;
    const connector = await connectors.of(attempt);
    return askAgain(this.#services, attempt, refundCall(connector, { refund, attempt, authorization }, clock.now()));
  }
}
