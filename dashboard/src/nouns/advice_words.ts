import type { Payment } from '@tollgate/node';

/** What a processor advises after a decline. */
export const adviceWords: Readonly<Record<NonNullable<Payment['advice']>, string>> = {
  never: 'The processor advises not to try this payment method again',
  later: 'The processor advises to try later',
  another_method: 'The processor advises to use another payment method',
  another_processor: 'The processor advises to use another processor',
  authenticate: 'The processor advises that the customer authenticates',
  update_card: 'The processor advises to ask for other card details',
};
