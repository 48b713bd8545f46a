import type { InquiryOutcome, Reply, Verb } from '../contract.ts';
import { newChallenge } from './challenges.ts';
import { exchangeOf, type Request } from './exchange.ts';
import type { Entry } from './ledger.ts';
import type { Step } from './step.ts';
import { type Ask, type Challenge, knownEntries, type Rows, returnUrlOf } from './store.ts';

/** Something that the processor is asked for, whichever verb it is. */
export type Task<Told extends InquiryOutcome> = {
  verb: Verb | 'find';
  request: Request;
  /** The authorization whose entries must be known for the decision; undefined when none are. */
  authorization: string | undefined;
  decide(known: readonly Entry[]): Step<Told>;
};

/** How a task is done depends on the place. */
export type Run = <Told extends InquiryOutcome>(task: Task<Told>) => Promise<Reply<Told>>;

/** A reply, and the rows that make it true. */
export type Done<Told extends InquiryOutcome> = { reply: Reply<Told>; rows: Rows };

/** Reads, decides, and writes nothing. */
export async function consider<Told extends InquiryOutcome>(
  { verb, request, authorization, decide }: Task<Told>,
  ask: Ask,
  publicUrl: () => string,
): Promise<Done<Told>> {
  const { tenant, attempt, now } = request;
  const known = authorization === undefined ? [] : await knownEntries(ask, tenant, attempt, authorization);
  const { entries, news = [], outcome } = decide(known);
  const done = (told: Told, challenges: Challenge[]): Done<Told> => {
    const last4 = (entries.at(-1) ?? known.find((entry) => entry.attempt === attempt))?.last4 ?? undefined;
    const reply = { attempt, outcome: told, exchange: exchangeOf(verb, request, last4, told) };
    return { reply, rows: { entries, challenges, news } };
  };
  if (outcome.kind !== 'undecided') return done(outcome, []);
  const returnUrl = 'returnUrl' in request ? request.returnUrl : await returnUrlOf(ask, tenant, attempt);
  const { challenge, action } = newChallenge(outcome.opening, returnUrl, { publicUrl, now });
  return done(action as Told, [challenge]);
}
