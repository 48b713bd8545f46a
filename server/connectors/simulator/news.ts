import type { Tenant } from '../../base/reads.ts';
import type { ProcessorAccountId } from '../contract.ts';
import type { Entry } from './ledger.ts';

/** Something that will happen at the processor without a request. */
export type News = {
  tenant: Tenant;
  /** The processor account that reports it; null: none. */
  account: ProcessorAccountId | null;
  /** Derived from its cause, so that nothing happens twice. The notice has the same id. */
  id: string;
  kind: /** The cardholder wants the money back. */
    | 'dispute'
    /** The time for evidence is over. */
    | 'deadline'
    /** The evidence has been judged. */
    | 'verdict'
    /** A refund comes back from the bank. */
    | 'bounce'
    /** A pending refund has arrived. */
    | 'settle'
    /** A capture, refund or cancel without the gateway. */
    | 'elsewhere';
  /** The cause: an authorization, a refund, or evidence. */
  attempt: string;
  authorization_attempt: string;
  at: Date;
};

const settleMs = 2_000;

export function newsOf(kind: News['kind'], entry: Entry, at: Date): News {
  const { tenant, account, attempt, authorization_attempt } = entry;
  return { tenant, account, id: `${attempt}/${kind}`, kind, attempt, authorization_attempt, at };
}

/** Some test cards dispute a charge. `opening` is the authorization, `at` the time of the charge. */
export function newsOfCharge(opening: Entry, at: Date): News[] {
  const { scenario } = opening;
  const isDisputed = scenario === 'dispute_fraudulent' || scenario === 'dispute_product_not_received';
  return isDisputed ? [newsOf('dispute', opening, at)] : [];
}

export function newsOfRefund(entry: Entry): News[] {
  if (entry.scenario === 'refund_bounces') return [newsOf('bounce', entry, entry.at)];
  if (entry.scenario === 'refund_pending') return [newsOf('settle', entry, new Date(entry.at.getTime() + settleMs))];
  return [];
}

export function newsOfEvidence(entry: Entry): News[] {
  return entry.scenario === null ? [] : [newsOf('verdict', entry, entry.at)];
}
