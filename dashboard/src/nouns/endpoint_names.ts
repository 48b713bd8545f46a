import type { WebhookEndpoint } from '@tollgate/node';

const inboxScheme = 'inbox:';
/** The letters of a title. */
const titleMax = 80;

/** The id of the inbox that an endpoint leads to; undefined where it leads to a receiver. */
export function inboxOf({ url }: Pick<WebhookEndpoint, 'url'>): string | undefined {
  return url.startsWith(inboxScheme) ? url.slice(inboxScheme.length) : undefined;
}

/** What to call an endpoint. */
export function endpointName(endpoint: Pick<WebhookEndpoint, 'url'>): string {
  return inboxOf(endpoint) === undefined ? endpoint.url : `Inbox ${inboxOf(endpoint)}`;
}

/** The title of its page. A description says more than an address, and both can be long. */
export function endpointTitle(endpoint: Pick<WebhookEndpoint, 'url' | 'description'>): string {
  const name = endpoint.description?.trim() || endpointName(endpoint);
  return name.length > titleMax ? `${name.slice(0, titleMax)}…` : name;
}
