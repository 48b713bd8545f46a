import { insert, table, type Write } from '../base/commit/index.ts';
import { createdSeconds, type Id, newId } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';

/** Events are kept for this many days, and their deliveries with them. */
export const eventDaysKept = 90;

/** The date of the version whose shapes events carry. */
const apiVersion = '2023-01-01';

/** An event as an operation reports it. The executor turns it into a row of the same transaction. */
export type EventDraft = {
  /** One of the types that the object's resource declares. */
  type: string;
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
  type: string;
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
  { key: ['tenant', 'id'] },
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
