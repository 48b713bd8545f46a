import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { declineErrors } from '../attempts/errors.ts';

export const setupErrors = {
  setup_not_cancelable: invalid(
    'This setup cannot be canceled: its status is {status}, and only requires_action can be.',
    'A setup that succeeded has charged nothing: detach the payment method to end the agreement. One that is processing settles by itself first.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...declineErrors, ...setupErrors });
