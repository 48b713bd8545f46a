import type { Notice } from '../../connectors/contract.ts';
import type { ProcessorAnswer } from '../attempts/attempt.ts';
import { askAgain, conflictsMax, type InquiryServices, inquire, settleAnswer } from '../attempts/inquire.ts';
import { findAttempt, requireAttempt } from '../attempts/store.ts';
import { type Duty, dueRows } from '../duty.ts';
import { refundCall } from './calls.ts';
import type { Refund } from './refund.ts';
import type { KnownRefund } from './settle.ts';
import { refundsTable } from './store.ts';
import { refundTopic } from './topic.ts';

/** Brings refunds to their end whose outcome no request could learn, and writes down what a processor reports of them later. */
export class RefundDuties {
  readonly #services: InquiryServices;

  constructor(services: InquiryServices) {
    this.#services = services;
  }

  duty(): Duty {
    return dueRows(this.#services, 'refunds', refundsTable, (refund) => this.#settleDue(refund));
  }

  /** @throws when it could not be written down: then the processor reports it again. */
  async reported(notice: Extract<Notice, { kind: 'refund_settled' }>, connector: string): Promise<void> {
    const { reads, log } = this.#services;
    const { tenant, attempt: id, outcome } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await findAttempt(reads, tenant, id);
      if (attempt?.verb !== 'refund' || attempt.connector !== connector)
        return log.error({ attempt: id }, 'incident: a processor reports on a refund that is not known here');
      const known = await refundTopic.read({ reads, tenant }, attempt);
      if (known.refund.status === 'failed' && outcome.kind === 'approved')
        return log.error({ notice }, 'incident: the outcome of a refund differs from the one reported earlier');
      if (await settleAnswer(this.#services, refundTopic, known, { outcome, exchange: { notice: outcome } })) return;
    }
    throw new Error(`the outcome of refund attempt ${id} could not be written down`);
  }

  async #settleDue(leased: Refund): Promise<void> {
    const { reads } = this.#services;
    const { tenant } = leased;
    const stored = await refundTopic.read({ reads, tenant }, await requireAttempt(reads, tenant, leased.attempt));
    // As it was leased: had it changed since, the version would not be ours, and nothing is committed.
    const known = { ...stored, refund: { ...leased, inquiries: leased.inquiries + 1 } };
    const answer = await inquire(this.#services, known.attempt, () => this.#sendAgain(known));
    if (answer !== undefined) await settleAnswer(this.#services, refundTopic, known, answer);
  }

  /** It never arrived. The processor knows a refund by its attempt, so that sending it again cannot give back twice. */
  async #sendAgain({ refund, attempt, payment }: KnownRefund): Promise<ProcessorAnswer> {
    const { reads, clock, connectors } = this.#services;
    const authorization = await requireAttempt(reads, attempt.tenant, payment.authorization_attempt!);
    const connector = connectors.byName(attempt.connector);
    return askAgain(this.#services, attempt, refundCall(connector, { refund, attempt, authorization }, clock.now()));
  }
}
