import { apiErrorsOf, type ErrorRows, invalid } from '../../../../base/errors.ts';
import { sharedErrors } from '../../../../operations/errors.ts';

export const cardErrors = {
  invalid_number: invalid(
    'The card number is not valid. Check it for a typing error.',
    'A card number has 12 to 19 digits, of which the last confirms the others. Spaces and dashes are ignored.',
  ),
  invalid_expiry_month: invalid(
    'The expiry month must be from 1 to 12, and the card must not have expired before {now}.',
    'The month is outside of 1 to 12, or has passed in the year that was sent.',
  ),
  invalid_expiry_year: invalid(
    'The expiry year must be four digits, from {now} to {max}.',
    'The year has passed, has too few digits, or is so far ahead that it can only be a typing error.',
  ),
  invalid_cvc: invalid(
    'The security code must have {digits} digits.',
    'American Express prints four digits on the front, all others three on the back. Leave `card.cvc` out when there is none.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...cardErrors });
