import type { Clock } from '../base/clock.ts';
import type { Committer, Write } from '../base/commit/index.ts';
import type { Log } from '../base/log.ts';
import type { Reads } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import { ask } from '../connectors/ask.ts';
import type { AttemptId, Found, Notice, Reply } from '../connectors/contract.ts';
import type { Connectors } from '../connectors/index.ts';
import { post } from '../ledger/posting.ts';
import { eventWrite } from '../outbox/event.ts';
import { type Dispute, isOver } from '../resources/disputes/dispute.ts';
import { settledDisputeWrites } from '../resources/disputes/perform.ts';
import {
  type ClosedDispute,
  closeDispute,
  type KnownDispute,
  openDispute,
  settleDispute,
} from '../resources/disputes/settle.ts';
import { addDispute, disputesTable, findDisputeOf, replaceDispute } from '../resources/disputes/store.ts';
import { disputeCall } from '../resources/disputes/verbs.ts';
import { type Duty, dueRows } from '../resources/duty.ts';
import type { Attempt } from '../resources/payments/attempt.ts';
import { findAttempt, findPayment, replacePayment } from '../resources/payments/store.ts';

export type DisputeParts = {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  connectors: Connectors;
  clock: Clock;
  log: Log;
  onDue: (moment: number) => void;
};

type Opened = Extract<Notice, { kind: 'dispute_opened' }>;
type Closed = Extract<Notice, { kind: 'dispute_closed' }>;
type Answer = Pick<Reply<Found>, 'outcome' | 'exchange' | 'writes'>;

const conflictsMax = 5;
const openingWithinMs = 10 * 60_000;
const notYet = { kind: 'unknown', reason: 'not found yet' } as const;

/** Hears what processors tell of disputes, and finds out what became of words whose answer no request has seen. */
export class DisputeCare {
  readonly #parts: DisputeParts;
  /** Ends of disputes that are not known here, and when they were told first. */
  readonly #early = new Map<string, number>();

  constructor(parts: DisputeParts) {
    this.#parts = parts;
  }

  kind(): Duty {
    return dueRows(this.#parts, 'disputes', disputesTable, (dispute) => this.#inquire(dispute));
  }

  /** @throws when it could not be written down: then the processor tells it again. */
  async opened(notice: Opened, connector: string): Promise<void> {
    const { reads, clock, log } = this.#parts;
    const { tenant, dispute: reference } = notice;
    for (let tries = 0; tries < conflictsMax; tries++) {
      if ((await findDisputeOf(reads, tenant, connector, reference)) !== undefined) return;
      const attempt = await findAttempt(reads, tenant, notice.authorization);
      const payment = attempt && (await findPayment(reads, tenant, attempt.payment));
      if (payment === undefined || attempt?.connector !== connector)
        return log.error({ notice }, 'incident: a processor tells of a dispute about a payment that is not known here');
      const opened = openDispute(notice, connector, payment, clock.now());
      const writes = [addDispute(opened.dispute), replacePayment(opened.payment)];
      if (await this.#commit([...writes, ...this.#consequences(opened)])) return;
    }
    throw new Error(`the dispute ${reference} could not be written down`);
  }

  /** @throws when it could not be written down: then the processor tells it again. */
  async closed(notice: Closed, connector: string): Promise<void> {
    const { reads, log } = this.#parts;
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
            'incident: a processor tells another end of a dispute than before',
          );
        return;
      }
      if (await this.#commit([replaceDispute(closed.dispute), ...this.#consequences(closed)])) return;
    }
    throw new Error(`the end of the dispute ${reference} could not be written down`);
  }

  /** That it was opened may be told only now, or be written down at this moment: so it is heard again, for a while. */
  #closedEarly(notice: Closed, connector: string): void {
    const { clock, log } = this.#parts;
    const name = nameOf(notice, connector);
    const since = this.#early.get(name) ?? clock.now();
    this.#early.set(name, since);
    // Never acknowledged: were its opening written down after all, nobody else would tell how it ended.
    if (clock.now() >= since + openingWithinMs) {
      log.error({ notice }, 'incident: a processor tells the end of a dispute that is not known here');
      this.#early.set(name, Number.POSITIVE_INFINITY); // once is enough
    }
    throw new Error(`the dispute ${notice.dispute} is not known here`);
  }

  async #inquire(leased: Dispute): Promise<void> {
    const attempt = await this.#attempt(leased, leased.open_attempt);
    const dispute = { ...leased, inquiries: leased.inquiries + 1 };
    await this.#settle({ dispute, attempt }, await this.#whatBecame({ dispute, attempt }));
  }

  /** What never arrived is sent again, by the same attempt, unless it is pointless by now. */
  async #whatBecame(known: KnownDispute): Promise<Answer> {
    const { clock, connectors } = this.#parts;
    const { dispute, attempt } = known;
    const connector = connectors.byName(attempt.connector);
    const verb = attempt.verb as 'contest' | 'concede';
    const now = clock.now();
    const found = await this.#ask(attempt, () =>
      connector.find({ tenant: dispute.tenant, attempt: attempt.id, verb, now }),
    );
    if (found.outcome.kind !== 'not_found' || isOver(dispute.status)) return found;
    if (now < attempt.deadline_at.getTime() + connector.visibleAfterMs) return { outcome: notYet, exchange: {} };
    return this.#ask(attempt, disputeCall(connector, known, now));
  }

  /** What comes too late, the next inquiry finds again. */
  #ask(attempt: Attempt, call: () => Promise<Reply<Found>>): Promise<Answer> {
    const patience = { ...this.#parts.connectors.patience, onLate: () => {} };
    return ask(patience, { tenant: attempt.tenant, attempt: attempt.id }, call);
  }

  async #settle(known: KnownDispute, answer: Answer): Promise<void> {
    const { clock, log } = this.#parts;
    const now = clock.now();
    const settled = settleDispute(known, answer, now);
    const { tenant, id, due_at, flagged_at, status } = settled.dispute;
    const events = settled.events.map((event) => eventWrite(tenant, null, now, event));
    const writes = [...settledDisputeWrites(tenant, settled, now), ...events, ...(answer.writes ?? [])];
    if (!(await this.#commit(writes, due_at))) return;
    const about = { dispute: id, attempt: known.attempt.id };
    if (settled.attempt.state === 'declined' && !isOver(status))
      log.error(about, 'incident: a processor refuses what was said in a dispute; it had been answered as accepted');
    if (flagged_at !== null && known.dispute.flagged_at === null)
      log.error(about, 'no answer in a dispute for three days: ask the processor what became of it');
  }

  async #attempt({ tenant, id }: Dispute, attempt: AttemptId | null): Promise<Attempt> {
    const found = attempt === null ? undefined : await findAttempt(this.#parts.reads, tenant, attempt);
    if (found === undefined) throw new Error(`dispute ${id} is due without an attempt`);
    return found;
  }

  #consequences({ dispute: { tenant }, movements, events }: ClosedDispute): Write[] {
    const now = this.#parts.clock.now();
    return [
      ...movements.map((movement) => post(tenant, now, movement)),
      ...events.map((event) => eventWrite(tenant, null, now, event)),
    ];
  }

  /** False when a row has moved on in the meantime. */
  async #commit(writes: Write[], due: Date | null = null): Promise<boolean> {
    const held = (await this.#parts.committer.commit({ writes })) === 'committed';
    if (held && due !== null) this.#parts.onDue(due.getTime());
    return held;
  }
}

function nameOf({ tenant, dispute }: Closed, connector: string): string {
  return `${tenant}/${connector}/${dispute}`;
}
