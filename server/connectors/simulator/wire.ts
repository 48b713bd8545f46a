import { createHmac, hash } from 'node:crypto';
import type { Secret } from '../../base/secret.ts';
import type { Instrument, TokenizedMethod } from '../contract.ts';
import { type Behaviour, behaviourOf, setupBehaviourOf, unknownToken } from './cards.ts';
import { cardUnder } from './tokens.ts';

/** The card as the simulator sees it. Only this file opens secrets, and only the last four digits of a number leave it. */
export type ReadCard = {
  behaviour: Behaviour;
  last4: string | null;
  /** The results for address and CVC, one character each: Y or U, then M, N or U. */
  checks: string;
  /** Tells one card from another; null where that makes no difference. */
  card: string | null;
};

export function readCard(instrument: Instrument): ReadCard {
  return read(instrument, behaviourOf);
}

/** The card as it behaves when it is set up. */
export function readCardToSetUp(instrument: Instrument): ReadCard {
  return read(instrument, setupBehaviourOf);
}

function read(instrument: Instrument, behaves: (number: string) => Behaviour): ReadCard {
  const number = numberOf(instrument);
  const behaviour = number === undefined ? unknownToken : behaves(number);
  const address = Object.values(instrument.holder.address ?? {}).some((line) => line !== '') ? 'Y' : 'U';
  return {
    behaviour,
    last4: number?.slice(-4) ?? null,
    checks: address + cvcResult(instrument, behaviour),
    card: isChallengedOnce(behaviour) ? nameOf(instrument) : null,
  };
}

/** The card under a token, without its number. */
export function tokenizedCard(token: Secret): TokenizedMethod | undefined {
  return cardUnder(token.open())?.kept;
}

/** HMAC-SHA256 in hexadecimal digits. */
export function signatureOf(secret: Secret, text: Buffer): string {
  return createHmac('sha256', secret.open()).update(text).digest('hex');
}

function numberOf(instrument: Instrument): string | undefined {
  if (instrument.kind === 'card') return instrument.number.open();
  return instrument.kind === 'token' ? cardUnder(instrument.token.open())?.number : undefined;
}

function cvcResult(instrument: Instrument, behaviour: Behaviour): string {
  if (behaviour.result === 'declined' && behaviour.code === 'incorrect_cvc') return 'N';
  return instrument.kind === 'card' && instrument.cvc !== undefined ? 'M' : 'U';
}

function isChallengedOnce(behaviour: Behaviour): boolean {
  return behaviour.result === 'challenged' && behaviour.scenario === 'challenge_once';
}

/** All such cards have the same number. They differ by expiry and cardholder, or by the token and its customer. */
function nameOf(instrument: Instrument): string {
  return hash('sha256', JSON.stringify(factsOf(instrument)), 'hex');
}

function factsOf(instrument: Instrument): unknown[] {
  const { holder } = instrument;
  if (instrument.kind === 'card') return [instrument.expMonth, instrument.expYear, holder.name, holder.email];
  return instrument.kind === 'token' ? [instrument.token.open(), instrument.customer] : [];
}
