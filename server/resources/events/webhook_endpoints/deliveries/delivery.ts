import { createHash } from 'node:crypto';
import { type Table, table } from '../../../../base/commit/index.ts';
import type { Id } from '../../../../base/id.ts';
import type { Leasable } from '../../../../base/lease.ts';
import type { Tenant } from '../../../../base/reads.ts';
import type { EndpointEvent, EndpointId } from '../webhook_endpoint.ts';

export type DeliveryId = Id<'whd'>;

export const deliveryStates = ['pending', 'delivered', 'exhausted', 'canceled'] as const;

/** One event for one endpoint. It is due when the next attempt is to be made. */
export type Delivery = Leasable & {
  id: DeliveryId;
  event: Id<'evt'>;
  endpoint: EndpointId;
  state: (typeof deliveryStates)[number];
  /** Made since the event was last sent or resent. */
  attempts: number;
};

export const deliveriesTable: Table<Delivery> = table('deliveries', {
  int4: 'tenant version attempts',
  text: 'id event endpoint state',
  timestamptz: 'due_at lease_until',
  identity: [], // a resend may have written the same row
});

/** One attempt to deliver. */
export type DeliveryAttempt = {
  tenant: Tenant;
  delivery: DeliveryId;
  id: Id<'wha'>;
  at: Date;
  duration_ms: number;
  /** The HTTP status; null when the receiver did not answer. */
  status: number | null;
  error: string | null;
  response: Buffer | null;
};

export const deliveryAttemptsTable: Table<DeliveryAttempt> = table('delivery_attempts', {
  int4: 'tenant duration_ms',
  text: 'delivery id error',
  timestamptz: 'at',
  int2: 'status',
  bytea: 'response',
  key: ['tenant', 'delivery', 'id'],
});

/** Sent to the one endpoint that is being tested, whatever it is subscribed to. */
export const testEvent = 'webhook_endpoint.test' satisfies EndpointEvent;
/** Sent to all endpoints that are subscribed to it, except the one that was disabled. */
const disabledEvent = 'webhook_endpoint.disabled' satisfies EndpointEvent;

export function newDelivery(tenant: Tenant, now: number, event: Id<'evt'>, endpoint: EndpointId): Delivery {
  return {
    tenant,
    id: deliveryId(event, endpoint),
    version: 1,
    event,
    endpoint,
    state: 'pending',
    attempts: 0,
    due_at: new Date(now),
    lease_until: null,
  };
}

/**
 * The deliveries of new events: one for each endpoint that is enabled and subscribed at the moment of the commit. Part of the statement
 * that writes the events, so that no event is without its deliveries, and none is delivered to an endpoint that was created later.
 */
export function deliveriesOf(events: string): string {
  return `insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
    select e.tenant, ${idExpression('e.id', 'w.id')}, 1, e.id, w.id, 'pending', 0, now()
      from ${events} e join webhook_endpoints w on w.tenant = e.tenant
     where w.status = 'enabled' and ${goesTo('e', 'w')}`;
}

/** Whether an event is sent to an endpoint. The commit that disables an endpoint still sees it enabled. */
export function goesTo(event: string, endpoint: string): string {
  return `${event}.type <> '${testEvent}' and (${event}.type <> '${disabledEvent}' or ${event}.object_id <> ${endpoint}.id)
       and ${subscribes(`${endpoint}.enabled_events`, `${event}.type`)}`;
}

/** Whether a list of enabled events contains a type: by its name, by its family, or by `*`. */
export function subscribes(list: string, type: string): string {
  return `${list} ?| array['*', ${type}, split_part(${type}, '.', 1) || '.*']`;
}

const timeChars = 8; // of the event's id: deliveries sort by the time of their event
const pairChars = 14;

/** The id follows from event and endpoint, so that the same pair cannot have two deliveries. */
export function idExpression(event: string, endpoint: string): string {
  return `'whd_' || substr(${event}, 5, ${timeChars}) || substr(md5(${event} || ${endpoint}), 1, ${pairChars})`;
}

export function deliveryId(event: Id<'evt'>, endpoint: EndpointId): DeliveryId {
  const pair = createHash('md5').update(event).update(endpoint).digest('hex').slice(0, pairChars);
  return `whd_${event.slice(4, 4 + timeChars)}${pair}`;
}

/** The attempts of tenant $1 since the id that `since` names, for streams that follow them. */
export function attemptChanges(numberOf: (row: string) => string, since: string): string {
  return `select ${numberOf('a')} as xact, a.id, 'webhook_delivery.attempted' as type, a.delivery as subject, d.event,
                 d.endpoint as webhook_endpoint, a.status
            from delivery_attempts a join deliveries d on d.tenant = a.tenant and d.id = a.delivery
           where a.tenant = $1 and a.id >= ${since}`;
}
