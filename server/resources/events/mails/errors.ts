import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const mailErrors = {
  mail_erased: invalid(
    'What this mail has said was erased.',
    'When a customer is deleted, or the details of a checkout session are erased, what was written to it is erased too.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...mailErrors });
