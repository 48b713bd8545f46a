import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const invitationErrors = {
  invitation_invalid: invalid(
    'This invitation cannot be used: {reason}.',
    'An invitation works once, for 7 days, for the email that it was made for, and as long as its sender is an owner. Ask an owner of the account for a new one.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...invitationErrors });
