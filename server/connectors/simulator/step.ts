import type { AttemptId, InquiryOutcome, ProcessorOutcome } from '../contract.ts';
import type { Request } from './exchange.ts';
import { type Entry, newEntry, type Objection, type Standing } from './ledger.ts';
import type { News } from './news.ts';
import { firstOutcome, found, type Undecided } from './outcomes.ts';

/** A decision of the processor: the entries and news to write, and the outcome to return. Local or remote, only the commit differs. */
export type SimulatorStep<Outcome extends InquiryOutcome = ProcessorOutcome> = {
  entries: Entry[];
  news?: News[];
  outcome: Outcome | Undecided;
};

/** An entry about an authorization that exists already, or should. */
export function followUp(
  verb: 'capture' | 'cancel' | 'refund' | 'contest' | 'concede',
  request: Request,
  { authorization, opening, next }: Standing,
  amount: number,
  objection: Objection | undefined,
): Entry {
  return newEntry(request, {
    verb,
    authorization_attempt: authorization,
    sequence: next,
    payment: opening?.payment ?? null,
    amount: Math.max(0, amount),
    currency: opening?.currency ?? null,
    result: objection === undefined ? 'approved' : 'declined',
    code: objection === undefined ? null : 'processing_error',
    decline_code: objection ?? null,
    last4: opening?.last4 ?? null,
  });
}

export function stepOf(entry: Entry, news: News[] = []): SimulatorStep {
  return { entries: [entry], news, outcome: firstOutcome(entry) };
}

/**
 * A verb that is idempotent: a repeated attempt gets its first answer again and adds nothing. Only a challenge has another answer once
 * the cardholder has decided.
 */
export function idempotent<Asked extends { attempt: AttemptId }>(
  decide: (request: Asked, known: readonly Entry[]) => SimulatorStep,
): typeof decide {
  return (request, known) => {
    const entry = known.find(({ attempt }) => attempt === request.attempt);
    if (entry === undefined) return decide(request, known);
    return { entries: [], outcome: entry.result === 'challenged' ? found(entry, known) : firstOutcome(entry) };
  };
}
