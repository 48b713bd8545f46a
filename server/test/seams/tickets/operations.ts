import { Type } from 'typebox';
import { isId, newId } from '../../../base/id.ts';
import { type Context, operation } from '../../../resources/operation.ts';
import { Parameters } from '../../../resources/shapes.ts';
import { refusal } from './errors.ts';
import { addTicket, findTicket, replaceTicket } from './store.ts';
import { presentTicket, type Ticket, ticketEvent } from './ticket.ts';

const TicketOutput = Type.Object({ id: Type.String(), object: Type.Literal('ticket'), title: Type.String() });

async function requireTicket({ reads, tenant, id }: Context): Promise<Ticket> {
  const ticket = isId('tkt', id) ? await findTicket(reads, tenant, id) : undefined;
  if (ticket === undefined) throw refusal('resource_missing', { param: 'id', resource: 'ticket' });
  return ticket;
}

const create = operation({
  name: 'tickets.create',
  summary: 'Open a ticket',
  method: 'POST',
  route: '/tickets',
  scope: 'tickets:write',
  input: Parameters({ title: Type.String({ maxLength: 100 }), answer_within: Type.Integer({ minimum: 0 }) }),
  nulls: 'absent',
  output: TicketOutput,
  async run({ tenant, now }, { title, answer_within }) {
    const due = new Date(now + answer_within * 1_000);
    const id = newId('tkt', now);
    const ticket: Ticket = { tenant, id, version: 1, title, state: 'open', due_at: due, lease_until: null };
    const events = [ticketEvent('ticket.created', ticket)];
    const result = presentTicket(ticket);
    return { result, objectId: id, writes: [addTicket(ticket)], events, due: due.getTime() };
  },
});

const retrieve = operation({
  name: 'tickets.retrieve',
  summary: 'Retrieve a ticket',
  method: 'GET',
  route: '/tickets/:id',
  scope: 'tickets:read',
  input: Parameters({}),
  nulls: 'absent',
  output: TicketOutput,
  async run(context) {
    const ticket = await requireTicket(context);
    return { result: presentTicket(ticket), objectId: ticket.id };
  },
});

const close = operation({
  name: 'tickets.close',
  summary: 'Close a ticket',
  method: 'POST',
  route: '/tickets/:id/close',
  scope: 'tickets:write',
  input: Parameters({}),
  nulls: 'absent',
  output: TicketOutput,
  async run(context) {
    const before = await requireTicket(context);
    if (before.state === 'closed') throw refusal('ticket_closed', { param: 'id', ticket: before.id });
    const after: Ticket = { ...before, version: before.version + 1, state: 'closed', due_at: null };
    const events = [ticketEvent('ticket.closed', after)];
    return { result: presentTicket(after), objectId: after.id, writes: [replaceTicket(after)], events };
  },
});

export const ticketOperations = [create, retrieve, close];
