import { insert, table, type Write } from '../base/commit/index.ts';
import { createdSeconds, type Id, newId } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';
import { deliveriesOf } from './delivery.ts';

/** The date of the version whose shapes events carry. */
const apiVersion = '2023-01-01';

export const eventTypes = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
  'payment.succeeded',
  'payment.failed',
  'payment.requires_action',
  'payment.requires_capture',
  'payment.processing',
  'payment.canceled',
  'payment.updated',
  'payment.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'dispute.created',
  'dispute.updated',
  'dispute.closed',
  'webhook_endpoint.disabled',
  'webhook_endpoint.test',
] as const;
export type EventType = (typeof eventTypes)[number];

/** What an operation says happened. The runner turns it into a row of the same transaction. */
export type EventDraft = {
  type: EventType;
  /** Where something else of the same transaction refers to it. */
  id?: Id<'evt'>;
  objectId: string;
  objectVersion: number;
  /** The object as the API returns it. */
  object: object;
  /** On updates: what changed, as it was before. */
  previous?: object;
};

export type EventRow = {
  tenant: Tenant;
  id: Id<'evt'>;
  type: EventType;
  object_id: string;
  object_version: number;
  request_id: string | null;
  payload: Buffer;
};

export const eventsTable = table<EventRow>(
  'events',
  {
    tenant: 'int4',
    id: 'text',
    type: 'text',
    object_id: 'text',
    object_version: 'int4',
    request_id: 'text',
    payload: 'bytea',
  },
  { key: ['tenant', 'id'], derived: deliveriesOf },
);

/** The payload is made once, as bytes: what is stored is what is shown, signed and sent. */
export function eventWrite(tenant: Tenant, requestId: string | null, now: number, draft: EventDraft): Write {
  const id = draft.id ?? newId('evt', now);
  const payload = JSON.stringify({
    id,
    object: 'event',
    api_version: apiVersion,
    created: createdSeconds(id),
    data: { object: draft.object, ...(draft.previous === undefined ? {} : { previous_attributes: draft.previous }) },
    type: draft.type,
  });
  return insert(eventsTable, {
    tenant,
    id,
    type: draft.type,
    object_id: draft.objectId,
    object_version: draft.objectVersion,
    request_id: requestId,
    payload: Buffer.from(payload),
  });
}
