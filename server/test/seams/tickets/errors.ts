import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const ticketErrors = {
  ticket_closed: invalid('The ticket {ticket} is closed already.', 'A ticket is closed once.'),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...ticketErrors });
