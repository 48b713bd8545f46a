import type { Reads } from '../../base/reads.ts';
import type { InquiryOutcome, Reply, Verb } from '../contract.ts';
import { newChallenge } from './challenges.ts';
import { exchangeOf, type Request } from './exchange.ts';
import type { Entry } from './ledger.ts';
import type { SimulatorStep } from './step.ts';
import {
  type AskRows,
  type Challenge,
  findAuthentication,
  knownEntries,
  type Rows,
  returnUrlOf,
  writesOf,
} from './store.ts';

/** A request to the processor, whatever its verb. */
export type Task<Told extends InquiryOutcome, Asked extends Request> = {
  verb: Verb | 'find';
  request: Asked;
  /** The authorization whose entries the decision needs; undefined when it needs none. */
  authorization: string | undefined;
  /** Whether the decision needs to know that the cardholder has approved before. */
  remembers?: boolean;
  step(request: Asked, known: readonly Entry[]): SimulatorStep<Told>;
};

export type Run = <Told extends InquiryOutcome, Asked extends Request>(task: Task<Told, Asked>) => Promise<Reply<Told>>;

/** Reads and decides. The reply holds once the rows are committed. */
export async function consider<Told extends InquiryOutcome, Asked extends Request>(
  { verb, request, authorization, remembers = false, step }: Task<Told, Asked>,
  ask: AskRows,
  publicUrl: () => string,
): Promise<{ reply: Reply<Told>; rows: Rows }> {
  const { tenant, attempt, now } = request;
  const known = authorization === undefined ? [] : await knownEntries(ask, tenant, attempt, authorization);
  const authenticated = remembers ? await findAuthentication(ask, tenant) : [];
  const { entries, news = [], outcome } = step(request, [...known, ...authenticated]);
  const done = (told: Told, challenges: Challenge[]) => {
    const last4 = (entries.at(-1) ?? known.find((entry) => entry.attempt === attempt))?.last4 ?? undefined;
    const reply = { attempt, outcome: told, exchange: exchangeOf(verb, request, last4, told) };
    return { reply, rows: { entries, challenges, news } };
  };
  if (outcome.kind !== 'undecided') return done(outcome, []);
  const returnUrl = 'returnUrl' in request ? request.returnUrl : await returnUrlOf(ask, tenant, attempt);
  const { challenge, action } = newChallenge(outcome.opening, returnUrl, { publicUrl, now });
  return done(action as Told, [challenge]);
}

/** In this process: the gateway commits the rows together with its own. */
export function localRun({ reads, publicUrl }: { reads: Reads; publicUrl: () => string }): Run {
  return async (task) => {
    const { reply, rows } = await consider(task, (text, values) => reads.rows(text, values), publicUrl);
    return { ...reply, writes: writesOf(rows) };
  };
}
