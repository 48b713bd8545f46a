import { newId } from '../../../base/id.ts';
import { Type } from '../../../base/schema.ts';
import { type Descriptor, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { apiError } from './errors.ts';
import { serializeTicket, TicketOutput, ticketEvent } from './schema.ts';
import { addTicket, replaceTicket, ticketsTable } from './store.ts';
import type { Ticket } from './ticket.ts';

const ticketDescriptor: Descriptor<Ticket> = {
  resource: 'tickets',
  noun: 'ticket',
  prefix: 'tkt',
  table: ticketsTable,
  serialize: serializeTicket,
  output: TicketOutput,
};
const requireTicket = requireRow(ticketDescriptor);

const create = operation({
  name: 'tickets.create',
  summary: 'Open a ticket',
  route: 'POST /tickets',
  input: Parameters({ title: Type.String({ maxLength: 100 }), answer_within: Type.Integer({ minimum: 0 }) }),
  output: TicketOutput,
  async run({ tenant, now }, { title, answer_within }) {
    const due = new Date(now + answer_within * 1_000);
    const id = newId('tkt', now);
    const ticket: Ticket = { tenant, id, version: 1, title, state: 'open', due_at: due, lease_until: null };
    const events = [ticketEvent('ticket.created', ticket)];
    const result = serializeTicket(ticket);
    return { result, objectId: id, writes: [addTicket(ticket)], events, due: due.getTime() };
  },
});

const close = operation({
  name: 'tickets.close',
  summary: 'Close a ticket',
  route: 'POST /tickets/:id/close',
  output: TicketOutput,
  errors: apiError.codes('ticket_closed'),
  async run(context) {
    const before = await requireTicket(context);
    if (before.state === 'closed') throw apiError('ticket_closed', { param: 'id', ticket: before.id });
    const after: Ticket = { ...before, version: before.version + 1, state: 'closed', due_at: null };
    const events = [ticketEvent('ticket.closed', after)];
    return { result: serializeTicket(after), objectId: after.id, writes: [replaceTicket(after)], events };
  },
});

export const ticketOperations = [create, retrieveOperation(ticketDescriptor), close];
