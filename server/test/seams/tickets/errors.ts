import { type ErrorRows, invalid, refusalsOf } from '../../../base/errors.ts';
import { sharedErrors } from '../../../resources/errors.ts';

export const ticketErrors = {
  ticket_closed: {
    ...invalid,
    message: 'The ticket {ticket} is closed already.',
    help: 'A ticket is closed once.',
  },
} as const satisfies ErrorRows;

export const refusal = refusalsOf({ ...sharedErrors, ...ticketErrors });
