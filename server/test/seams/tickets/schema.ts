import { Created, OneOf, Shown, Text } from '../../../operations/schemas.ts';
import { serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { type Ticket, type ticketEvents, ticketStates } from './ticket.ts';

export const TicketOutput = Shown('Ticket', 'ticket', 'Something that a person has to answer in time.', {
  title: Text('What it is about.'),
  state: OneOf(ticketStates, 'Whether it waits for an answer.'),
  created: Created,
});

export const serializeTicket = serializer<Ticket, typeof TicketOutput>(TicketOutput, { created: timeInId });

export const ticketEvent = eventsAbout<keyof typeof ticketEvents, Ticket>(serializeTicket);
