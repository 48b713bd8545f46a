import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';
import { declineErrors } from '../attempts/errors.ts';
import { paymentMethodErrors } from '../payment_methods/errors.ts';
import { returnErrors } from '../returns/errors.ts';

export const paymentErrors = {
  payment_not_capturable: invalid(
    'This payment cannot be captured: its status is {status}, and only requires_capture can be.',
    'Only a payment made with `capture_method: manual` waits for a capture, and it can be captured once.',
  ),
  payment_not_cancelable: invalid(
    'This payment cannot be canceled: its status is {status}. requires_action and requires_capture can be.',
    'A payment that succeeded is refunded, not canceled. One that is processing settles by itself first.',
  ),
  capture_exceeds_authorized: invalid(
    'The amount to capture is larger than the authorized amount, which is {authorized}.',
    'Capture the authorized amount or less; what is left is released.',
  ),
  payment_not_received: invalid(
    'This payment has no receipt: its status is {status}, and no money was received.',
    'A receipt says what was received. Wait for `payment.succeeded`, or capture the payment.',
  ),
  ...returnErrors,
  ...declineErrors,
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...paymentMethodErrors, ...paymentErrors });
