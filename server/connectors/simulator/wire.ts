import type { CardDetails, Instrument } from '../contract.ts';
import { type Behaviour, behaviourOf } from './cards.ts';

/** What the simulator sees of a card. Only this file opens the number, and only the last four digits leave it. */
export type ReadCard = {
  behaviour: Behaviour;
  last4: string;
  /** The results for address and CVC, one character each: Y or U, then M, N or U. */
  checks: string;
};

export function readCard(card: Instrument): ReadCard {
  if (card.kind === 'token') throw new Error('the simulator keeps no cards');
  const number = card.number.open();
  const behaviour = behaviourOf(number);
  const address = Object.values(card.holder.address ?? {}).some((line) => line !== '') ? 'Y' : 'U';
  return { behaviour, last4: number.slice(-4), checks: address + cvcResult(card, behaviour) };
}

function cvcResult(card: CardDetails, behaviour: Behaviour): string {
  if (behaviour.result === 'declined' && behaviour.code === 'incorrect_cvc') return 'N';
  return card.cvc === undefined ? 'U' : 'M';
}
