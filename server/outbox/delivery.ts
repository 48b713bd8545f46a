import { createHash } from 'node:crypto';
import { table } from '../base/commit/index.ts';
import type { Id } from '../base/id.ts';
import type { Tenant } from '../base/reads.ts';

export type EndpointId = Id<'we'>;
export type DeliveryId = Id<'whd'>;

/** One event on its way to one endpoint. */
export type Delivery = {
  tenant: Tenant;
  id: DeliveryId;
  version: number;
  event: Id<'evt'>;
  endpoint: EndpointId;
  state: 'pending' | 'delivered' | 'exhausted' | 'canceled';
  /** How many were made in the current round; a resend begins anew. */
  attempts: number;
  /** When the next attempt is made. */
  due_at: Date | null;
  /** Until then it is with whoever took it. */
  lease_until: Date | null;
};

export const deliveriesTable = table<Delivery>(
  'deliveries',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    event: 'text',
    endpoint: 'text',
    state: 'text',
    attempts: 'int4',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'], identity: [] }, // a resend may have made the same
);

/** One try. */
export type DeliveryAttempt = {
  tenant: Tenant;
  delivery: DeliveryId;
  id: Id<'wha'>;
  at: Date;
  duration_ms: number;
  /** Of the answer; null when there was none. */
  status: number | null;
  error: string | null;
  response: Buffer | null;
};

export const deliveryAttemptsTable = table<DeliveryAttempt>(
  'delivery_attempts',
  {
    tenant: 'int4',
    delivery: 'text',
    id: 'text',
    at: 'timestamptz',
    duration_ms: 'int4',
    status: 'int2',
    error: 'text',
    response: 'bytea',
  },
  { key: ['tenant', 'delivery', 'id'] },
);

/** Goes to the one endpoint that is tried out, whatever it is subscribed to. */
export const testEvent = 'webhook_endpoint.test';
/** Goes to all that are subscribed to it, except the one that it tells of. */
const disabledEvent = 'webhook_endpoint.disabled';

/**
 * The deliveries of new events: one for each endpoint that is subscribed at the moment of the commit. Part of the statement that
 * writes the events, so that there is never an event whose deliveries are forgotten, or one for an endpoint that came later.
 */
export function deliveriesOf(events: string): string {
  return `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
    select e.tenant, ${idExpression('e.id', 'w.id')}, 1, e.id, w.id, 'pending', 0, now()
      from ${events} e join webhook_endpoints w on w.tenant = e.tenant
     where w.status = 'enabled' and ${goesTo('e', 'w')}`;
}

/** Whether an event goes to an endpoint by itself. The commit that disables one still sees it enabled. */
export function goesTo(event: string, endpoint: string): string {
  return `${event}.type <> '${testEvent}' and (${event}.type <> '${disabledEvent}' or ${event}.object_id <> ${endpoint}.id)
       and ${subscribes(`${endpoint}.enabled_events`, `${event}.type`)}`;
}

/** Whether a list of enabled events holds a type: by its name, by its family, or all. */
export function subscribes(list: string, type: string): string {
  return `${list} ?| array['*', ${type}, split_part(${type}, '.', 1) || '.*']`;
}

const timeChars = 8; // of an id: a delivery sorts by the time of its event
const pairChars = 14;

/** The same event and endpoint always have the same delivery: it cannot be made twice. */
export function idExpression(event: string, endpoint: string): string {
  return `'whd_' || substr(${event}, 5, ${timeChars}) || substr(md5(${event} || ${endpoint}), 1, ${pairChars})`;
}

export function deliveryId(event: Id<'evt'>, endpoint: EndpointId): DeliveryId {
  const pair = createHash('md5').update(event).update(endpoint).digest('hex').slice(0, pairChars);
  return `whd_${event.slice(4, 4 + timeChars)}${pair}`;
}
