import type { Notice } from '../../connectors/contract.ts';
import { post } from '../../ledger/posting.ts';
import { eventWrite } from '../../outbox/event.ts';
import {
  askAgain,
  commitDue,
  conflictsMax,
  find,
  type InquiryServices,
  inquire,
  settleAnswer,
} from '../attempts/inquire.ts';
import { findAttempt, requireAttempt } from '../attempts/store.ts';
import { type Duty, dueRows } from '../duty.ts';
import { findPayment, replacePayment } from '../payments/store.ts';
import { disputeCall } from './calls.ts';
import { type Dispute, isOver } from './dispute.ts';
import { type ClosedDispute, closeDispute, type KnownDispute, openDispute } from './settle.ts';
import { addDispute, disputesTable, findDisputeOf, replaceDispute } from './store.ts';
import { disputeTopic } from './topic.ts';

type Opened = Extract<Notice, { kind: 'dispute_opened' }>;
type Closed = Extract<Notice, { kind: 'dispute_closed' }>;

const openingWithinMs = 10 * 60_000;

/** Writes down what processors report of disputes, and finds out what became of evidence whose answer no request has seen. */
export class DisputeDuties {
  readonly #services: InquiryServices;
  /** Ends of disputes that are not known here, and when they were reported first. */
  readonly #early = new Map<string, number>();

  constructor(services: InquiryServices) {
    this.#services = services;
  }

  duty(): Duty {
    return dueRows(this.#services, 'disputes', disputesTable, (dispute) => this.#settleDue(dispute));
  }

  /** @throws when it could not be written down: then the processor reports it again. */
  async opened(notice: Opened, connector: string): Promise<void> {
    const { reads, clock, log } = this.#services;
    const { tenant, dispute: reference } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      if ((await findDisputeOf(reads, tenant, connector, reference)) !== undefined) return;
      const attempt = await findAttempt(reads, tenant, notice.authorization);
      const payment = attempt && (await findPayment(reads, tenant, attempt.payment));
      if (payment === undefined || attempt?.connector !== connector)
        return log.error({ notice }, 'incident: a processor reports a dispute about a payment that is not known here');
      const opened = openDispute(notice, connector, payment, clock.now());
      if (await this.#commit(opened, [addDispute(opened.dispute), replacePayment(opened.payment)])) return;
    }
    throw new Error(`the dispute ${reference} could not be written down`);
  }

  /** @throws when it could not be written down: then the processor reports it again. */
  async closed(notice: Closed, connector: string): Promise<void> {
    const { reads, log } = this.#services;
    const { tenant, dispute: reference, result } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const dispute = await findDisputeOf(reads, tenant, connector, reference);
      if (dispute === undefined) return this.#closedEarly(notice, connector);
      this.#early.delete(nameOf(notice, connector));
      const closed = closeDispute(dispute, result);
      if (closed === undefined) {
        // Money has moved for the end that is stored, and moves once.
        if (dispute.status !== result)
          log.error(
            { notice, dispute: dispute.id },
            'incident: the end of a dispute differs from the one reported earlier',
          );
        return;
      }
      if (await this.#commit(closed, [replaceDispute(closed.dispute)])) return;
    }
    throw new Error(`the end of the dispute ${reference} could not be written down`);
  }

  /** Its opening may be reported only now, or be written down at this moment: so the end is reported again, for a while. */
  #closedEarly(notice: Closed, connector: string): void {
    const { clock, log } = this.#services;
    const name = nameOf(notice, connector);
    const since = this.#early.get(name) ?? clock.now();
    this.#early.set(name, since);
    // Never acknowledged: were its opening written down after all, nobody else would report how it ended.
    if (clock.now() >= since + openingWithinMs) {
      log.error({ notice }, 'incident: a processor reports the end of a dispute that is not known here');
      this.#early.set(name, Number.POSITIVE_INFINITY); // once is enough
    }
    throw new Error(`the dispute ${notice.dispute} is not known here`);
  }

  /** What never arrived is sent again, by the same attempt, unless it is pointless by now. */
  async #settleDue(leased: Dispute): Promise<void> {
    const { reads, clock, connectors, log } = this.#services;
    if (leased.open_attempt === null) throw new Error(`dispute ${leased.id} is due without an attempt`);
    const attempt = await requireAttempt(reads, leased.tenant, leased.open_attempt);
    const known: KnownDispute = { dispute: { ...leased, inquiries: leased.inquiries + 1 }, attempt };
    const connector = connectors.byName(attempt.connector);
    const answer = isOver(leased.status)
      ? await find(this.#services, attempt)
      : await inquire(this.#services, attempt, () =>
          askAgain(this.#services, attempt, disputeCall(connector, known, clock.now())),
        );
    const settled = answer && (await settleAnswer(this.#services, disputeTopic, known, answer));
    if (settled?.attempt.state === 'declined' && !isOver(settled.dispute.status))
      log.error(
        { dispute: leased.id, attempt: attempt.id },
        'incident: a processor refuses what was submitted in a dispute; it had been answered as accepted',
      );
  }

  /** False when a row has changed meanwhile. */
  #commit({ dispute: { tenant }, movements, events }: ClosedDispute, rows: Parameters<typeof commitDue>[1]) {
    const now = this.#services.clock.now();
    return commitDue(this.#services, [
      ...rows,
      ...movements.map((movement) => post(tenant, now, movement)),
      ...events.map((event) => eventWrite(tenant, null, now, event)),
    ]);
  }
}

function nameOf({ tenant, dispute }: Closed, connector: string): string {
  return `${tenant}/${connector}/${dispute}`;
}
