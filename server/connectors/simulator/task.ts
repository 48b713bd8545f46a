import type { Reads } from '../../base/reads.ts';
import type { InquiryOutcome, ProcessorAccountId, Reply, Verb } from '../contract.ts';
import { newChallenge } from './challenges.ts';
import { exchangeOf, type Request } from './exchange.ts';
import type { Entry } from './ledger.ts';
import { objected } from './outcomes.ts';
import type { SimulatorStep } from './step.ts';
import {
  type AskRows,
  type Challenge,
  findApprovals,
  knownEntries,
  type Rows,
  returnUrlOf,
  writesOf,
} from './store.ts';

/** A request to the processor, whatever its verb. */
export type Task<Outcome extends InquiryOutcome, Asked extends Request> = {
  verb: Verb | 'find';
  request: Asked;
  /** The authorization whose entries the decision needs; undefined when it needs none. */
  authorization: string | undefined;
  /** The processor account that it is made through; null: none. */
  account: ProcessorAccountId | null;
  /** A card whose earlier approvals the decision needs. */
  card?: string | undefined;
  step(request: Asked, known: readonly Entry[]): SimulatorStep<Outcome>;
};

export type Run = <Outcome extends InquiryOutcome, Asked extends Request>(
  task: Task<Outcome, Asked>,
) => Promise<Reply<Outcome>>;

/** As `Run`, through the account that is meant anyway. */
export type Through = <Outcome extends InquiryOutcome, Asked extends Request>(
  task: Omit<Task<Outcome, Asked>, 'account'>,
) => Promise<Reply<Outcome>>;

/** Reads and decides. The reply is valid once the rows are committed. */
export async function consider<Outcome extends InquiryOutcome, Asked extends Request>(
  task: Task<Outcome, Asked>,
  ask: AskRows,
  publicUrl: () => string,
): Promise<{ reply: Reply<Outcome>; rows: Rows }> {
  const { verb, request, authorization, account, card, step } = task;
  const { tenant, attempt, now } = request;
  const known = authorization === undefined ? [] : await knownEntries(ask, tenant, attempt, authorization);
  const approvals = card === undefined ? [] : await findApprovals(ask, tenant, card);
  const isForeign = known.some((entry) => entry.account !== account);
  const {
    entries,
    news = [],
    outcome,
  } = isForeign ? elsewhere<Outcome>(verb) : step(request, [...known, ...approvals]);
  const done = (final: Outcome, challenges: Challenge[]) => {
    const last4 = (entries.at(-1) ?? known.find((entry) => entry.attempt === attempt))?.last4 ?? undefined;
    const reply = { attempt, outcome: final, exchange: exchangeOf(verb, request, last4, final) };
    const through = <Row extends object>(row: Row) => ({ ...row, account });
    return { reply, rows: { entries: entries.map(through), challenges, news: news.map(through) } };
  };
  if (outcome.kind !== 'undecided') return done(outcome, []);
  const returnUrl = 'returnUrl' in request ? request.returnUrl : await returnUrlOf(ask, tenant, attempt);
  const opening = { ...outcome.opening, account };
  const { challenge, action } = newChallenge(opening, returnUrl, { publicUrl, now });
  return done(action as Outcome, [challenge]);
}

/** The answer about something that was made through another account: this one knows nothing of it, and its books stay as they are. */
function elsewhere<Outcome extends InquiryOutcome>(verb: Verb | 'find'): SimulatorStep<Outcome> {
  const outcome =
    verb === 'find'
      ? { kind: 'not_found' }
      : objected(isAboutDispute(verb) ? 'unknown_dispute' : 'unknown_authorization');
  return { entries: [], outcome: outcome as Outcome };
}

function isAboutDispute(verb: Verb): boolean {
  return verb === 'contest' || verb === 'concede';
}

/** In this process: the gateway commits the rows together with its own. */
export function localRun({ reads, publicUrl }: { reads: Reads; publicUrl: () => string }): Run {
  return async (task) => {
    const { reply, rows } = await consider(task, (text, values) => reads.rows(text, values), publicUrl);
    return { ...reply, writes: writesOf(rows) };
  };
}
