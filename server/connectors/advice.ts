export const declineCodes = ['card_declined', 'expired_card', 'incorrect_cvc', 'processing_error'] as const;
export type DeclineCode = (typeof declineCodes)[number];

/**
 * What to do about a decline. Routing tries the next processor on `another_processor` alone; dunning tries again on that and on `later`.
 * never: this method must not be tried again. later: the same may succeed another day; also every code that a connector does not know.
 * another_method: this one can never pay it. authenticate: the cardholder has to be there. update_card: its data are wrong or old.
 */
export const advices = [
  'never',
  'later',
  'another_method',
  'another_processor',
  'authenticate',
  'update_card',
] as const;
export type Advice = (typeof advices)[number];
