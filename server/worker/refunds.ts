import type { Clock } from '../base/clock.ts';
import type { Committer } from '../base/commit/index.ts';
import type { Log } from '../base/log.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import { ask } from '../connectors/ask.ts';
import type { Found, Notice, Reply } from '../connectors/contract.ts';
import type { Connectors } from '../connectors/index.ts';
import { eventWrite } from '../outbox/event.ts';
import { type Duty, dueRows } from '../resources/duty.ts';
import type { Attempt } from '../resources/payments/attempt.ts';
import { findAttempt } from '../resources/payments/store.ts';
import { knownOfAttempt, settledRefundWrites } from '../resources/refunds/perform.ts';
import type { Refund } from '../resources/refunds/refund.ts';
import { type KnownRefund, settleRefund } from '../resources/refunds/settle.ts';
import { refundsTable } from '../resources/refunds/store.ts';
import { refundCall } from '../resources/refunds/verbs.ts';

export type RefundParts = {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  connectors: Connectors;
  clock: Clock;
  log: Log;
  onDue: (moment: number) => void;
};

const conflictsMax = 5;
const notYet = { kind: 'unknown', reason: 'not found yet' } as const;

type Answer = Pick<Reply<Found>, 'outcome' | 'exchange' | 'writes'>;

/** Brings refunds to their end whose outcome no request could learn, and hears what a processor tells of them later. */
export class RefundCare {
  readonly #parts: RefundParts;

  constructor(parts: RefundParts) {
    this.#parts = parts;
  }

  kind(): Duty {
    return dueRows(this.#parts, 'refunds', refundsTable, (refund) => this.#inquire(refund));
  }

  /** @throws when it could not be written down: then the processor tells it again. */
  async noticed(notice: Extract<Notice, { kind: 'refund_settled' }>, connector: string): Promise<void> {
    const { reads, log } = this.#parts;
    const { tenant, attempt: id, outcome } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      const attempt = await findAttempt(reads, tenant, id);
      if (attempt?.verb !== 'refund' || attempt.connector !== connector)
        return log.error({ attempt: id }, 'incident: a processor tells of a refund that is not known here');
      const known = await knownOfAttempt({ reads, tenant }, attempt);
      if (known.refund.status === 'failed' && outcome.kind === 'approved')
        return log.error({ notice }, 'incident: a processor tells another end of a refund than before');
      if (await this.#settle(known, { outcome, exchange: { notice: outcome } })) return;
    }
    throw new Error(`what became of refund attempt ${id} could not be written down`);
  }

  async #inquire(leased: Refund): Promise<void> {
    const { reads, clock, connectors } = this.#parts;
    const { tenant } = leased;
    const attempt = await findAttempt(reads, tenant, leased.attempt);
    if (attempt === undefined) throw new Error(`refund ${leased.id} names an attempt that is not there`);
    const known = await knownOfAttempt({ reads, tenant }, attempt);
    // As it was taken: had it moved on since, the version would not be ours, and nothing is committed.
    const refund = { ...leased, inquiries: leased.inquiries + 1 };
    const found = await this.#find(attempt);
    const connector = connectors.byName(attempt.connector);
    if (found.outcome.kind !== 'not_found') return void (await this.#settle({ ...known, refund }, found));
    const isEarly = clock.now() < attempt.deadline_at.getTime() + connector.visibleAfterMs;
    const answer = isEarly ? { outcome: notYet, exchange: {} } : await this.#sendAgain(known);
    await this.#settle({ ...known, refund }, answer);
  }

  /** It never arrived. The processor knows a refund by its attempt, so that sending it again cannot give back twice. */
  async #sendAgain({ refund, attempt, payment }: KnownRefund): Promise<Answer> {
    const { reads, clock, connectors } = this.#parts;
    const connector = connectors.byName(attempt.connector);
    const authorization = await findAttempt(reads, attempt.tenant, payment.authorization_attempt!);
    if (authorization === undefined) throw new Error(`payment ${payment.id} has no authorization`);
    const call = refundCall(connector, { refund, attempt, authorization }, clock.now());
    return ask(this.#patience(), { tenant: attempt.tenant, attempt: attempt.id }, call);
  }

  async #find(attempt: Attempt): Promise<Answer> {
    const { clock, connectors } = this.#parts;
    const connector = connectors.byName(attempt.connector);
    const about = { tenant: attempt.tenant, attempt: attempt.id };
    return ask(this.#patience(), about, () => connector.find({ ...about, verb: 'refund', now: clock.now() }));
  }

  /** What comes too late, the next inquiry finds again. */
  #patience() {
    return { ...this.#parts.connectors.patience, onLate: () => {} };
  }

  /** False when a row has moved on in the meantime. */
  async #settle(known: KnownRefund, answer: Answer): Promise<boolean> {
    const { clock, committer, log, onDue } = this.#parts;
    const now = clock.now();
    const settled = settleRefund(known, answer, now);
    if (settled === undefined) return true;
    const { tenant, id, due_at, flagged_at } = settled.refund;
    const events = settled.events.map((event) => eventWrite(tenant, null, now, event));
    const writes = [...settledRefundWrites(tenant, settled, now), ...events, ...(answer.writes ?? [])];
    const held = (await committer.commit({ writes })) === 'committed';
    if (held && due_at !== null) onDue(due_at.getTime());
    if (held && flagged_at !== null && known.refund.flagged_at === null)
      log.error(
        { refund: id },
        'no answer about a refund for three days: ask the processor, and settle it with "tollgate payments settle"',
      );
    return held;
  }
}
