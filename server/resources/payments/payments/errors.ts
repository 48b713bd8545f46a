import { apiErrorsOf, declined, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';
import { paymentMethodErrors } from '../payment_methods/errors.ts';

export const paymentErrors = {
  customer_mismatch: invalid(
    'The payment method belongs to another customer. Send that customer, or none.',
    'A method that is attached to a customer can be charged for this customer, or without naming any.',
  ),
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
  return_url_invalid: invalid(
    'return_url must be an https address{exception}{form}.',
    'The cardholder is sent there after an authentication, with `payment=<id>` added to the query.',
  ),
  card_declined: declined(
    'The card was declined. {reason}',
    '`decline_code` gives the reason, if the bank names one: `generic_decline`, `insufficient_funds`, `lost_card`, `stolen_card`, `card_velocity_exceeded`, `authentication_failed`. Ask the customer for another card, or to call their bank.',
  ),
  expired_card: declined(
    'The card has expired.',
    'Ask the customer for a card that is still valid, or update the expiry of this one.',
  ),
  incorrect_cvc: declined(
    'The security code is incorrect.',
    'Ask the customer to type it again, and make a new payment method.',
  ),
  processing_error: declined(
    'The payment could not be processed. {reason}',
    'The processor, or the way to it, failed. This request took no money. Try again, with a new Idempotency-Key.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...paymentMethodErrors, ...paymentErrors });

/** Of a processor that is asked about a payment. */
export const declineCodes = apiError.codes('card_declined', 'expired_card', 'incorrect_cvc', 'processing_error');
