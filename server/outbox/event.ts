import { insert, type Table, table, type Write } from '../base/commit/index.ts';
import { createdSeconds, firstIdAt, type Id, idTime, newId, newIds } from '../base/id.ts';
import { xactOf } from '../base/position.ts';
import type { Reads, Tenant } from '../base/reads.ts';

/** The API version of the objects in events. */
const apiVersion = '2023-01-01';

/** An event as an operation returns it. The executor turns it into a row of the same transaction. */
export type EventDraft = {
  /** One of the types that the object's resource declares. */
  type: string;
  /** Given when another row of the same transaction refers to the event. */
  id?: Id<'evt'>;
  objectId: string;
  objectVersion: number;
  /** The object as the API returns it. */
  object: object;
  /** Its time in seconds, where it happened by a test clock; otherwise that of its id. */
  created?: number;
  /** On updates: the changed fields with their previous values. */
  previous?: object;
};

/** The name by which all types of a kind of object are meant: `payment.*`. */
export const familyOf = (type: string) => `${type.split('.')[0]}.*`;

/** Events of something that happened by a test clock, at this moment in epoch milliseconds; undefined: in real time. */
export function happenedAt(moment: number | undefined, events: EventDraft[]): EventDraft[] {
  if (moment === undefined) return events;
  return events.map((event) => ({ created: Math.floor(moment / 1_000), ...event }));
}

/** Drafts the events about a kind of object. */
export function eventsAbout<Type extends string, Row extends { id: string; version: number }>(
  serialize: (row: Row) => object,
) {
  return (type: Type, row: Row, previous?: object): EventDraft => {
    const facts = { type, objectId: row.id, objectVersion: row.version, object: serialize(row) };
    return previous === undefined ? facts : { ...facts, previous };
  };
}

export type EventRow = {
  tenant: Tenant;
  id: Id<'evt'>;
  type: string;
  object_id: string;
  object_version: number;
  request_id: string | null;
  payload: Buffer;
};

export const eventsTable: Table<EventRow> = table('events', {
  int4: 'tenant object_version',
  text: 'id type object_id request_id',
  bytea: 'payload',
});

/** Events that happen together, in this order: lists show events in the order of their ids. */
export function eventWrites(
  tenant: Tenant,
  requestId: string | null,
  now: number,
  drafts: readonly EventDraft[],
): Write[] {
  const ids = newIds('evt', now, drafts.length);
  return drafts.map((draft, at) => eventWrite(tenant, requestId, now, { id: ids[at]!, ...draft }));
}

/** The payload is serialized once: the same bytes are stored, shown, signed and sent. */
export function eventWrite(tenant: Tenant, requestId: string | null, now: number, draft: EventDraft): Write {
  const id = draft.id ?? newId('evt', now);
  const payload = JSON.stringify({
    id,
    object: 'event',
    api_version: apiVersion,
    created: draft.created ?? createdSeconds(id),
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

/** The events of tenant $1 since the id that `since` names, for those who follow them. No event is ever updated, so the row still knows its commit. */
export function eventChanges(numberOf: (row: string) => string, since: string): string {
  return `select ${numberOf('e')} as xact, e.id, e.type, e.object_id as subject, e.id as event,
                 null::text as webhook_endpoint, null::int2 as status
            from events e where e.tenant = $1 and e.id >= ${since}`;
}

/** What the events of a tenant are about, since the id that `since` names. Each argument is SQL. */
export function changedObjects(tenant: string, top: string, since: string): string {
  return `select ${xactOf('e', top)} as xact, e.id, e.tenant, e.object_id as object
            from events e where e.tenant = ${tenant} and e.id >= ${since}`;
}

/**
 * SQL of a recursive CTE: the tenants that have events, found from one to the next by the key of the table. It is as old as the events that
 * are read in the same statement, and a place has no list of its tenants.
 */
export const tenantsWithEvents = `owner as (
  (select tenant from events order by tenant limit 1)
  union all
  select next.tenant from owner cross join lateral (
    select e.tenant from events e where e.tenant > owner.tenant order by e.tenant limit 1) next)`;

/** The events about any of these objects, before an id, newest first. */
export function findEventsOf(
  reads: Reads,
  tenant: Tenant,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<EventRow[]> {
  const columns = eventsTable.columns.join(', ');
  return reads.rows<EventRow>(
    `select found.* from unnest($2::text[]) as x (object_id)
      cross join lateral (
        select ${columns} from events e
         where e.tenant = $1 and e.object_id = x.object_id and e.id < $3
         order by e.object_id desc, e.id desc limit $4) found
      order by found.id desc limit $4`,
    [tenant, ids, before, limit],
  );
}

/** Events of one commit have ids of one millisecond; what is written with them has been made shortly before. */
const togetherMs = 5_000;

/**
 * What an event shares with everything of the same cause: the id of the request or, for what happened without one, the moment at which its
 * commit was made.
 */
export function groupOf({ id, request_id }: Pick<EventRow, 'id' | 'request_id'>): string {
  return request_id ?? String(idTime(id));
}

/** The group of the event about an object that was written with something else, made at a moment; undefined where there is none. */
export async function findGroups(
  reads: Reads,
  tenant: Tenant,
  made: readonly { object: string; at: number }[],
): Promise<(string | undefined)[]> {
  if (made.length === 0) return [];
  const rows = await reads.rows<Pick<EventRow, 'id' | 'request_id'> | { id: null }>(
    `select e.id, e.request_id
       from unnest($2::text[], $3::text[], $4::text[]) with ordinality as x (object_id, since, until, place)
       left join lateral (
         select id, request_id from events
          where tenant = $1 and object_id = x.object_id and id >= x.since and id < x.until
          order by object_id, id limit 1) e on true
      order by x.place`,
    [
      tenant,
      made.map(({ object }) => object),
      made.map(({ at }) => firstIdAt('evt', at)),
      made.map(({ at }) => firstIdAt('evt', at + togetherMs)),
    ],
  );
  return rows.map((row) => (row.id === null ? undefined : groupOf(row)));
}

/** The groups of events by their ids, for those that are still stored. */
export async function findGroupsOf(
  reads: Reads,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reads.rows<Pick<EventRow, 'id' | 'request_id'>>(
    'select id, request_id from events where tenant = $1 and id = any($2::text[])',
    [tenant, ids],
  );
  return new Map(rows.map((row) => [row.id, groupOf(row)]));
}

/** The payloads of events by their ids, for those that are still stored. */
export async function findPayloads(
  reads: Reads,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await reads.rows<{ id: string; payload: Buffer }>(
    'select id, payload from events where tenant = $1 and id = any($2::text[])',
    [tenant, ids],
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}

/** The types of events by their ids, without reading what happened. */
export async function findTypes(
  reads: Reads,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reads.rows<{ id: string; type: string }>(
    'select id, type from events where tenant = $1 and id = any($2::text[])',
    [tenant, ids],
  );
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** The ids of the newest events about an object. The order names the object, so that the planner reads the index by object and no other. */
export async function findIdsAbout(
  reads: Reads,
  tenant: Tenant,
  object: string,
  limit: number,
): Promise<EventRow['id'][]> {
  const rows = await reads.rows<Pick<EventRow, 'id'>>(
    'select id from events where tenant = $1 and object_id = $2 order by object_id desc, id desc limit $3',
    [tenant, object, limit],
  );
  return rows.map(({ id }) => id);
}
