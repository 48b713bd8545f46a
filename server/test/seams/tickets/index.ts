import { newId } from '../../../base/id.ts';
import { dueRows } from '../../../operations/job.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { eventWrite } from '../../../outbox/event.ts';
import { ticketErrors } from './errors.ts';
import { ticketOperations } from './operations.ts';
import { TicketOutput, ticketEvent } from './schema.ts';
import { addTicket, replaceTicket, sweepClosed, ticketsTable } from './store.ts';
import { type Ticket, ticketEvents } from './ticket.ts';

export const tickets = resource({
  name: 'tickets',
  scopes: ['tickets'],
  errors: ticketErrors,
  events: eventsOf(ticketEvents, TicketOutput),
  operations: ticketOperations,
  jobs: (services) => [dueRows(services, 'tickets', ticketsTable, (ticket) => escalate(services, ticket))],
  maintenance: [{ name: 'closed tickets', home: 'tenant', run: sweepClosed }],
  /** Every dispute is a ticket. */
  notices: (services) => ({
    async dispute_opened({ tenant, dispute }) {
      const now = services.clock.now();
      const title = `dispute ${dispute}`;
      const ticket: Ticket = {
        tenant,
        id: newId('tkt', now),
        version: 1,
        title,
        state: 'open',
        due_at: null,
        lease_until: null,
      };
      const writes = [addTicket(ticket), eventWrite(tenant, null, now, ticketEvent('ticket.created', ticket))];
      await services.committer.commit({ tenant, writes });
    },
  }),
});

/** The ticket was not answered in time. */
async function escalate({ committer, clock }: Services, before: Ticket): Promise<void> {
  const after: Ticket = {
    ...before,
    version: before.version + 1,
    state: 'escalated',
    due_at: null,
    lease_until: null,
  };
  const event = eventWrite(after.tenant, null, clock.now(), ticketEvent('ticket.escalated', after));
  await committer.commit({ tenant: after.tenant, writes: [replaceTicket(after), event] });
}
