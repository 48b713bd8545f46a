import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';

export const ticketEvents = {
  'ticket.created': 'A ticket was created.',
  'ticket.escalated': 'A ticket was due and not closed.',
  'ticket.closed': 'A ticket was closed.',
} as const;

export const ticketStates = ['open', 'escalated', 'closed'] as const;

/** Something that a person has to answer in time. */
export type Ticket = {
  tenant: Tenant;
  id: Id<'tkt'>;
  version: number;
  title: string;
  state: (typeof ticketStates)[number];
  /** When it is escalated. */
  due_at: Date | null;
  lease_until: Date | null;
};
