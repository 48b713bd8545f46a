import { BriefCache } from '../../../../base/brief_cache.ts';
import type { Mode, Tenant } from '../../../../base/reads.ts';
import type { Services } from '../../../../operations/services.ts';
import { modeOf } from '../../../../operations/tenants.ts';
import { eventWrite } from '../../../../outbox/event.ts';
import { type SigningKey, signingKey } from '../../../../outbox/signature.ts';
import { endpointEvent } from '../schema.ts';
import { forgetFailures, replaceEndpoint, webhookEndpointsTable } from '../store.ts';
import { type DisabledReason, type EndpointId, secretIds, type WebhookEndpoint } from '../webhook_endpoint.ts';
import { failingSince, noteFailure, noteSuccess } from './health.ts';

const keptMs = 1_000;
const entriesMax = 10_000;
const failingMaxMs = 5 * 24 * 3_600_000; // after five days without a success an endpoint is disabled

export type ReceiverParts = Pick<Services, 'reads' | 'leases' | 'committer' | 'vault' | 'clock'>;

/** Where to send, and what to sign with. */
export type Receiver = Pick<WebhookEndpoint, 'tenant' | 'id' | 'version' | 'url'> & {
  mode: Mode;
  key: SigningKey;
  previous: SigningKey | undefined;
  /** Updated here as well, so that only the first failure in a row is written. */
  failingSince: number | undefined;
};

/** The endpoints as the deliverer needs them: read at most once a second, and disabled when they fail for too long. */
export class Receivers {
  readonly #parts: ReceiverParts;
  readonly #cache: BriefCache<string, Receiver | undefined>;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
    // A disabled endpoint is not cached: right after its owner has enabled it, new events would be canceled.
    const isKept = (receiver: Receiver | undefined) => receiver !== undefined;
    this.#cache = new BriefCache({ clock: parts.clock, keptMs, entriesMax, isKept });
  }

  /** Undefined when the endpoint is deleted or disabled. */
  find(tenant: Tenant, id: EndpointId): Promise<Receiver | undefined> {
    return this.#cache.get(`${tenant}/${id}`, () => this.#read(tenant, id));
  }

  async #read(tenant: Tenant, id: EndpointId): Promise<Receiver | undefined> {
    const { reads, leases, vault, clock } = this.#parts;
    const endpoint = await reads.one(webhookEndpointsTable, tenant, id);
    if (endpoint === undefined || endpoint.status === 'disabled') return undefined;
    const [[key, previous], mode, since] = await Promise.all([
      signingKeysOf({ reads, vault, clock }, endpoint),
      modeOf(reads, tenant),
      leases.at(tenant, (sql) => failingSince(sql, tenant, id)),
    ]);
    return {
      tenant,
      id,
      version: endpoint.version,
      url: endpoint.url,
      mode,
      key,
      previous,
      failingSince: since,
    };
  }

  async succeeded(receiver: Receiver): Promise<void> {
    if (receiver.failingSince === undefined) return;
    receiver.failingSince = undefined;
    const { tenant, id } = receiver;
    await this.#parts.leases.at(tenant, (sql) => noteSuccess(sql, tenant, id));
  }

  /** Notes the first failure. An endpoint that answers 410, or that has failed for days, is disabled. */
  async failed(receiver: Receiver, isGone: boolean): Promise<void> {
    const { clock, leases } = this.#parts;
    const { tenant, id } = receiver;
    const now = clock.now();
    const isTooLong = (since: number | undefined) => since !== undefined && now - since >= failingMaxMs;
    const stored = () => leases.at(tenant, (sql) => failingSince(sql, tenant, id));
    // Read again: the owner may have enabled the endpoint during this attempt.
    if (isGone || (isTooLong(receiver.failingSince) && isTooLong(await stored())))
      return this.#disable(receiver, isGone ? 'gone' : 'failing');
    if (receiver.failingSince !== undefined) return;
    receiver.failingSince = now;
    await leases.at(tenant, (sql) => noteFailure(sql, tenant, id, new Date(now)));
  }

  /** An endpoint that has changed since it was read may have been repaired: then the next failure decides. */
  async #disable({ tenant, id, version }: Receiver, disabled_reason: DisabledReason): Promise<void> {
    const { reads, committer, clock } = this.#parts;
    const endpoint = await reads.one(webhookEndpointsTable, tenant, id);
    if (endpoint?.version === version) {
      const disabled = { status: 'disabled', disabled_at: new Date(clock.now()), disabled_reason } as const;
      const after: WebhookEndpoint = { ...endpoint, ...disabled, version: version + 1 };
      const event = eventWrite(tenant, null, clock.now(), endpointEvent('webhook_endpoint.disabled', after));
      await committer.commit({ tenant: after.tenant, writes: [replaceEndpoint(after), forgetFailures(after), event] });
    }
    this.#cache.delete(`${tenant}/${id}`);
  }
}

/** What deliveries to an endpoint are signed with: its current secret, and during a rotation also the one before. */
export async function signingKeysOf(
  { reads, vault, clock }: Pick<Services, 'reads' | 'vault' | 'clock'>,
  endpoint: WebhookEndpoint,
): Promise<[current: SigningKey, previous: SigningKey | undefined]> {
  const [currentId, previousId] = secretIds(endpoint, clock.now());
  const [secret, previous] = await Promise.all([
    vault.openSecret(reads, endpoint.tenant, currentId),
    previousId === undefined ? undefined : vault.openSecret(reads, endpoint.tenant, previousId),
  ]);
  // The secret was rotated between the two reads. The endpoint still exists, so its deliveries must not be canceled.
  if (secret === undefined) throw new Error(`the secret of ${endpoint.id} has just changed`);
  return [signingKey(secret), previous && signingKey(previous)];
}

/** The same by the id of the endpoint; none when it is deleted. */
export async function findSigningKeys(
  parts: Pick<Services, 'reads' | 'vault' | 'clock'>,
  tenant: Tenant,
  id: EndpointId,
): Promise<SigningKey[]> {
  const endpoint = await parts.reads.one(webhookEndpointsTable, tenant, id);
  if (endpoint === undefined) return [];
  const [current, previous] = await signingKeysOf(parts, endpoint);
  return previous === undefined ? [current] : [current, previous];
}
