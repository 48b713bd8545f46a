import { createdSeconds, type Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { eventsAbout } from '../../../outbox/event.ts';

export const ticketEvents = {
  'ticket.created': 'A ticket was created.',
  'ticket.escalated': 'A ticket was due and not closed.',
  'ticket.closed': 'A ticket was closed.',
} as const;

/** Something that a person has to answer in time. */
export type Ticket = {
  tenant: Tenant;
  id: Id<'tkt'>;
  version: number;
  title: string;
  state: 'open' | 'escalated' | 'closed';
  /** When it is escalated. */
  due_at: Date | null;
  lease_until: Date | null;
};

export function serializeTicket({ id, title, state }: Ticket): object {
  return { id, object: 'ticket', title, state, created: createdSeconds(id) };
}

export const ticketEvent = eventsAbout<keyof typeof ticketEvents, Ticket>(serializeTicket);
