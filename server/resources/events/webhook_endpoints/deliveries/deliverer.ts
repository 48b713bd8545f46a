import { insert, update } from '../../../../base/commit/index.ts';
import { newId } from '../../../../base/id.ts';
import { InFlight } from '../../../../base/in_flight.ts';
import { renewLeaseEveryMs } from '../../../../base/lease.ts';
import { fromThoseThere, readPlaces } from '../../../../base/places/turns.ts';
import type { Tenant } from '../../../../base/reads.ts';
import { failureLevel } from '../../../../base/sql.ts';
import { noTracing, type OpenSpan, type SpanStart } from '../../../../base/tracing/tracing.ts';
import type { BackgroundLoop } from '../../../../operations/job.ts';
import type { Services } from '../../../../operations/services.ts';
import { isDelivered, nextAttempt } from '../../../../outbox/schedule.ts';
import type { Sent } from '../../../../outbox/send.ts';
import { signedHeaders } from '../../../../outbox/signature.ts';
import { deliveriesTable, deliveryAttemptsTable } from './delivery.ts';
import {
  cancelDelivery,
  dueEndpoints,
  type LeasedDelivery,
  leaseDeliveries,
  releaseDeliveries,
  renewDeliveries,
  type Wanted,
} from './due.ts';
import { type Lane, Lanes, laneName } from './lanes.ts';
import { Payloads } from './payloads.ts';
import { type Receiver, type ReceiverParts, Receivers } from './receivers.ts';

const gone = 410;

/** Deliveries that other instances commit are found within this time; a commit of this instance wakes the deliverer. */
const pollEveryMs = 500;

export const delivererName = 'deliveries';

export type DelivererParts = ReceiverParts &
  Pick<Services, 'sender' | 'clock' | 'log' | 'random' | 'webhooks' | 'wake' | 'onDue'>;

const tenantOf = ({ tenant }: { tenant: Tenant }) => tenant;

type Tried = { receiver: Receiver; sent: Sent; at: Date };

/**
 * Sends events to their endpoints. Each delivery that it leases is either released or gets an outcome. The pool for leases need not be
 * durable: when a lease is lost with the database, an event is sent twice.
 */
export class Deliverer implements BackgroundLoop {
  readonly name = delivererName;
  readonly everyMs = pollEveryMs;
  readonly isWoken = true;
  readonly inFlight = new InFlight();
  readonly #parts: DelivererParts;
  readonly #lanes: Lanes;
  readonly #receivers: Receivers;
  readonly #payloads: Payloads;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#lanes = new Lanes(parts.webhooks.limits, () => parts.clock.monotonic());
    this.#receivers = new Receivers(parts);
    this.#payloads = new Payloads(parts.leases);
  }

  /** Leases due deliveries and starts to send them. */
  async run(stopping: AbortSignal): Promise<void> {
    const { leases, clock, random } = this.#parts;
    await this.#release(this.#lanes.takeStalled());
    const due = await readPlaces(leases.places('tenant'), (sql) => dueEndpoints(sql, clock.ahead()));
    // Starting at a random endpoint: when there is not enough capacity for all, it is not always the same ones that get it.
    const first = Math.floor(random() * due.length);
    const shares = this.#lanes.share([...due.slice(first), ...due.slice(0, first)]);
    if (shares.length === 0 || stopping.aborted) return;
    const leaseAt = async (group: readonly Wanted[]) => {
      const leased = await leases.each(group, tenantOf, async (sql, wanted) => {
        const byLane = Map.groupBy(await leaseDeliveries(sql, wanted, clock.ahead()), laneName);
        return wanted.map((share) => byLane.get(laneName(share)) ?? []);
      });
      for (const [at, share] of group.entries())
        this.#sendWaiting(this.#lanes.accept(laneName(share), leased[at]!, share.room));
    };
    // What one place has leased is sent whatever becomes of the others.
    const groups = Map.groupBy(shares, ({ tenant }) => leases.placeOf(tenant));
    await fromThoseThere([...groups.values()].map(leaseAt));
  }

  /** Releases the deliveries that were leased and not sent. */
  finish(): Promise<void> {
    return this.#release(this.#lanes.takeAllWaiting());
  }

  /**
   * Renews the leases of all deliveries that it holds, for as long as it holds any. A delivery that another instance has leased by now,
   * because this one could not renew in time, is not sent from here.
   */
  leaseRenewal(): BackgroundLoop {
    const { leases } = this.#parts;
    const renew = async (held: readonly LeasedDelivery[]) => {
      const kept = await leases.each(held, tenantOf, async (sql, some) => {
        const still = await renewDeliveries(sql, some);
        return some.map((delivery) => still.has(delivery));
      });
      const lost = new Set(held.filter((_, at) => !kept[at]));
      this.#lanes.dropLost((delivery) => lost.has(delivery));
    };
    // Those of one place are renewed while another is away. If it fails, the next renewal is in time; if that fails too, another instance
    // leases the deliveries.
    const renewAll = () => {
      const groups = Map.groupBy(this.#lanes.held, ({ tenant }) => leases.placeOf(tenant));
      return Promise.allSettled([...groups.values()].map(renew));
    };
    return {
      name: 'leases of deliveries',
      everyMs: renewLeaseEveryMs,
      isWoken: false,
      run: renewAll,
    };
  }

  /** If this fails, the leases end by themselves. */
  async #release(waiting: LeasedDelivery[]): Promise<void> {
    const { leases } = this.#parts;
    await leases.each(waiting, tenantOf, releaseDeliveries).catch(() => {});
  }

  /** Sends waiting deliveries, as many as the receiver may get at a time. */
  #sendWaiting(lane: Lane): void {
    for (let delivery = this.#lanes.next(lane); delivery !== undefined; delivery = this.#lanes.next(lane))
      this.inFlight.add(this.#job(lane, delivery));
  }

  async #job(lane: Lane, delivery: LeasedDelivery): Promise<void> {
    const { log, wake, webhooks } = this.#parts;
    const { tracing = noTracing } = webhooks;
    try {
      await tracing.span(spanOf(delivery), (span) => this.#deliver(lane, delivery, span));
    } catch (error) {
      log[failureLevel(error)](
        { delivery: delivery.id, error: String(error) },
        'could not make or record a delivery attempt',
      );
    } finally {
      if (this.#lanes.settled(lane, delivery)) wake(this.name);
    }
  }

  async #deliver(lane: Lane, delivery: LeasedDelivery, span: OpenSpan): Promise<void> {
    let tookMs: number | undefined;
    let tried: Tried | undefined;
    try {
      tried = await this.#payloads.with(delivery, (payload) => this.#attempt(delivery, payload));
      if (tried?.sent.error === null) tookMs = tried.sent.durationMs;
    } finally {
      // The receiver gets its next delivery while the outcome of this one is committed.
      this.#lanes.answered(lane, tookMs, delivery);
      this.#sendWaiting(lane);
      for (const other of this.#lanes.withoutBytes()) this.#sendWaiting(other);
    }
    if (tried === undefined) return this.#cancel(delivery);
    const state = await this.#commit(delivery, tried);
    span.note({ 'http.response.status_code': tried.sent.status ?? undefined, 'tollgate.delivery.state': state });
    if (state !== 'delivered') span.fail();
    await this.#noteHealth(tried).catch((error) =>
      this.#parts.log[failureLevel(error)](
        { endpoint: delivery.endpoint, error: String(error) },
        'could not record the failure of a webhook endpoint; its next attempt records it',
      ),
    );
  }

  /** Undefined when the endpoint or the event is gone. */
  async #attempt(delivery: LeasedDelivery, payload: Buffer | null): Promise<Tried | undefined> {
    const { clock, sender } = this.#parts;
    const { tenant, endpoint, event } = delivery;
    const receiver = await this.#receivers.find(tenant, endpoint);
    if (receiver === undefined || payload === null) return undefined;
    const { url, mode, key, previous } = receiver;
    const at = new Date(clock.now());
    const seconds = Math.floor(at.getTime() / 1_000);
    const headers = signedHeaders({ eventId: event, payload, seconds, key, previous });
    return { receiver, sent: await sender.send({ tenant, url, mode, headers, body: payload }), at };
  }

  /** Commits the attempt, its outcome and the time of the next attempt. Returns the state that follows from the attempt. */
  async #commit(delivery: LeasedDelivery, { sent, at }: Tried) {
    const { clock, committer, random, webhooks, onDue } = this.#parts;
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
    const verdict = await committer.commit({ tenant: after.tenant, writes: [update(deliveriesTable, after), record] });
    // It was resent, or another instance has leased it: this attempt decides nothing, but it is recorded.
    if (verdict === 'conflict') await committer.commit({ tenant: after.tenant, writes: [record] });
    else webhooks.onAttempt(next.state);
    if (due !== null) onDue(due.getTime(), this.name);
    return next.state;
  }

  /** A delivery that can be sent after all is released, and leased again. */
  async #cancel(delivery: LeasedDelivery): Promise<void> {
    const { leases } = this.#parts;
    const isCanceled = await leases.at(delivery.tenant, (sql) => cancelDelivery(sql, delivery));
    if (!isCanceled) await this.#release([delivery]);
  }

  async #noteHealth({ receiver, sent }: Tried): Promise<void> {
    const status = statusOf(sent);
    if (isDelivered(status)) await this.#receivers.succeeded(receiver);
    else await this.#receivers.failed(receiver, status === gone);
  }
}

/** The address of a receiver may contain secrets: the endpoint names it. */
function spanOf({ id, event, endpoint, attempts }: LeasedDelivery): SpanStart {
  const ids = { 'tollgate.delivery': id, 'tollgate.event': event, 'tollgate.webhook_endpoint': endpoint };
  const facts = { ...ids, 'tollgate.delivery.attempt': attempts + 1 };
  return { name: 'webhook delivery', kind: 'client', place: 'root', facts };
}

/** An incomplete response counts as none. */
function statusOf(sent: Sent): number | null {
  return sent.error === null ? sent.status : null;
}
