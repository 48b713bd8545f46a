import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const userErrors = {
  last_owner: invalid(
    'This is the last owner of the account. Make somebody else an owner first.',
    'An account without an owner could not be managed by anybody. The rule also applies to owners who give up their own role.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...userErrors });
