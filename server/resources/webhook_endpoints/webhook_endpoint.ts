import { createdSeconds, type Id } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Metadata, type MetadataPatch, mergeMetadata } from '../metadata.ts';

export type EndpointId = Id<'we'>;

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

export type WebhookEndpoint = {
  tenant: Tenant;
  id: EndpointId;
  version: number;
  url: string;
  /** Sorted, without repetition, so that equal lists are stored alike. */
  enabled_events: string[];
  status: EndpointStatus;
  description: string | null;
  metadata: Metadata;
  /** The number of its current secret. */
  secret: number;
  /** Until then the previous secret is used beside the current one; null when there is no previous one. */
  previous_until: Date | null;
};

/** What a caller may set. Undefined leaves a field as it is; null clears it where that is possible. */
export type EndpointChange = {
  url?: string;
  enabled_events?: string[];
  status?: EndpointStatus;
  description?: string | null;
  metadata?: MetadataPatch | null;
};

export type NewEndpoint = EndpointChange & { url: string; enabled_events: string[] };

export function newEndpoint(tenant: Tenant, id: EndpointId, wish: NewEndpoint): WebhookEndpoint {
  return {
    tenant,
    id,
    version: 1,
    url: wish.url,
    enabled_events: wish.enabled_events,
    status: 'enabled',
    description: wish.description ?? null,
    metadata: mergeMetadata({}, wish.metadata),
    secret: 1,
    previous_until: null,
  };
}

export function changeEndpoint(before: WebhookEndpoint, change: EndpointChange): WebhookEndpoint {
  return {
    ...before,
    version: before.version + 1,
    url: change.url ?? before.url,
    enabled_events: change.enabled_events ?? before.enabled_events,
    status: change.status ?? before.status,
    description: change.description === undefined ? before.description : change.description,
    metadata: mergeMetadata(before.metadata, change.metadata),
  };
}

/** The next secret becomes the current one; the previous one stays in use for `overlapMs`. */
export function withNextSecret(before: WebhookEndpoint, now: number, overlapMs: number): WebhookEndpoint {
  const previous_until = overlapMs === 0 ? null : new Date(now + overlapMs);
  return { ...before, version: before.version + 1, secret: before.secret + 1, previous_until };
}

/** The ids of its secrets in the vault: those in use at this moment, or, without a moment, those that the vault may still have. */
export function secretIds(
  { id, secret, previous_until }: WebhookEndpoint,
  now = 0,
): { current: string; previous: string | undefined } {
  const hasPrevious = previous_until !== null && previous_until.getTime() > now;
  return { current: `${id}/${secret}`, previous: hasPrevious ? `${id}/${secret - 1}` : undefined };
}

export function presentEndpoint(endpoint: WebhookEndpoint): object {
  const { id, url, enabled_events, status, description, metadata } = endpoint;
  return {
    id,
    object: 'webhook_endpoint',
    url,
    enabled_events,
    status,
    ...(description === null ? {} : { description }),
    metadata,
    created: createdSeconds(id),
  };
}
