import type { Tenant } from '../../../base/reads.ts';
import type { AttemptId, ProcessorOutcome } from '../../../connectors/contract.ts';

export type HarborCharge = {
  tenant: Tenant;
  attempt: AttemptId;
  token: string;
  returnUrl: string | undefined;
  outcome: ProcessorOutcome;
};

/** Something that has happened at Harbor. It is sent to the gateway, and can be asked for. */
export type HarborEvent = { id: string } & (
  | { about: 'charge'; attempt: AttemptId }
  | { about: 'dispute'; attempt: AttemptId; dispute: string; amount: number; currency: string }
  | { about: 'verdict'; dispute: string; result: 'won' | 'lost' }
);

/** What Harbor knows. The gateways of one process share it, as they would share a processor. */
export const books = {
  charges: new Map<AttemptId, HarborCharge>(),
  /** Oldest first. */
  events: [] as HarborEvent[],
  /** How often Harbor was asked what an event is about. */
  asked: 0,
  isDown: false,
  /** Harbor answers once this is resolved. */
  answers: Promise.resolve(),
};

export function decide(attempt: AttemptId, outcome: ProcessorOutcome): void {
  books.charges.set(attempt, { ...books.charges.get(attempt)!, outcome });
}
