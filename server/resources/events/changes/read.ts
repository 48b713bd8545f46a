import { firstIdAt } from '../../../base/id.ts';
import { boundOf, numbered, positionAt, positionOf, type TailPosition } from '../../../base/position.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { eventChanges } from '../../../outbox/event.ts';
import { attemptChanges } from '../webhook_endpoints/deliveries/delivery.ts';

/** A row may commit this long after its id was made: so far back ids are looked at again. */
const overlapMs = 60_000;
export const pageRows = 500;

/** Something that happened: an event, or an attempt to deliver one. */
export type Change = {
  xact: number;
  id: string;
  type: string;
  /** The id of the object that it is about. */
  subject: string;
  event: string;
  webhook_endpoint: string | null;
  status: number | null;
};

/** What happened after a position, in order, and the position after it. `top`: no transaction has this number yet. */
export type ChangesPage = { changes: Change[]; position: TailPosition; isFull: boolean; top: number };

type FoundChange = { horizon: number; top: number } & { [Name in keyof Change]: Change[Name] | null };

const statements = numbered(
  (snapshot, numberOf) => `
  select n.horizon, n.top, c.xact, c.id, c.type, c.subject, c.event, c.webhook_endpoint, c.status
    from (${snapshot}) as n
    left join lateral (
      select * from (${eventChanges(numberOf, '$4')} union all ${attemptChanges(numberOf, '$5')}) as happened
       where happened.xact < n.horizon and (happened.xact, happened.id) > ($2::int8, $3::text collate "C")
       order by happened.xact, happened.id limit ${pageRows}) as c on true`,
);

/**
 * Reads what has become visible after a position. It stops below the oldest transaction that is still open: whatever commits later has a
 * higher number, so nothing is passed over, and nothing is read twice, except after the tenant has moved to another server: then the last
 * minute is read again. `now` is taken before the read.
 */
export async function readChanges(
  reads: Reads,
  tenant: Tenant,
  after: TailPosition,
  now: number,
): Promise<ChangesPage> {
  const since = Math.max(0, after.since - overlapMs);
  const values = [tenant, after.xact, boundOf(after), firstIdAt('evt', since), firstIdAt('wha', since)] as const;
  const rows = await reads.numberedRows<FoundChange>(statements, values);
  const { horizon, top } = rows[0]!;
  const changes = rows.filter((row) => row.id !== null) as unknown as Change[];
  const isFull = changes.length === pageRows;
  const position = isFull ? positionOf(changes.at(-1)!) : positionAt({ horizon, top, at: now }, after);
  return { changes, position, isFull, top };
}

/** A position before everything that is not visible yet. */
export async function readNow(reads: Reads, tenant: Tenant, now: number): Promise<ChangesPage> {
  return readChanges(reads, tenant, { xact: Number.MAX_SAFE_INTEGER, id: '', since: now }, now);
}
