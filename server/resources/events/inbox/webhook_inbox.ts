import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { EndpointId } from '../webhook_endpoints/webhook_endpoint.ts';

export type InboxId = Id<'ibx'>;

export const inboxAnswers = ['200', '500', '410', 'timeout'] as const;
export type InboxAnswer = (typeof inboxAnswers)[number];

/** A built-in receiver of webhooks. */
export type WebhookInbox = {
  tenant: Tenant;
  id: InboxId;
  version: number;
  /** Whose deliveries it receives. */
  endpoint: EndpointId;
  answer: InboxAnswer;
};

/** What an inbox has received. */
export type InboxRequest = {
  tenant: Tenant;
  id: Id<'ibr'>;
  inbox: InboxId;
  event: string;
  headers: Record<string, string>;
  /** Its first bytes. */
  body: Buffer;
  /** Of the whole body. */
  bytes: number;
  verified: boolean;
  answer: InboxAnswer;
};

const scheme = 'inbox:';

/** No such URL can be given to an endpoint by a request: it is neither http nor https. */
export const inboxUrl = (id: InboxId): string => `${scheme}${id}`;

/** The inbox that a URL leads to; undefined when it leads to the network. */
export function inboxIn(url: string): InboxId | undefined {
  return url.startsWith(scheme) ? (url.slice(scheme.length) as InboxId) : undefined;
}
