import type { Clock } from '../base/clock.ts';
import { type Committer, discard } from '../base/commit/index.ts';
import type { Mode, Reads, Tenant } from '../base/reads.ts';
import type { Pool } from '../base/sql.ts';
import type { EndpointId } from '../outbox/delivery.ts';
import { eventWrite } from '../outbox/event.ts';
import { failingSince, noteFailure, noteSuccess, webhookHealthTable } from '../outbox/health.ts';
import { type SigningKey, signingKey } from '../outbox/signature.ts';
import { findEndpoint, replaceEndpoint } from '../resources/webhook_endpoints/store.ts';
import { presentEndpoint, secretIds, type WebhookEndpoint } from '../resources/webhook_endpoints/webhook_endpoint.ts';
import type { Vault } from '../vault/index.ts';

const knownForMs = 1_000; // how long what is known of an endpoint may be used
const knownMax = 10_000;
const failingForMs = 5 * 24 * 3_600_000; // nothing but failure for so long, and it is switched off

export type ReceiverParts = { reads: Reads; leases: Pool; committer: Committer; vault: Vault; clock: Clock };

/** Where to send, and what to sign with. */
export type Receiver = {
  tenant: Tenant;
  id: EndpointId;
  version: number;
  url: string;
  mode: Mode;
  key: SigningKey;
  previous: SigningKey | undefined;
  /** Kept up to date here, so that an endpoint that goes on failing is noted once. */
  failingSince: number | undefined;
};

type Known = { reading: Promise<Receiver | undefined>; readAt: number };

/** The endpoints as the deliverer needs them: read once a second at most, and switched off when they fail for too long. */
export class Receivers {
  readonly #parts: ReceiverParts;
  readonly #known = new Map<string, Known>();

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  /** Undefined when the endpoint is gone or disabled. */
  find(tenant: Tenant, id: EndpointId): Promise<Receiver | undefined> {
    const name = `${tenant}/${id}`;
    const now = this.#parts.clock.monotonic();
    const known = this.#known.get(name);
    if (known !== undefined && now - known.readAt < knownForMs) return known.reading;
    if (this.#known.size >= knownMax) this.#known.clear();
    const reading = this.#read(tenant, id);
    this.#known.set(name, { reading, readAt: now });
    // That it may not be sent to is not kept: it would cancel what happens right after its owner enables it.
    const forget = () => this.#known.get(name)?.reading === reading && this.#known.delete(name);
    reading.then((receiver) => receiver ?? forget(), forget);
    return reading;
  }

  async #read(tenant: Tenant, id: EndpointId): Promise<Receiver | undefined> {
    const { reads, leases, vault, clock } = this.#parts;
    const endpoint = await findEndpoint(reads, tenant, id);
    if (endpoint === undefined || endpoint.status === 'disabled') return undefined;
    const ids = secretIds(endpoint, clock.now());
    const [secret, previous, [row], since] = await Promise.all([
      vault.openSecret(reads, tenant, ids.current),
      ids.previous === undefined ? undefined : vault.openSecret(reads, tenant, ids.previous),
      reads.rows<{ mode: Mode }>('select mode from tenants where tenant = $1', [tenant]),
      failingSince(leases, tenant, id),
    ]);
    // It was rotated between the two reads. Not the same as gone: what waits for it must not be canceled.
    if (secret === undefined) throw new Error(`the secret of ${id} has just changed`);
    return {
      ...{ tenant, id, version: endpoint.version, url: endpoint.url, mode: row!.mode, failingSince: since },
      key: signingKey(secret),
      previous: previous && signingKey(previous),
    };
  }

  async succeeded(receiver: Receiver): Promise<void> {
    if (receiver.failingSince === undefined) return;
    receiver.failingSince = undefined;
    await noteSuccess(this.#parts.leases, receiver.tenant, receiver.id);
  }

  /** Remembers since when it fails. One that says it is gone, or that has failed for days, is switched off. */
  async failed(receiver: Receiver, saysGone: boolean): Promise<void> {
    const { clock, leases } = this.#parts;
    const { tenant, id } = receiver;
    const now = clock.now();
    const isTooLong = (since: number | undefined) => since !== undefined && now - since >= failingForMs;
    // Asked once more: its owner may have enabled it anew while this attempt was on its way.
    if (saysGone || (isTooLong(receiver.failingSince) && isTooLong(await failingSince(leases, tenant, id))))
      return this.#switchOff(receiver);
    if (receiver.failingSince !== undefined) return;
    receiver.failingSince = now;
    await noteFailure(leases, tenant, id, new Date(now));
  }

  /** Whoever changed it since may have mended it: then the next failure decides, on what is there now. */
  async #switchOff({ tenant, id, version }: Receiver): Promise<void> {
    const { reads, committer } = this.#parts;
    const endpoint = await findEndpoint(reads, tenant, id);
    if (endpoint?.version === version) await committer.commit({ writes: this.#disabling(endpoint) });
    this.#known.delete(`${tenant}/${id}`);
  }

  #disabling(endpoint: WebhookEndpoint) {
    const after = { ...endpoint, status: 'disabled' as const, version: endpoint.version + 1 };
    return [
      replaceEndpoint(after),
      discard(webhookHealthTable, { tenant: endpoint.tenant, endpoint: endpoint.id }),
      eventWrite(endpoint.tenant, null, this.#parts.clock.now(), {
        type: 'webhook_endpoint.disabled',
        objectId: endpoint.id,
        objectVersion: after.version,
        object: presentEndpoint(after),
      }),
    ];
  }
}
