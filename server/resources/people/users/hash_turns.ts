import { Unavailable } from '../../../base/errors.ts';
import { FairShare } from '../../../base/fair_share.ts';

/**
 * Hashing a password takes memory and a core: people who sign in must not take both from payments, so two hashes are made at a time. One
 * place is for people who are known; strangers, who can be as many as they like, have the other.
 */

/** For users at networks where they have signed in before, and for people who have shown a session or a link. By user. */
export const knownTurns = new FairShare<string>({
  places: 1,
  each: 1,
  refuse: () => new Unavailable('too many passwords are waiting to be hashed'),
});

const strangersWaitingMax = 60; // three seconds of hashing
const waitingPerNetworkMax = 10;

/**
 * For everybody else, by network. Users and emails that nobody has wait in the same queue: how long it takes, and whether it is full, says
 * nothing about an email.
 */
export function createStrangerTurns(refuse: () => Error): FairShare<string> {
  const waitingMax = { each: waitingPerNetworkMax, all: strangersWaitingMax };
  return new FairShare<string>({ places: 1, each: 1, waitingMax, refuse });
}
