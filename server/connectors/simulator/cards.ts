import type { DeclineCode } from '../contract.ts';

/** The further effects of a card number or of evidence. Stored in the ledger for later steps. */
export type Scenario =
  | 'challenge_then_approved'
  | 'challenge_then_declined'
  | 'challenge_once'
  | 'dispute_fraudulent'
  | 'dispute_product_not_received'
  | 'refund_pending'
  | 'refund_bounces'
  | 'reply_lost'
  | 'winning_evidence'
  | 'losing_evidence';

export type Behaviour =
  | { result: 'approved'; scenario?: Scenario }
  | { result: 'declined'; code: DeclineCode; declineCode?: string }
  | { result: 'challenged'; scenario: Scenario }
  /** The request is lost: nothing happens, and the outcome stays unknown. */
  | { result: 'never_received' };

const approved: Behaviour = { result: 'approved' };

const declined = (code: DeclineCode, declineCode?: string): Behaviour => ({
  result: 'declined',
  code,
  ...(declineCode === undefined ? {} : { declineCode }),
});

/** The cardholder would have to authenticate, and is not there. */
export const authenticationRequired = declined('card_declined', 'authentication_required');
/** Its cardholder is asked, whatever the card. */
export const asksCardholder: Behaviour = { result: 'challenged', scenario: 'challenge_then_approved' };
/** The processor has no time for it now. */
export const busy = declined('processing_error', 'processor_busy');
export const unknownToken = declined('processing_error', 'token_unknown');

/** The test cards. Other numbers are approved. */
export const cards: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': approved,
  '5555555555554444': approved,
  '378282246310005': approved,
  '6011111111111117': approved,
  '3056930009020004': approved,
  '3566002020360505': approved,
  '6200000000000005': approved,
  '4000000000000002': declined('card_declined', 'generic_decline'),
  '4000000000009995': declined('card_declined', 'insufficient_funds'),
  '4000000000009987': declined('card_declined', 'lost_card'),
  '4000000000009979': declined('card_declined', 'stolen_card'),
  '4000000000006975': declined('card_declined', 'card_velocity_exceeded'),
  '4000000000000069': declined('expired_card'),
  '4000000000000127': declined('incorrect_cvc'),
  '4000000000000119': declined('processing_error'),
  '4000000000000341': declined('card_declined', 'generic_decline'),
  '4000000000003220': { result: 'challenged', scenario: 'challenge_then_approved' },
  '4000008400001629': { result: 'challenged', scenario: 'challenge_then_declined' },
  '4000002500003155': { result: 'challenged', scenario: 'challenge_once' },
  '4000000000000259': { result: 'approved', scenario: 'dispute_fraudulent' },
  '4000000000002685': { result: 'approved', scenario: 'dispute_product_not_received' },
  '4000000000007726': { result: 'approved', scenario: 'refund_pending' },
  '4000000000005126': { result: 'approved', scenario: 'refund_bounces' },
  '4000000000000408': { result: 'approved', scenario: 'reply_lost' },
  '4000000000000416': { result: 'never_received' },
};

/** Attaching this card succeeds, and so does its setup; every charge is declined. */
const chargeFails = '4000000000000341';

/** How a card behaves when it is set up: as when it is charged, but no money moves that could be disputed or refunded. */
export function setupBehaviourOf(number: string): Behaviour {
  if (number === chargeFails) return approved;
  const behaviour = behaviourOf(number);
  return behaviour.result === 'approved' && behaviour.scenario !== 'reply_lost' ? approved : behaviour;
}

export function behaviourOf(number: string): Behaviour {
  return Object.hasOwn(cards, number) ? cards[number]! : approved;
}
