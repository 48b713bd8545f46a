import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { SqlAt } from '../../../base/places/sql_at.ts';
import { type Pool, query, type Sql } from '../../../base/sql.ts';
import type { Context } from '../../../operations/operation.ts';
import { eventsTable } from '../../../outbox/event.ts';
import { goesTo, idExpression } from './deliveries/delivery.ts';
import type { EndpointId } from './webhook_endpoint.ts';

/** The missed events that are still to be sent to an endpoint. Its id is that of the endpoint, which has one recovery at a time. */
export type WebhookRecovery = Leasable & {
  id: EndpointId;
  /** The last event that was read. */
  position: string;
  /** The first id past the end: events after the call have deliveries already. */
  until: string;
  due_at: Date;
};

export const webhookRecoveriesTable: Table<WebhookRecovery> = table('webhook_recoveries', {
  int4: 'tenant version',
  text: 'id position until',
  timestamptz: 'due_at lease_until',
  identity: [], // another call may have written the same row
});

/** Events per step. A step has a separate connection: through the committer, every commit would wait 50 ms for it. */
export const stepEvents = 2_000;
const skewMs = 1_000; // the clock of the server that made an event may be ahead of this one's

/** Starts a recovery. When the endpoint has one already, the two become one, from the earlier of both moments. */
export async function beginRecovery(context: Context, endpoint: EndpointId, since: number): Promise<Write> {
  const { reads, tenant, now } = context;
  const from = firstIdAt('evt', since * 1_000);
  const fresh = {
    tenant,
    id: endpoint,
    version: 1,
    position: from,
    until: firstIdAt('evt', now + skewMs),
    due_at: new Date(now),
    lease_until: null,
  };
  const running = await reads.one(webhookRecoveriesTable, tenant, endpoint);
  if (running === undefined) return insert(webhookRecoveriesTable, fresh);
  const position = from < running.position ? from : running.position;
  return update(webhookRecoveriesTable, { ...fresh, version: running.version + 1, position });
}

/** more: there are further events. done: there are none, or the endpoint is disabled or deleted. lost: the lease is another instance's. */
export type StepOutcome = 'more' | 'done' | 'lost';

/**
 * Sends the next events, oldest first. Their deliveries and the new position are committed together, and only while the lease is still the
 * caller's. The row of the recovery is locked last: a request that changes it waits, and every commit with it, for no longer than this
 * transaction takes to commit.
 */
export async function stepRecovery(
  durable: Pick<SqlAt, 'transaction'>,
  recovery: WebhookRecovery,
): Promise<StepOutcome> {
  const { isHeld, last } = await durable.transaction(recovery.tenant, async (client) => {
    const last = await sendNext(client, recovery);
    const isHeld = last === undefined ? await end(client, recovery) : await moveOn(client, recovery, last);
    return { isKept: isHeld, result: { isHeld, last } };
  });
  if (!isHeld) return 'lost';
  recovery.position = last ?? recovery.until;
  return last === undefined ? 'done' : 'more';
}

/**
 * Makes deliveries due for the events that the endpoint is subscribed to now and has missed: those without a delivery, and those whose
 * delivery was exhausted or canceled. Deliveries that have arrived, are pending or are locked at this moment stay as they are. Gives the
 * last event that was read; undefined when there are no more, or the endpoint is disabled or deleted.
 */
async function sendNext(sql: Sql, { tenant, id, position, until }: WebhookRecovery): Promise<string | undefined> {
  const { rows } = await sql.query<{ last: string | null }>(
    `with seen as materialized (
       select e.tenant, e.id, e.type, e.object_id from ${eventsTable.name} e
        where e.tenant = $1 and e.id > $2 and e.id < $3 order by e.id limit ${stepEvents}),
     target as (select w.id, w.enabled_events from webhook_endpoints w
                 where w.tenant = $1 and w.id = $4 and w.status = 'enabled'),
     wanted as materialized (
       select ${idExpression('s.id', 't.id')} as id, s.id as event from seen s join target t on ${goesTo('s', 't')}),
     again as (
       update deliveries d
          set version = d.version + 1, state = 'pending', attempts = 0, due_at = now(), lease_until = null
        where d.ctid = any (array(
          select x.ctid from deliveries x join wanted on x.id = wanted.id
           where x.tenant = $1 and x.state in ('exhausted', 'canceled') for update of x skip locked))),
     fresh as (
       insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
       select $1, wanted.id, 1, wanted.event, $4, 'pending', 0, now() from wanted
        where not exists (select from deliveries x where x.tenant = $1 and x.id = wanted.id)
        order by wanted.id
           on conflict (tenant, id) do nothing)
     select max(seen.id) as last from seen
     having count(*) = ${stepEvents} and exists (select from target)`,
    [tenant, position, until, id],
  );
  return rows[0]?.last ?? undefined;
}

async function moveOn(sql: Sql, { tenant, id, version }: WebhookRecovery, position: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'update webhook_recoveries set position = $4 where tenant = $1 and id = $2 and version = $3',
    [tenant, id, version, position],
  );
  return rowCount === 1;
}

async function end(sql: Sql, { tenant, id, version }: WebhookRecovery): Promise<boolean> {
  const { rowCount } = await sql.query(
    'delete from webhook_recoveries where tenant = $1 and id = $2 and version = $3',
    [tenant, id, version],
  );
  return rowCount === 1;
}

/** Ends the lease, so that other recoveries have their turn. */
export async function releaseRecovery(pool: Pool, { tenant, id, version }: WebhookRecovery): Promise<void> {
  await query(
    pool,
    `update webhook_recoveries set lease_until = null, due_at = now()
      where tenant = $1 and id = $2 and version = $3`,
    [tenant, id, version],
  );
}
