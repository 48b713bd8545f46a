import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Metadata } from '../../../operations/metadata.ts';

export type EndpointId = Id<'we'>;

export const endpointStatuses = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

export const webhookEndpointEvents = {
  'webhook_endpoint.disabled': 'A webhook endpoint was disabled because of failures.',
  'webhook_endpoint.test': 'A test event was requested.',
} as const;
export type EndpointEvent = keyof typeof webhookEndpointEvents;

/** gone: its receiver has answered 410. failing: five days without a success. */
export const disabledReasons = ['gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export type WebhookEndpoint = {
  tenant: Tenant;
  id: EndpointId;
  version: number;
  url: string;
  /** Sorted, without repetition, so that equal lists are stored alike. */
  enabled_events: string[];
  status: EndpointStatus;
  /** When and why it was disabled because of failures; null when its owner has disabled it. */
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  description: string | null;
  metadata: Metadata;
  /** The number of its current secret. */
  secret: number;
  /** Until then the previous secret is used beside the current one; null when there is no previous one. */
  previous_until: Date | null;
};

/** The next secret becomes the current one; the previous one stays in use for `overlapMs`. */
export function withNextSecret(before: WebhookEndpoint, now: number, overlapMs: number): WebhookEndpoint {
  const previous_until = overlapMs === 0 ? null : new Date(now + overlapMs);
  return { ...before, version: before.version + 1, secret: before.secret + 1, previous_until };
}

/** The ids of its secrets in the vault: those in use at this moment, or, without a moment, those that the vault may still have. */
export function secretIds(endpoint: WebhookEndpoint, now = 0): [current: string, ...previous: string[]] {
  const { id, secret, previous_until } = endpoint;
  const hasPrevious = previous_until !== null && previous_until.getTime() > now;
  return hasPrevious ? [`${id}/${secret}`, `${id}/${secret - 1}`] : [`${id}/${secret}`];
}
