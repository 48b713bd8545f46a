import type { Connector, InquiryOutcome, Verb } from '../contract.ts';

export type Request = Parameters<Required<Connector>[Verb | 'find']>[0];

/** Request and response in a form fit to be stored: of the card only the last four digits, and no address of a challenge page. */
export function exchangeOf(verb: string, request: Request, last4: string | undefined, outcome: InquiryOutcome): object {
  const money = 'money' in request ? request.money : {};
  const about = 'authorization' in request && verb !== 'find' ? { authorization: request.authorization!.attempt } : {};
  const dispute = 'dispute' in request ? { dispute: request.dispute } : {};
  // Evidence may hold personal data, and the gateway stores it with the dispute: here the names of its fields are enough.
  const evidence = 'evidence' in request ? { evidence: Object.keys(request.evidence) } : {};
  const card = last4 === undefined ? {} : { card: `…${last4}` };
  const response = outcome.kind === 'requires_action' ? { ...outcome, url: '[secret]' } : outcome;
  return {
    request: { verb, attempt: request.attempt, ...about, ...dispute, ...evidence, ...money, ...card },
    response: outcome.kind === 'unknown' || outcome.kind === 'not_sent' ? null : response,
  };
}
