import type { Clock } from '../base/clock.ts';
import { type Committer, insert, update, type Write } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import type { Log } from '../base/log.ts';
import type { Mode, Reads } from '../base/reads.ts';
import type { Secret } from '../base/secret.ts';
import type { Pool } from '../base/sql.ts';
import { every, type Timer } from '../base/timers.ts';
import { type Delivery, deliveriesTable, deliveryAttemptsTable } from '../outbox/delivery.ts';
import { dueEndpoints, leaseDeliveries, releaseDeliveries, renewDeliveries } from '../outbox/due.ts';
import { eventsTable, eventWrite } from '../outbox/event.ts';
import { isDelivered, nextAttempt } from '../outbox/schedule.ts';
import type { Sender, Sent } from '../outbox/send.ts';
import { signedHeaders } from '../outbox/signature.ts';
import { findEndpoint, replaceEndpoint } from '../resources/webhook_endpoints/store.ts';
import { presentEndpoint, secretIds, type WebhookEndpoint } from '../resources/webhook_endpoints/webhook_endpoint.ts';
import type { Vault } from '../vault/index.ts';
import { Looker } from './looker.ts';

const renewEveryMs = 5_000;
const perEndpoint = 8; // at a time
const perStranger = 2; // until it has answered once: hundreds that hang must not take all there is
const perEndpointQueued = 64; // taken together, for receivers that answer quickly
const quickMs = 100;
const perInstance = 2_000;
const endpointForMs = 1_000; // how long what is known of an endpoint may be used
const failingForMs = 5 * 24 * 3_600_000; // nothing but failure for so long, and it is switched off
const gone = 410;
const knownMax = 10_000;

export type DeliverParts = {
  reads: Reads;
  durable: Pool;
  committer: Committer;
  vault: Vault;
  sender: Sender;
  clock: Clock;
  log: Log;
  /** From 0 to 1. */
  random: () => number;
  onAttempt: (outcome: 'delivered' | 'pending' | 'exhausted') => void;
};

type Known = { endpoint: WebhookEndpoint; mode: Mode; secret: Secret; previous: Secret | undefined; readAt: number };

/** What this instance has to do with one endpoint: what it took, and how much of it is on its way. */
type Lane = { waiting: Delivery[]; running: number };
type Trust = 'answers' | 'quick';

/**
 * Sends events to their endpoints. Each endpoint has a lane of its own, so that one that hangs holds up nobody else; memory holds
 * only what was taken, however much waits.
 */
export class Deliverer {
  readonly #parts: DeliverParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #held = new Map<string, Delivery>();
  /** How the endpoints answered last; one that did not is not in it. */
  readonly #trust = new Map<string, Trust>();
  readonly #known = new Map<string, Promise<Known | undefined>>();
  readonly #jobs = new Set<Promise<void>>();
  readonly #looker: Looker;
  #renewal: Timer | undefined;

  constructor(parts: DeliverParts) {
    this.#parts = parts;
    this.#looker = new Looker(() => this.#look(), parts.clock, parts.log);
  }

  start(): void {
    this.#looker.start();
    this.#renewal = every(renewEveryMs, () => void this.#renew().catch(() => {}));
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
    const waiting = [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    for (const delivery of waiting) this.#held.delete(nameOf(delivery));
    await releaseDeliveries(this.#parts.durable, waiting).catch(() => {}); // their leases end by themselves
    await this.#idle();
    this.#renewal?.cancel();
  }

  /** Everything that is due, until nothing is: for a test that moved its clock. */
  async settled(): Promise<void> {
    do {
      await this.#looker.atRest();
      await this.#idle();
    } while ((await this.#look()) > 0);
  }

  async #idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }

  async #look(): Promise<number> {
    const { durable, clock } = this.#parts;
    let left = perInstance - this.#held.size;
    const wanted = [];
    for (const due of await dueEndpoints(durable, clock.ahead())) {
      const name = laneOf(due);
      const room = Math.min(left, roomIn(this.#lanes.get(name), this.#trust.get(name)));
      if (room <= 0) continue;
      left -= room;
      wanted.push({ ...due, room });
    }
    if (wanted.length === 0 || this.#looker.isStopped) return 0;
    const taken = await leaseDeliveries(durable, wanted, clock.ahead());
    for (const delivery of taken) this.#accept(delivery);
    return taken.length;
  }

  #accept(delivery: Delivery): void {
    const name = laneOf(delivery);
    const lane = this.#lanes.get(name) ?? { waiting: [], running: 0 };
    this.#lanes.set(name, lane);
    lane.waiting.push(delivery);
    this.#held.set(nameOf(delivery), delivery);
    this.#advance(name, lane);
  }

  /** Begins what there is room for. A lane that has nothing left is closed, and more is looked for when it was full. */
  #advance(name: string, lane: Lane): void {
    while (lane.running < perEndpoint && lane.waiting.length > 0) {
      const delivery = lane.waiting.shift()!;
      lane.running++;
      const job = this.#deliver(delivery)
        .catch((error) =>
          this.#parts.log.warn({ delivery: delivery.id, error: String(error) }, 'a delivery failed on our side'),
        )
        .finally(() => {
          this.#jobs.delete(job);
          this.#held.delete(nameOf(delivery));
          lane.running--;
          this.#advance(name, lane);
          if (lane.running + lane.waiting.length === 0) this.#lanes.delete(name);
          if (lane.waiting.length === 0) this.wake();
        });
      this.#jobs.add(job);
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { clock, sender } = this.#parts;
    const { reads } = this.#parts;
    const [known, event] = await Promise.all([
      this.#endpointOf(delivery),
      reads.one(eventsTable, delivery.tenant, delivery.event),
    ]);
    if (known === undefined || event === undefined) return this.#cancel(delivery);
    const { endpoint, secret, previous, mode } = known;
    const { payload } = event;
    const at = new Date(clock.now());
    const headers = signedHeaders({
      eventId: delivery.event,
      payload,
      seconds: Math.floor(at.getTime() / 1_000),
      secret,
      previous,
    });
    const sent = await sender.send({ url: endpoint.url, mode, headers, body: payload });
    this.#judgeSpeed(laneOf(delivery), sent);
    await this.#commit(delivery, sent, at);
    await this.#judge(endpoint, sent);
  }

  #judgeSpeed(name: string, sent: Sent): void {
    if (this.#trust.size >= knownMax) this.#trust.clear();
    if (sent.status === null) this.#trust.delete(name);
    else this.#trust.set(name, sent.durationMs < quickMs ? 'quick' : 'answers');
  }

  /** What became of the attempt, and when the next one is. */
  async #commit(delivery: Delivery, sent: Sent, at: Date): Promise<void> {
    const { clock, committer, random } = this.#parts;
    const attempts = delivery.attempts + 1;
    const next = nextAttempt(attempts, { ...sent, status: statusOf(sent) }, random());
    const due = next.state === 'pending' ? new Date(clock.now() + next.inMs) : null;
    const after = { ...delivery, version: delivery.version + 1, state: next.state, attempts, due_at: due };
    const attempt = {
      tenant: delivery.tenant,
      delivery: delivery.id,
      id: newId('wha', at.getTime()),
      at,
      duration_ms: Math.round(sent.durationMs),
      status: sent.status,
      error: sent.error,
      response: sent.response.length === 0 ? null : sent.response,
    };
    this.#parts.onAttempt(next.state);
    const record = insert(deliveryAttemptsTable, attempt);
    const held = await committer.commit({ writes: [update(deliveriesTable, after), record] });
    // It was resent, or is another instance's by now: what happens next is not ours to say, but what happened is kept.
    if (held === 'conflict') await committer.commit({ writes: [record] });
    if (due !== null) this.wakeAt(due.getTime());
  }

  async #cancel(delivery: Delivery): Promise<void> {
    const canceled = { ...delivery, version: delivery.version + 1, state: 'canceled' as const, due_at: null };
    await this.#parts.committer.commit({ writes: [update(deliveriesTable, canceled)] });
  }

  /** Remembers since when an endpoint fails. One that says it is gone, or that has failed for days, is switched off. */
  async #judge(endpoint: WebhookEndpoint, sent: Sent): Promise<void> {
    const now = this.#parts.clock.now();
    const since = endpoint.failing_since?.getTime();
    if (isDelivered(statusOf(sent))) {
      if (since !== undefined) await this.#change(endpoint, { failing_since: null }, []);
    } else if (statusOf(sent) === gone || (since !== undefined && now - since >= failingForMs)) {
      await this.#switchOff(endpoint, now);
    } else if (since === undefined) {
      await this.#change(endpoint, { failing_since: new Date(now) }, []);
    }
  }

  async #switchOff(endpoint: WebhookEndpoint, now: number): Promise<void> {
    const object = presentEndpoint({ ...endpoint, status: 'disabled' });
    const facts = { objectId: endpoint.id, objectVersion: endpoint.version + 1, object };
    const event = eventWrite(endpoint.tenant, null, now, { type: 'webhook_endpoint.disabled', ...facts });
    await this.#change(endpoint, { status: 'disabled' }, [event]);
  }

  /** A conflict means that somebody else has changed the endpoint: then the next attempt judges it anew. */
  async #change(endpoint: WebhookEndpoint, change: Partial<WebhookEndpoint>, writes: Write[]): Promise<void> {
    const after = { ...endpoint, ...change, version: endpoint.version + 1 };
    await this.#parts.committer.commit({ writes: [replaceEndpoint(after), ...writes] });
    this.#known.delete(laneOf({ tenant: endpoint.tenant, endpoint: endpoint.id }));
  }

  /** The endpoint with its secrets; undefined when it is gone or disabled. Read once a second at most. */
  async #endpointOf(delivery: Delivery): Promise<Known | undefined> {
    const name = laneOf(delivery);
    const cached = await this.#known.get(name);
    if (cached !== undefined && this.#parts.clock.monotonic() - cached.readAt < endpointForMs) return cached;
    const reading = this.#read(delivery);
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(name, reading);
    try {
      return await reading;
    } catch (error) {
      this.#known.delete(name);
      throw error;
    }
  }

  async #read({ tenant, endpoint: id }: Delivery): Promise<Known | undefined> {
    const { reads, vault, clock } = this.#parts;
    const readAt = clock.monotonic();
    const endpoint = await findEndpoint(reads, tenant, id);
    if (endpoint === undefined || endpoint.status === 'disabled') return undefined;
    const ids = secretIds(endpoint, clock.now());
    const [secret, previous, [row]] = await Promise.all([
      vault.openSecret(reads, tenant, ids.current),
      ids.previous === undefined ? undefined : vault.openSecret(reads, tenant, ids.previous),
      reads.rows<{ mode: Mode }>('select mode from tenants where tenant = $1', [tenant]),
    ]);
    return secret === undefined ? undefined : { endpoint, mode: row!.mode, secret, previous, readAt };
  }

  async #renew(): Promise<void> {
    const { durable, clock } = this.#parts;
    await renewDeliveries(durable, [...this.#held.values()], clock.ahead());
  }
}

/** An answer that did not end is no answer. */
function statusOf(sent: Sent): number | null {
  return sent.error === null ? sent.status : null;
}

function roomIn(lane: Lane | undefined, trust: Trust | undefined): number {
  const most = trust === 'quick' ? perEndpointQueued : trust === 'answers' ? perEndpoint : perStranger;
  return most - (lane === undefined ? 0 : lane.running + lane.waiting.length);
}

function laneOf({ tenant, endpoint }: { tenant: number; endpoint: string }): string {
  return `${tenant}/${endpoint}`;
}

function nameOf({ tenant, id }: { tenant: number; id: string }): string {
  return `${tenant}/${id}`;
}
