import type { Write } from '../../../base/commit/index.ts';
import type { Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { post } from '../../../ledger/posting.ts';
import { dueRows, type Job } from '../../../operations/job.ts';
import type { NoticeHandler, NoticeHandlers } from '../../../operations/notice_handlers.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import {
  askAgain,
  commitDue,
  conflictsMax,
  find,
  findNow,
  type InquiryServices,
  inquire,
  isFrom,
  settleAnswer,
  waitForCall,
} from '../attempts/inquire.ts';
import { attemptsTable, requireAttempt } from '../attempts/store.ts';
import { paymentsTable, replacePayment } from '../payments/store.ts';
import { clockTime } from '../test_clocks/time.ts';
import { disputeCall } from './calls.ts';
import { type Dispute, isOver } from './dispute.ts';
import { type ClosedDispute, closeDispute, type LoadedDispute, type OpenedDispute, openDispute } from './settle.ts';
import { addDispute, disputesTable, findDisputeOf, replaceDispute } from './store.ts';
import { disputeTopic } from './topic.ts';

/** Records what processors report about disputes, and inquires about submissions whose outcome is unknown. */
export class DisputeJobs implements NoticeHandlers {
  readonly #services: InquiryServices;

  constructor(services: InquiryServices) {
    this.#services = services;
  }

  job(): Job {
    return dueRows(this.#services, 'disputes', disputesTable, (dispute) => this.#settleDue(dispute));
  }

  readonly dispute_opened: NoticeHandler<'dispute_opened'> = async (notice, source) => {
    const { reads, clock, unmatchedNotices } = this.#services;
    const { tenant, dispute: reference } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      if ((await findDisputeOf({ reads, tenant }, source, reference)) !== undefined) return;
      const attempt = await reads.one(attemptsTable, tenant, notice.authorization);
      const payment = attempt?.payment ? await reads.one(paymentsTable, tenant, attempt.payment) : undefined;
      if (payment === undefined || !isFrom(source, attempt!))
        return unmatchedNotices.ignore(source, tenant, attempt, { attempt: notice.authorization, dispute: reference });
      const opened = openDispute(notice, source, payment, clock.now(), await clockTime({ reads }, payment));
      if (!(await this.#commit(opened, [addDispute(opened.dispute), replacePayment(opened.payment)]))) continue;
      return this.#reportReview(opened);
    }
    throw new Error(`could not record the dispute ${reference}`);
  };

  #reportReview({ dispute: { id, payment, amount, currency, review } }: OpenedDispute): void {
    if (review !== null)
      this.#services.log.error(
        { dispute: id, payment, amount, currency, review },
        'incident: a processor reports a dispute whose money does not fit the payment; see "tollgate payments unsettled"',
      );
  }

  readonly dispute_closed: NoticeHandler<'dispute_closed'> = async (notice, source) => {
    const { reads, log } = this.#services;
    const { tenant, dispute: reference, result } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const dispute = await findDisputeOf({ reads, tenant }, source, reference);
      if (dispute === undefined) return this.#endsUnknown(notice, source);
      const closed = closeDispute(dispute, result);
      if (closed === undefined && dispute.status === result) return;
      // The money has moved for the end that is stored, and moves once.
      if (closed === undefined)
        return log.error(
          { notice, dispute: dispute.id },
          'incident: the end of a dispute differs from the one reported earlier',
        );
      if (await this.#commit(closed, [replaceDispute(closed.dispute)])) return;
    }
    throw new Error(`could not record the end of the dispute ${reference}`);
  };

  /** The opening of a dispute about a payment of this account may still come: then the end is handled again. */
  async #endsUnknown(notice: Extract<Notice, { kind: 'dispute_closed' }>, source: NoticeSource): Promise<void> {
    const { reads, unmatchedNotices } = this.#services;
    const { tenant, dispute, authorization } = notice;
    const attempt = authorization && (await reads.one(attemptsTable, tenant, authorization));
    if (authorization === undefined || (attempt?.payment && isFrom(source, attempt)))
      throw new Error(`the dispute ${dispute} is not known here`);
    return unmatchedNotices.ignore(source, tenant, attempt, { attempt: authorization, dispute });
  }

  /** A processor reports that a submission has changed. It is asked for the outcome. */
  readonly attempt_changed: NoticeHandler<'attempt_changed'> = async ({ tenant, attempt: id }, source) => {
    const { reads, clock } = this.#services;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await reads.one(attemptsTable, tenant, id);
      if (attempt === undefined || attempt.dispute === null || !isFrom(source, attempt)) return; // of a payment or a refund
      waitForCall(attempt, clock.now());
      const loaded = await disputeTopic.read({ reads, tenant }, attempt);
      if (!disputeTopic.isOpen(loaded)) return;
      const answer = await findNow(this.#services, attempt, { dispute: loaded.dispute.reference });
      if (await settleAnswer(this.#services, disputeTopic, loaded, answer)) return;
    }
    throw new Error(`could not record the outcome of attempt ${id}`);
  };

  /** A request that the processor never received is sent again under the same attempt, unless the dispute has ended. */
  async #settleDue(leased: Dispute): Promise<void> {
    const { reads, clock, connectors, log } = this.#services;
    if (leased.open_attempt === null) throw new Error(`dispute ${leased.id} is due without an attempt`);
    const attempt = await requireAttempt({ reads, tenant: leased.tenant }, leased.open_attempt);
    const loaded: LoadedDispute = { dispute: { ...leased, inquiries: leased.inquiries + 1 }, attempt };
    const connector = await connectors.of(attempt);
    const about = { dispute: leased.reference };
    const answer = isOver(leased.status)
      ? await find(this.#services, attempt, about)
      : await inquire(this.#services, attempt, about, () =>
          askAgain(this.#services, attempt, disputeCall(connector, loaded, clock.now())),
        );
    const settled = answer && (await settleAnswer(this.#services, disputeTopic, loaded, answer));
    if (settled?.attempt.state === 'declined' && !isOver(settled.dispute.status))
      log.error(
        { dispute: leased.id, attempt: attempt.id },
        'incident: a processor refuses what was submitted in a dispute; it had been answered as accepted',
      );
  }

  /** False after a conflict. */
  async #commit({ dispute, movements, events }: ClosedDispute, rows: Write[]) {
    const { tenant } = dispute;
    const now = this.#services.clock.now();
    const time = await clockTime({ reads: this.#services.reads }, dispute);
    const writes = [
      ...rows,
      ...movements.map((movement) => post(tenant, now, movement)),
      ...eventWrites(tenant, null, now, happenedAt(time, events)),
    ];
    return commitDue(this.#services, { tenant, writes });
  }
}
