import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';

export const processorAccountErrors = {
  processor_account_in_use: invalid(
    'This processor account cannot be deleted, because there are {uses} of it. Disable it instead: it then takes no new payments.',
    'Captures, refunds, disputes and notices go to the account that took the payment, so an account that was ever used stays.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf(processorAccountErrors);
