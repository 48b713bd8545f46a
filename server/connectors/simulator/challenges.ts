import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { randomBase62 } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Pool } from '../../base/sql.ts';
import type { AttemptId, ProcessorOutcome } from '../contract.ts';
import { type ChallengePage, challengePage, challengePath, type PageState } from './challenge_page.ts';
import { type Entry, standingOf } from './ledger.ts';
import { tracesOf } from './outcomes.ts';
import { decision } from './steps.ts';
import { asking, type Challenge, commitRows, findChallenge, knownEntries, triesMax } from './store.ts';

/** Where a challenge belongs: whose attempt it decides, and where the cardholder goes next. */
export type ChallengePlace = {
  tenant: Tenant;
  attempt: AttemptId;
  payment: string;
  returnUrl: string | undefined;
};

export type Challenges = {
  /** The page; undefined when there is no such challenge. */
  show(token: string): Promise<ChallengePage | undefined>;
  /** The first decision counts. Later ones, and one after a cancel, change nothing and lead to the same place. */
  decide(token: string, choice: 'approve' | 'refuse'): Promise<ChallengePlace | undefined>;
};

const tokenChars = 22; // 22 × 5.95 bits = 131 random bits: nobody guesses one
const tokenSyntax = new RegExp(`^[0-9A-Za-z]{${tokenChars}}$`);

/** A new page for an undecided authorization. The token is in the address only; what is kept is its hash. */
export function newChallenge(
  opening: Entry,
  returnUrl: string | undefined,
  options: { publicUrl: () => string; now: number },
): { challenge: Challenge; action: Extract<ProcessorOutcome, { kind: 'requires_action' }> } {
  const token = randomBase62(tokenChars);
  const { tenant, attempt, payment, amount, currency } = opening;
  const challenge = {
    tenant,
    attempt,
    hash: hashOf(token),
    payment: payment!,
    amount,
    currency: currency!,
    return_url: returnUrl ?? null,
    at: new Date(options.now),
  };
  const url = `${options.publicUrl()}${challengePath}${token}`;
  return { challenge, action: { kind: 'requires_action', url, ...tracesOf(opening) } };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function createChallenges({ pool, clock }: { pool: Pool; clock: Clock }): Challenges {
  const ask = asking(pool);
  const find = async (token: string) => (tokenSyntax.test(token) ? findChallenge(ask, hashOf(token)) : undefined);
  const about = ({ tenant, attempt }: Challenge) => knownEntries(ask, tenant, attempt, attempt);
  const settle = async (challenge: Challenge, choice: 'approve' | 'refuse') => {
    for (let tries = 0; tries < triesMax; tries++) {
      const entry = decision(standingOf(challenge.attempt, await about(challenge)), choice, clock.now());
      if (entry === undefined || (await commitRows(pool, { entries: [entry], challenges: [], news: [] }))) return;
    }
    assert(false, `the decision on ${challenge.attempt} lost ${triesMax} races`);
  };
  return {
    async show(token) {
      const challenge = await find(token);
      if (challenge === undefined) return undefined;
      const { attempt, amount, currency, return_url } = challenge;
      const state = pageState(attempt, await about(challenge));
      return challengePage(state, { amount, currency }, return_url ?? undefined);
    },
    async decide(token, choice) {
      const challenge = await find(token);
      if (challenge === undefined) return undefined;
      const { tenant, attempt, payment, return_url } = challenge;
      await settle(challenge, choice);
      return { tenant, attempt: attempt as AttemptId, payment, returnUrl: return_url ?? undefined };
    },
  };
}

function pageState(attempt: string, known: readonly Entry[]): PageState {
  const decided = known.find((entry) => entry.verb === 'decide');
  if (decided?.result === 'approved') return 'approved';
  if (decided !== undefined) return decided.decline_code === 'authentication_failed' ? 'refused' : 'declined';
  return standingOf(attempt, known).state === 'challenged' ? 'open' : 'canceled';
}
