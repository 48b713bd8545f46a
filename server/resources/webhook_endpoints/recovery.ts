import { insert, table, update, type Write } from '../../base/commit/index.ts';
import { firstIdAt } from '../../base/id.ts';
import type { Leasable } from '../../base/lease.ts';
import { inTransaction, type Pool, query, type Sql } from '../../base/sql.ts';
import { type EndpointId, goesTo, idExpression } from '../../outbox/delivery.ts';
import type { Context } from '../operation.ts';

/** Events that an endpoint is still to be sent again. It is known by its endpoint, which has one at a time. */
export type WebhookRecovery = Leasable & {
  id: EndpointId;
  /** Up to this id events have been looked at. */
  position: string;
  /** The first id that is too late: what happens after the call has its deliveries. */
  until: string;
  due_at: Date;
};

export const webhookRecoveriesTable = table<WebhookRecovery>(
  'webhook_recoveries',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    position: 'text',
    until: 'text',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'], identity: [] }, // another call may have made the same
);

/** How many events one step looks at. It has a connection of its own: through the committer, everybody would wait 50 ms for it. */
export const stepEvents = 2_000;
const skewMs = 1_000; // the clock of the server that made an event may be ahead of this one's

/** Has the worker begin. While a recovery of the endpoint is under way, the two become one, from the earlier of both moments. */
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

/** more: there are further events. done: there are none, or nothing may be sent any more. lost: it is another's now. */
export type StepOutcome = 'more' | 'done' | 'lost';

/**
 * The next events, oldest first. Their deliveries and the place where to go on are committed together, and only while the lease is
 * the holder's own. The recovery itself is touched last: a call that changes it waits, with everybody's commits, for no longer than
 * the commit of this.
 */
export async function stepRecovery(pool: Pool, recovery: WebhookRecovery): Promise<StepOutcome> {
  const { isHeld, last } = await inTransaction(pool, async (client) => {
    const last = await sendNext(client, recovery);
    const isHeld = last === undefined ? await end(client, recovery) : await moveOn(client, recovery, last);
    return { isKept: isHeld, result: { isHeld, last } };
  });
  if (!isHeld) return 'lost';
  recovery.position = last ?? recovery.until;
  return last === undefined ? 'done' : 'more';
}

/**
 * Sends what the endpoint is subscribed to now and has missed: what has no delivery to it, and what was given up or canceled. What
 * arrived, or is on its way, stays, and so does what somebody else is changing at this moment. Gives the last event that it looked
 * at; nothing when it was the last of all, or the endpoint is disabled or gone.
 */
async function sendNext(sql: Sql, { tenant, id, position, until }: WebhookRecovery): Promise<string | undefined> {
  const { rows } = await sql.query<{ last: string | null }>(
    `with seen as materialized (
       select e.tenant, e.id, e.type, e.object_id from events e
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

/** Gives it back, so that others have their turn. */
export async function releaseRecovery(pool: Pool, { tenant, id, version }: WebhookRecovery): Promise<void> {
  await query(
    pool,
    `update webhook_recoveries set lease_until = null, due_at = now()
      where tenant = $1 and id = $2 and version = $3`,
    [tenant, id, version],
  );
}
