import type { Clock } from '../base/clock.ts';
import type { Committer, Write } from '../base/commit/index.ts';
import { isId } from '../base/id.ts';
import type { Log } from '../base/log.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import { ask } from '../connectors/ask.ts';
import type { AttemptId, Connector, Found, Reply } from '../connectors/contract.ts';
import type { Connectors } from '../connectors/index.ts';
import { eventWrite } from '../outbox/event.ts';
import { type Duty, dueRows } from '../resources/duty.ts';
import type { Attempt } from '../resources/payments/attempt.ts';
import { isFinal, type Payment } from '../resources/payments/payment.ts';
import { settledWrites } from '../resources/payments/perform.ts';
import type { TermsOf } from '../resources/payments/receipt.ts';
import { firstInquiry, type Known, nextLook, settle, unanswered } from '../resources/payments/settle.ts';
import {
  addAttempt,
  findAttempt,
  findPayment,
  paymentsTable,
  replaceAttempt,
  replacePayment,
} from '../resources/payments/store.ts';
import { cancelAttempt, cancelCall } from '../resources/payments/verbs.ts';

export type PaymentParts = {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  connectors: Connectors;
  terms: TermsOf;
  clock: Clock;
  log: Log;
  onDue: (moment: number) => void;
};

const soonMs = 5_000;
const conflictsMax = 3;

type Answer = Pick<Reply<Found>, 'outcome' | 'exchange' | 'writes'>;

/** Brings payments to their end that cannot get there by a request: unknown outcomes are asked for, what waits too long expires. */
export class PaymentCare {
  readonly #parts: PaymentParts;

  constructor(parts: PaymentParts) {
    this.#parts = parts;
  }

  kind(): Duty {
    return dueRows(this.#parts, 'payments', paymentsTable, (payment) => this.#tend(payment));
  }

  /** The cardholder has decided: finds out how, at once. */
  async cardholderDecided(tenant: Tenant, id: string): Promise<void> {
    for (let tries = 0; tries < conflictsMax; tries++) {
      const payment = isId('py', id) ? await findPayment(this.#parts.reads, tenant, id) : undefined;
      if (payment?.status !== 'requires_action' || payment.open_attempt !== null) return;
      const authorization = await this.#attempt(payment, payment.authorization_attempt!);
      const found = await this.#find(authorization);
      if (!isDecided(found.outcome)) return void (await this.#lookSoon(payment));
      if (await this.#settle({ payment, attempt: authorization }, found)) return;
    }
  }

  /** What could not be found out at once is asked again in a moment. */
  #lookSoon(payment: Payment): Promise<boolean> {
    const due = new Date(this.#parts.clock.now() + soonMs);
    return this.#commit([replacePayment({ ...undue(payment), due_at: due })], due);
  }

  /** An answer after its deadline. What was approved although the payment has failed or was canceled is given back. */
  async answeredLate(tenant: Tenant, id: AttemptId, outcome: Found): Promise<void> {
    const { reads, log } = this.#parts;
    log.warn({ attempt: id, outcome: outcome.kind }, 'an answer of a processor came too late to decide anything');
    if (outcome.kind !== 'approved') return;
    const attempt = await findAttempt(reads, tenant, id);
    if (attempt?.verb !== 'authorize' && attempt?.verb !== 'capture') return; // the others took nothing
    for (let tries = 0; tries < conflictsMax; tries++) {
      const payment = await findPayment(reads, tenant, attempt.payment);
      if (payment?.status !== 'failed' && payment?.status !== 'canceled') return;
      if (await this.#reverseLate(payment, id)) return;
    }
    log.error(
      { attempt: id },
      'incident: an approval for a payment that is over could not be reversed; reverse it by hand',
    );
  }

  async #reverseLate(payment: Payment, id: AttemptId): Promise<boolean> {
    if (payment.open_attempt !== null) return true; // it is being given back already
    const { log } = this.#parts;
    log.error(
      { payment: payment.id, attempt: id },
      'incident: an approval came for a payment that is over; it is reversed',
    );
    const authorization = await this.#attempt(payment, payment.authorization_attempt ?? id);
    return this.#giveBack(payment, authorization, 'reverse');
  }

  async #tend(payment: Payment): Promise<void> {
    if (payment.open_attempt !== null) return this.#inquire(payment, payment.open_attempt);
    if (isFinal(payment.status)) return this.#release(payment);
    return this.#expire(payment);
  }

  /** A payment that is over keeps nothing: what its authorization still holds is given back. */
  async #release(payment: Payment): Promise<void> {
    const held = payment.authorization_attempt;
    const authorization = held === null ? undefined : await this.#attempt(payment, held);
    if (payment.status !== 'succeeded' && authorization?.state === 'approved')
      return void (await this.#giveBack(payment, authorization, 'reverse'));
    await this.#commit([replacePayment(undue(payment))]);
  }

  /** What became of an attempt whose outcome is not known? */
  async #inquire(before: Payment, open: AttemptId): Promise<void> {
    const payment = { ...before, inquiries: before.inquiries + 1 };
    const attempt = await this.#attempt(payment, open);
    const held = payment.authorization_attempt;
    const authorization = held === null || held === open ? attempt : await this.#attempt(payment, held);
    const known: Known = { payment, attempt, authorization };
    const found = await this.#find(attempt);
    if (found.outcome.kind !== 'not_found') return void (await this.#settle(known, found));
    const { clock, connectors } = this.#parts;
    const connector = connectors.byName(attempt.connector);
    const isEarly = clock.now() < attempt.deadline_at.getTime() + connector.visibleAfterMs;
    if (isEarly) return void (await this.#settle(known, { outcome: notYet, exchange: {} }));
    // To give back twice is harmless, so what never arrived is simply sent again; to charge twice is not.
    if (attempt.verb === 'cancel' || attempt.verb === 'reverse')
      return void (await this.#settle(known, await this.#cancel(connector, attempt, authorization)));
    await this.#giveBack(payment, authorization, 'reverse', attempt);
  }

  /** An hour for the cardholder, a week for the capture; then the money is let go. */
  async #expire(payment: Payment): Promise<void> {
    const authorization = await this.#attempt(payment, payment.authorization_attempt!);
    if (payment.status === 'requires_action') {
      const found = await this.#find(authorization);
      if (isDecided(found.outcome)) return void (await this.#settle({ payment, attempt: authorization }, found));
      if (found.outcome.kind === 'unknown') return this.#unanswered(payment);
    }
    const now = this.#parts.clock.now();
    if (payment.expires_at!.getTime() > now) {
      const asked = { ...undue(payment), inquiries: payment.inquiries + 1 };
      const due = nextLook(asked, now);
      return void (await this.#commit([replacePayment({ ...asked, due_at: due })], due));
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
    const { clock, connectors } = this.#parts;
    const connector = connectors.byName(authorization.connector);
    const context = { tenant: payment.tenant, now: clock.now(), connectors, requestId: null };
    const attempt = { ...cancelAttempt(context, connector, payment, verb), version: 1 };
    const slot = { open_attempt: attempt.id, due_at: firstInquiry(attempt) };
    const begun = { ...undue(payment), ...slot, authorization_attempt: authorization.id };
    const given = lost && { ...lost, version: lost.version + 1, state: 'lost' as const };
    const writes = [
      replacePayment(begun),
      addAttempt(attempt),
      ...(given === undefined ? [] : [replaceAttempt(given)]),
    ];
    if (!(await this.#commit(writes, begun.due_at))) return false;
    const about = given?.id === authorization.id ? given : authorization;
    await this.#settle(
      { payment: begun, attempt, authorization: about },
      await this.#cancel(connector, attempt, about),
    );
    return true; // committed, so that it will be seen to, whatever the processor answered now
  }

  async #cancel(connector: Connector, attempt: Attempt, authorization: Attempt): Promise<Answer> {
    const { clock, connectors } = this.#parts;
    const about = { tenant: attempt.tenant, attempt: attempt.id };
    return ask(connectors.patience, about, cancelCall(connector, attempt, authorization, clock.now()));
  }

  async #find(attempt: Attempt): Promise<Answer> {
    const { clock, connectors } = this.#parts;
    const connector = connectors.byName(attempt.connector);
    const verb = attempt.verb === 'reverse' ? 'cancel' : attempt.verb;
    const about = { tenant: attempt.tenant, attempt: attempt.id };
    const patience = { ...connectors.patience, onLate: () => {} }; // what an inquiry finds too late, the next one finds again
    return ask(patience, about, () => connector.find({ ...about, verb, now: clock.now() }));
  }

  async #settle(known: Known, answer: Answer): Promise<boolean> {
    const { clock, log, terms } = this.#parts;
    const now = clock.now();
    const settled = settle(known, answer, now);
    const { payment } = settled;
    const events = settled.events.map((event) => eventWrite(payment.tenant, null, now, event));
    const writes = [...(await settledWrites(terms, settled, now)), ...events, ...(answer.writes ?? [])];
    const held = await this.#commit(writes, payment.due_at);
    if (known.attempt.verb === 'reverse' && answer.outcome.kind === 'declined')
      log.error({ payment: payment.id }, 'incident: the processor refuses to give back; see to it with the processor');
    if (held && payment.flagged_at !== null && known.payment.flagged_at === null)
      log.error(
        { payment: payment.id },
        'no answer for three days: ask the processor, and settle it with "tollgate payments settle"',
      );
    return held;
  }

  /** Nobody says whether the cardholder has decided. Once the hour is over that is asked less and less often, and a person told. */
  async #unanswered(payment: Payment): Promise<void> {
    const asked = unanswered(payment, undue(payment), this.#parts.clock.now());
    if (!(await this.#commit([replacePayment(asked)], asked.due_at))) return;
    if (asked.flagged_at !== null && payment.flagged_at === null)
      this.#parts.log.error(
        { payment: payment.id },
        'a processor has not told the decision of a cardholder for three days; ask it, and have the payment canceled',
      );
  }

  async #attempt(payment: Payment, id: AttemptId): Promise<Attempt> {
    const attempt = await findAttempt(this.#parts.reads, payment.tenant, id);
    if (attempt === undefined) throw new Error(`payment ${payment.id} names an attempt that is not there`);
    return attempt;
  }

  /** False when the row has moved on: then somebody else is seeing to it. */
  async #commit(writes: Write[], due: Date | null = null): Promise<boolean> {
    const held = (await this.#parts.committer.commit({ writes })) === 'committed';
    if (held && due !== null) this.#parts.onDue(due.getTime());
    return held;
  }
}

const notYet = { kind: 'unknown', reason: 'not found yet' } as const;

function isDecided(outcome: Found): boolean {
  return outcome.kind === 'approved' || outcome.kind === 'declined';
}

function undue(payment: Payment): Payment {
  return { ...payment, version: payment.version + 1, due_at: null, lease_until: null };
}
