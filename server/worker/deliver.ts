import type { Clock } from '../base/clock.ts';
import { insert, update } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import { renewLeaseEveryMs } from '../base/lease.ts';
import type { Log } from '../base/log.ts';
import { every, type Timer } from '../base/timers.ts';
import { deliveriesTable, deliveryAttemptsTable } from '../outbox/delivery.ts';
import {
  cancelDelivery,
  dueEndpoints,
  leaseDeliveries,
  releaseDeliveries,
  renewDeliveries,
  type Taken,
} from '../outbox/due.ts';
import { isDelivered, nextAttempt } from '../outbox/schedule.ts';
import type { Sender, Sent } from '../outbox/send.ts';
import { signedHeaders } from '../outbox/signature.ts';
import { type Lane, Lanes, type Limits, laneName } from './lanes.ts';
import { Looker } from './looker.ts';
import { type Receiver, type ReceiverParts, Receivers } from './receivers.ts';

const gone = 410;

export type DeliverParts = ReceiverParts & {
  sender: Sender;
  clock: Clock;
  log: Log;
  limits: Limits;
  /** From 0 to 1. */
  random: () => number;
  onAttempt: (outcome: 'delivered' | 'pending' | 'exhausted') => void;
};

type Tried = { receiver: Receiver; sent: Sent; at: Date };

/**
 * Sends events to their endpoints. What it takes under a lease, it gives back, or writes down what became of it. The pool for leases
 * need not be durable: a lease that is lost with the database means that something is sent twice.
 */
export class Deliverer {
  readonly #parts: DeliverParts;
  readonly #lanes: Lanes;
  readonly #receivers: Receivers;
  readonly #jobs = new Set<Promise<void>>();
  readonly #looker: Looker;
  #renewal: Timer | undefined;

  constructor(parts: DeliverParts) {
    this.#parts = parts;
    this.#lanes = new Lanes(parts.limits, () => parts.clock.monotonic());
    this.#receivers = new Receivers(parts);
    this.#looker = new Looker(() => this.#look(), parts.clock, parts.log);
  }

  start(): void {
    this.#looker.start();
    this.#renewal = every(renewLeaseEveryMs, () => void this.#renew().catch(() => {}));
  }

  /** Something may be due. */
  wake(): void {
    this.#looker.wake();
  }

  wakeAt(moment: number): void {
    this.#looker.wakeAt(moment);
  }

  /** Takes no more, gives back what has not begun, and waits for what is on its way. */
  async stop(): Promise<void> {
    await this.#looker.stop();
    await this.#release(this.#lanes.takeAllWaiting());
    await this.#idle();
    this.#renewal?.cancel();
  }

  /** Everything that is due, until nothing is: for a test that moved its clock. A look beside this one may have taken it. */
  async settled(): Promise<void> {
    for (let taken = 1; taken > 0 || this.#jobs.size > 0; ) {
      await this.#looker.atRest();
      await this.#idle();
      taken = await this.#look();
      await this.#looker.atRest();
    }
  }

  async #idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }

  async #look(): Promise<number> {
    const { leases, clock, random } = this.#parts;
    await this.#release(this.#lanes.takeStalled());
    const due = await dueEndpoints(leases, clock.ahead());
    // From another one each time: when there is not enough for all, it shall not always be the same who get it.
    const first = Math.floor(random() * due.length);
    const shares = this.#lanes.share([...due.slice(first), ...due.slice(0, first)]);
    if (shares.length === 0 || this.#looker.isStopped) return 0;
    const taken = await leaseDeliveries(leases, shares, clock.ahead());
    const byLane = Map.groupBy(taken, laneName);
    for (const share of shares) {
      const name = laneName(share);
      this.#advance(this.#lanes.accept(name, byLane.get(name) ?? [], share.room));
    }
    return taken.length;
  }

  /** Their leases end by themselves if this fails. */
  async #release(waiting: Taken[]): Promise<void> {
    await releaseDeliveries(this.#parts.leases, waiting).catch(() => {});
  }

  /** Begins what the receiver has room for. */
  #advance(lane: Lane): void {
    for (let delivery = this.#lanes.next(lane); delivery !== undefined; delivery = this.#lanes.next(lane))
      this.#begin(lane, delivery);
  }

  #begin(lane: Lane, delivery: Taken): void {
    const job = this.#deliver(lane, delivery)
      .catch((error) =>
        this.#parts.log.warn({ delivery: delivery.id, error: String(error) }, 'a delivery failed on our side'),
      )
      .finally(() => {
        this.#jobs.delete(job);
        if (this.#lanes.settled(lane, delivery)) this.wake();
      });
    this.#jobs.add(job);
  }

  async #deliver(lane: Lane, delivery: Taken): Promise<void> {
    let tookMs: number | undefined;
    let tried: Tried | undefined;
    try {
      tried = await this.#attempt(delivery);
      if (tried?.sent.error === null) tookMs = tried.sent.durationMs;
    } finally {
      // The receiver gets its next one while the outcome of this one is written.
      this.#lanes.answered(lane, tookMs);
      this.#advance(lane);
    }
    if (tried === undefined) return this.#cancel(delivery);
    await this.#commit(delivery, tried);
    await this.#judge(tried).catch((error) =>
      this.#parts.log.warn(
        { endpoint: delivery.endpoint, error: String(error) },
        'whether a webhook endpoint fails could not be noted; its next attempt will',
      ),
    );
  }

  /** Nothing when the endpoint or the event is gone. */
  async #attempt(delivery: Taken): Promise<Tried | undefined> {
    const { clock, sender } = this.#parts;
    const { tenant, endpoint, event, payload } = delivery;
    const receiver = await this.#receivers.find(tenant, endpoint);
    if (receiver === undefined || payload === null) return undefined;
    const { url, mode, key, previous } = receiver;
    const at = new Date(clock.now());
    const seconds = Math.floor(at.getTime() / 1_000);
    const headers = signedHeaders({ eventId: event, payload, seconds, key, previous });
    return { receiver, sent: await sender.send({ url, mode, headers, body: payload }), at };
  }

  /** What became of the attempt, and when the next one is. */
  async #commit(delivery: Taken, { sent, at }: Tried): Promise<void> {
    const { clock, committer, random, onAttempt } = this.#parts;
    const attempts = delivery.attempts + 1;
    const next = nextAttempt(attempts, { ...sent, status: statusOf(sent) }, random());
    const due = next.state === 'pending' ? new Date(clock.now() + next.inMs) : null;
    const version = delivery.version + 1;
    const after = { ...delivery, version, state: next.state, attempts, due_at: due, lease_until: null };
    const record = insert(deliveryAttemptsTable, {
      tenant: delivery.tenant,
      delivery: delivery.id,
      id: newId('wha', at.getTime()),
      at,
      duration_ms: Math.round(sent.durationMs),
      status: sent.status,
      error: sent.error,
      response: sent.response.length === 0 ? null : sent.response,
    });
    const held = await committer.commit({ writes: [update(deliveriesTable, after), record] });
    // It was resent, or is another instance's by now: what happens next is not ours to say, but what happened is kept.
    if (held === 'conflict') await committer.commit({ writes: [record] });
    else onAttempt(next.state);
    if (due !== null) this.wakeAt(due.getTime());
  }

  /** What is sent after all is looked at anew. */
  async #cancel(delivery: Taken): Promise<void> {
    const { leases } = this.#parts;
    if (!(await cancelDelivery(leases, delivery))) await releaseDeliveries(leases, [delivery]);
  }

  async #judge({ receiver, sent }: Tried): Promise<void> {
    const status = statusOf(sent);
    if (isDelivered(status)) await this.#receivers.succeeded(receiver);
    else await this.#receivers.failed(receiver, status === gone);
  }

  /** Keeps what is held. What another instance has taken by now, because this one could not renew in time, is not sent from here. */
  async #renew(): Promise<void> {
    const { held } = this.#lanes;
    const kept = await renewDeliveries(this.#parts.leases, held);
    const lost = new Set(held.filter((delivery) => !kept.has(delivery)));
    this.#lanes.dropLost((delivery) => !lost.has(delivery));
  }
}

/** An answer that did not end is no answer. */
function statusOf(sent: Sent): number | null {
  return sent.error === null ? sent.status : null;
}
