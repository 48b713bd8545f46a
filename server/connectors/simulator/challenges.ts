import { hash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { base62, base62Value, randomBase62 } from '../../base/id.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Tenant } from '../../base/tenant.ts';
import type { AttemptId, ProcessorOutcome } from '../contract.ts';
import { challengePage, challengePath, type PageState } from './challenge_page.ts';
import { type Entry, standingOf } from './ledger.ts';
import { tracesOf } from './outcomes.ts';
import type { FramedPage } from './page_frame.ts';
import { payPath } from './pay_path.ts';
import { decision } from './steps.ts';
import { asking, type Challenge, findChallenge, findChallengeAnywhere, knownEntries, untilCommitted } from './store.ts';

export type Challenges = ReturnType<typeof createChallenges>;

const tokenChars = 22; // 22 × 5.95 bits = 131 random bits: too many to guess
const tenantChars = 6;
/** What is random, and the tenant, so that the page is looked for at one place. Earlier tokens end before it. */
const tokenSyntax = new RegExp(`^[0-9A-Za-z]{${tokenChars}}([0-9A-Za-z]{${tenantChars}})?$`);
const tenantMax = 2_147_483_647;

/** A new page for an undecided authorization or setup. Only the hash of the token is stored; the token itself is in the address alone. */
export function newChallenge(
  opening: Entry,
  returnUrl: string | undefined,
  { publicUrl, now }: { publicUrl: () => string; now: number },
): { challenge: Challenge; action: ProcessorOutcome } {
  const { tenant, account, attempt, payment, amount, currency } = opening;
  const token = randomBase62(tokenChars) + base62(tenant, tenantChars);
  const challenge = {
    tenant,
    account,
    attempt,
    hash: hashOf(token),
    payment: payment!,
    amount,
    currency,
    return_url: returnUrl ?? null,
    at: new Date(now),
  };
  const { page } = opening;
  const url = `${publicUrl()}${page === null ? challengePath : payPath}${token}`;
  const ends = page === null ? {} : { expiresAt: page.expiresAt };
  return { challenge, action: { kind: 'requires_action', url, ...ends, ...tracesOf(opening) } };
}

const hashOf = (token: string) => hash('sha256', token, 'buffer');

/** The challenge, or the page, that a token is for. */
export async function challengeUnder(durable: SqlAt, token: string): Promise<Challenge | undefined> {
  const [, named] = tokenSyntax.exec(token) ?? [undefined, 'none'];
  if (named === 'none') return undefined;
  if (named === undefined) return findChallengeAnywhere(durable, hashOf(token));
  const tenant = base62Value(named);
  return tenant > tenantMax ? undefined : findChallenge(asking(durable), tenant as Tenant, hashOf(token));
}

export function createChallenges({ durable, clock }: { durable: SqlAt; clock: Clock }) {
  const ask = asking(durable);
  const find = (token: string) => challengeUnder(durable, token);
  const about = ({ tenant, attempt }: Challenge) => knownEntries(ask, tenant, attempt, attempt);
  return {
    /** The page; undefined when there is no such challenge. */
    async show(token: string): Promise<FramedPage | undefined> {
      const challenge = await find(token);
      if (challenge === undefined) return undefined;
      const { attempt, amount, currency } = challenge;
      const state = pageState(attempt, await about(challenge));
      return challengePage(state, currency === null ? undefined : { amount, currency });
    },
    /** The first decision counts. Later ones, and one after a cancel, change nothing and return the same. */
    async decide(token: string, choice: 'approve' | 'refuse') {
      const challenge = await find(token);
      if (challenge === undefined) return undefined;
      const { tenant, account, attempt, payment, return_url } = challenge;
      const decided = await untilCommitted(durable, tenant, async () => {
        const entry = decision(standingOf(attempt, await about(challenge)), choice, clock.now());
        return { rows: { entries: entry === undefined ? [] : [entry], challenges: [], news: [] } };
      });
      assert(decided, `the decision on ${attempt} lost too many races`);
      const place = { payment, returnUrl: return_url ?? undefined };
      return { tenant, account: account ?? undefined, attempt: attempt as AttemptId, ...place };
    },
  };
}

function pageState(attempt: string, known: readonly Entry[]): PageState {
  const decided = known.find((entry) => entry.verb === 'decide');
  if (decided?.result === 'approved') return 'approved';
  if (decided !== undefined) return decided.decline_code === 'authentication_failed' ? 'refused' : 'declined';
  return standingOf(attempt, known).state === 'challenged' ? 'open' : 'canceled';
}
