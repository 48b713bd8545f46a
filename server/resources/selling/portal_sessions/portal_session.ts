import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';

export type PortalSessionId = Id<'ps'>;

/** Where a link leads to within the portal. */
export const portalFlows = [
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
  'invoice_pay',
] as const;
export type PortalFlow = (typeof portalFlows)[number];

/** A link to the portal, and the session that it begins. */
export type PortalSession = {
  tenant: Tenant;
  id: PortalSessionId;
  version: number;
  customer: CustomerId;
  return_url: string | null;
  flow: PortalFlow | null;
  /** The subscription or the invoice of the flow. */
  subject: string | null;
  /** Until when the link can be used; null: it was begun by a code. */
  link_ends: Date | null;
  /** Of the cookie; null: it has not begun. */
  hash: Buffer | null;
  begun_at: Date | null;
  ended_at: Date | null;
};

const minuteMs = 60_000;
export const linkMs = 5 * minuteMs;
export const idleMs = 60 * minuteMs;
export const sessionMs = 8 * 60 * minuteMs;

/** Whether the link can be used at this moment. */
export function canBegin({ link_ends, hash }: PortalSession, now: number): boolean {
  return hash === null && link_ends !== null && link_ends.getTime() > now;
}

type Used = Pick<PortalSession, 'begun_at' | 'ended_at'> & { last_used: Date | null };

/** Whether somebody is signed in by it at this moment. */
export function isOpen({ begun_at, last_used, ended_at }: Used, now: number): boolean {
  if (begun_at === null || ended_at !== null) return false;
  return begun_at.getTime() + sessionMs > now && (last_used ?? begun_at).getTime() + idleMs > now;
}

/** A session without a link. */
export function begunByCode({
  now,
  ...facts
}: Pick<PortalSession, 'tenant' | 'id' | 'customer'> & { hash: Buffer; now: number }): PortalSession {
  const linkless = { return_url: null, flow: null, subject: null, link_ends: null } as const;
  return { ...facts, ...linkless, version: 1, begun_at: new Date(now), ended_at: null };
}

export function begun(session: PortalSession, hash: Buffer, now: number): PortalSession {
  return { ...session, version: session.version + 1, hash, begun_at: new Date(now) };
}

export function ended(session: PortalSession, now: number): PortalSession {
  return { ...session, version: session.version + 1, ended_at: new Date(now) };
}
