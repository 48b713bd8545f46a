import type { Tenant } from '../../base/reads.ts';
import type { InquiryOutcome, ProcessorOutcome } from '../contract.ts';
import { type Entry, type Objection, referenceOf, type Standing } from './ledger.ts';
import type { News } from './news.ts';
import { firstOutcome, found, type Undecided } from './outcomes.ts';

/**
 * What the processor decides: what to add to its ledger, what will happen by itself because of it, and what to tell. Pure; the two
 * places differ only in who writes it down.
 */
export type Step<Told extends InquiryOutcome = ProcessorOutcome> = {
  entries: Entry[];
  news?: News[];
  outcome: Told | Undecided;
};

/** An entry about an authorization that is there already, or should be. */
export function followUp(
  verb: 'capture' | 'cancel' | 'refund' | 'contest' | 'concede',
  { tenant, attempt, now }: { tenant: Tenant; attempt: string; now: number },
  authorization: string,
  { opening, next }: Standing,
  amount: number,
  objection: Objection | undefined,
): Entry {
  return {
    tenant,
    attempt,
    verb,
    authorization_attempt: authorization,
    sequence: next,
    payment: opening?.payment ?? null,
    amount: Math.max(0, amount),
    currency: opening?.currency ?? null,
    captures: false,
    result: objection === undefined ? 'approved' : 'declined',
    code: objection === undefined ? null : 'processing_error',
    decline_code: objection ?? null,
    reference: referenceOf(attempt),
    last4: opening?.last4 ?? null,
    checks: null,
    scenario: null,
    verdict: null,
    at: new Date(now),
  };
}

export function told(entry: Entry, news: News[] = []): Step {
  return { entries: [entry], news, outcome: firstOutcome(entry) };
}

/** An attempt that was made before gets its first answer again. Only a challenge moves on, when the cardholder has decided. */
export function repeated(attempt: string, known: readonly Entry[]): Step | undefined {
  const entry = known.find((one) => one.attempt === attempt);
  if (entry === undefined) return undefined;
  const outcome = entry.result === 'challenged' ? found(entry, known) : firstOutcome(entry);
  return { entries: [], outcome };
}
