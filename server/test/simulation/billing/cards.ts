import type { CardModel, FailureModel } from './state.ts';

type Behaviour = { number: string; failure?: FailureModel; isTriedAgain?: boolean };

/** Test cards, and what a charge without the cardholder brings: `docs/testing.md`. */
export const billingCards: Record<CardModel, Behaviour> = {
  pays: { number: '4242424242424242' },
  short_of_funds: {
    number: '4000000000009995',
    failure: { code: 'card_declined', decline_code: 'insufficient_funds' },
    isTriedAgain: true,
  },
  busy: { number: '4000000000000119', failure: { code: 'processing_error' }, isTriedAgain: true },
  refuses: {
    number: '4000000000000341',
    failure: { code: 'card_declined', decline_code: 'generic_decline' },
    isTriedAgain: true,
  },
  lost: { number: '4000000000009987', failure: { code: 'card_declined', decline_code: 'lost_card' } },
  expired: { number: '4000000000000069', failure: { code: 'expired_card' } },
  wants_cardholder: {
    number: '4000000000003220',
    failure: { code: 'card_declined', decline_code: 'authentication_required' },
  },
};
export const cardKinds = Object.keys(billingCards) as CardModel[];
