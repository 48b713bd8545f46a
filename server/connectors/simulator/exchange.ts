import type { Connector, InquiryOutcome, Reply, Verb } from '../contract.ts';

export type Request = Parameters<Required<Connector>[Verb | 'cancelSetup' | 'find']>[0];

/** Request and response in a form fit to be stored: of the card only the last four digits, and no address of a challenge page. */
export function exchangeOf(verb: string, request: Request, last4: string | undefined, outcome: InquiryOutcome): object {
  const money = 'money' in request ? request.money : {};
  const about = verb === 'find' ? {} : objectOf(request);
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

/** The earlier attempt that a request is about. */
function objectOf(request: Request): object {
  if ('authorization' in request) return { authorization: request.authorization!.attempt };
  return 'setup' in request && typeof request.setup === 'object' ? { setup: request.setup.attempt } : {};
}

/** The error that Node throws for a broken connection. */
export function broken(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** No connection was made. Of an inquiry this says nothing about its attempt, so that it fails like any lost one. */
export function notSent<Outcome extends InquiryOutcome>({
  verb,
  request,
}: {
  verb: Verb | 'find';
  request: Request;
}): Reply<Outcome> {
  if (verb === 'find') throw broken('ECONNREFUSED', 'connect ECONNREFUSED');
  const outcome: InquiryOutcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };
  return {
    attempt: request.attempt,
    outcome: outcome as Outcome,
    exchange: exchangeOf(verb, request, undefined, outcome),
  };
}
