import { discard, insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { EndpointId } from '../webhook_endpoints/webhook_endpoint.ts';
import type { InboxRequest, WebhookInbox } from './webhook_inbox.ts';

/** The latest of each inbox, for a day. */
export const requestsMax = 100;
export const daysKept = 1;

export const inboxesTable: Table<WebhookInbox> = table('webhook_inboxes', {
  int4: 'tenant version',
  text: 'id endpoint answer',
});

const requestColumns = {
  int4: 'tenant bytes',
  text: 'id inbox event answer',
  json: 'headers',
  bytea: 'body',
  bool: 'verified',
} as const;

export const inboxRequestsTable: Table<InboxRequest> = table('webhook_inbox_requests', requestColumns);
/** The same by the inbox, to delete all of one. */
const requestsOfInbox: Table<InboxRequest> = table('webhook_inbox_requests', {
  ...requestColumns,
  key: ['tenant', 'inbox'],
});

export const addInbox = (inbox: WebhookInbox): Write => insert(inboxesTable, inbox);
export const replaceInbox = (inbox: WebhookInbox): Write => update(inboxesTable, inbox);
export const removeInbox = (inbox: WebhookInbox): Write[] => [
  remove(inboxesTable, inbox),
  discard(requestsOfInbox, { tenant: inbox.tenant, inbox: inbox.id }),
];

/** The inbox of an endpoint; most have none. A tenant has few inboxes. */
export async function findInboxOf(
  reads: Reads,
  tenant: Tenant,
  endpoint: EndpointId,
): Promise<WebhookInbox | undefined> {
  const columns = inboxesTable.columns.join(', ');
  const text = `select ${columns} from webhook_inboxes where tenant = $1 and endpoint = $2`;
  return (await reads.rows<WebhookInbox>(text, [tenant, endpoint]))[0];
}

export async function hasInboxes(reads: Reads, tenant: Tenant, count: number): Promise<boolean> {
  const rows = await reads.rows('select from webhook_inboxes where tenant = $1 limit $2', [tenant, count]);
  return rows.length === count;
}

/** Stores a request, and deletes the oldest beyond those that are kept. */
export async function storeRequest(pool: Pool, request: InboxRequest): Promise<void> {
  const { tenant, id, inbox, event, headers, body, bytes, verified, answer } = request;
  await query(
    pool,
    `with received as (
       insert into webhook_inbox_requests (tenant, id, inbox, event, headers, body, bytes, verified, answer)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9))
     delete from webhook_inbox_requests
      where tenant = $1 and inbox = $3 and id <= (
        select id from webhook_inbox_requests where tenant = $1 and inbox = $3
         order by id desc offset ${requestsMax - 1} limit 1)`,
    [tenant, id, inbox, event, JSON.stringify(headers), body, bytes, verified, answer],
    'inbox_request',
  );
}
