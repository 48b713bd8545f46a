import { apiErrorsOf, declined, type ErrorRows } from '../../../base/errors.ts';

/** The refusals that answer for a declined payment, or a declined setup. */
export const declineErrors = {
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

export const apiError = apiErrorsOf(declineErrors);

/** Of a processor that is asked about a payment or a setup. */
export const declineCodes = apiError.codes('card_declined', 'expired_card', 'incorrect_cvc', 'processing_error');
