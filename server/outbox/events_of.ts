import type { Reads, Tenant } from '../base/reads.ts';
import { type EventRow, eventsTable } from './event.ts';

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
