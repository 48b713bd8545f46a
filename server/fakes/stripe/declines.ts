/** Why a card is declined, in Stripe's words. */
export type FakeDecline = { code: string; decline_code: string; message: string };

/** Decline codes that are also error codes. All others come with the code `card_declined`. */
const ownCodes: Readonly<Record<string, { code?: string; message: string }>> = {
  authentication_required: {
    code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  expired_card: { code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  incorrect_number: { code: 'incorrect_number', message: 'Your card number is incorrect.' },
  incorrect_zip: { code: 'incorrect_zip', message: "Your card's zip code failed validation." },
  invalid_cvc: { code: 'invalid_cvc', message: "Your card's security code is invalid." },
  invalid_expiry_month: { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." },
  invalid_expiry_year: { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." },
  processing_error: {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  insufficient_funds: { message: 'Your card has insufficient funds.' },
  card_not_supported: { message: 'Your card is not supported.' },
  card_velocity_exceeded: {
    message: 'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
  },
  currency_not_supported: { message: 'Your card does not support this currency.' },
};

/** Any decline code, those that no test card has included. */
export function declineOf(decline_code: string): FakeDecline {
  const own = ownCodes[decline_code];
  return { code: own?.code ?? 'card_declined', decline_code, message: own?.message ?? 'Your card was declined.' };
}
