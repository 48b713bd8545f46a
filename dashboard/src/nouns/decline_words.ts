import type { Payment } from '@tollgate/node';
import { statusInWords } from '../kit/tones.ts';

export type Advice = NonNullable<Payment['advice']>;

/** Why a bank has declined, for somebody who talks to the customer. Banks do not want the customer to hear of loss, theft or fraud. */
const reasons: Readonly<Record<string, string>> = {
  authentication_failed: 'The customer did not confirm the payment with the bank',
  authentication_required: 'The bank wants the customer to confirm the payment',
  call_issuer: 'The bank declined and gave no reason',
  card_declined: 'The bank declined and gave no reason',
  card_not_supported: 'The card cannot be used for this kind of payment',
  card_velocity_exceeded: 'The card has reached its limit',
  do_not_honor: 'The bank declined and gave no reason',
  expired_card: 'The card has expired',
  fraudulent: 'The bank declined and gave no reason',
  generic_decline: 'The bank declined and gave no reason',
  incorrect_cvc: 'The security code of the card is wrong',
  incorrect_number: 'The card number is wrong',
  insufficient_funds: 'There was not enough money on the card',
  invalid_account: 'The card or its account no longer exists',
  invalid_cvc: 'The security code of the card is wrong',
  lost_card: 'The bank declined and gave no reason',
  pickup_card: 'The bank declined and gave no reason',
  processing_error: 'The processor could not process the payment',
  restricted_card: 'The card cannot be used for this payment',
  stolen_card: 'The bank declined and gave no reason',
  withdrawal_count_limit_exceeded: 'The card has reached its limit',
};

/** Without a full stop. */
export function declineReason(code: string): string {
  return reasons[code] ?? `Declined: ${statusInWords(code)}`;
}

/** What to do now, and what to tell the customer: a sentence. */
export const adviceForSupport: Readonly<Record<Advice, string>> = {
  never: 'Do not charge this card again. Ask the customer to pay with another one.',
  later: 'Tell the customer that the bank has declined, and to try again later or with another card.',
  another_method: 'Ask the customer to pay with another card.',
  another_processor: 'Nothing is wrong with the card. Charge it again: another processor may take it.',
  authenticate: 'Ask the customer to pay again and to confirm the payment with the bank.',
  update_card: 'Ask the customer to check the details of the card, or to use another one.',
};

/** Where the processor gave no advice. */
export const adviceUnknown = 'Tell the customer that the bank has declined, and ask for another card.';
