import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';

export const returnErrors = {
  return_url_invalid: invalid(
    'return_url must be an https address{exception}{form}.',
    'The cardholder is sent there after an authentication, with `payment=<id>` or `setup=<id>` added to the query.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf(returnErrors);
