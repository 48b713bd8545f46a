import type { InquiryOutcome, Reply } from '../contract.ts';
import { exchangeOf, type Request } from './exchange.ts';
import type { Task } from './task.ts';

/** The error that Node throws for a broken connection. */
export function broken(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** No connection was made. Of an inquiry this says nothing about its attempt, so that it fails like any lost one. */
export function notSent<Told extends InquiryOutcome>({
  verb,
  request,
}: Pick<Task<Told, Request>, 'verb' | 'request'>): Reply<Told> {
  if (verb === 'find') throw broken('ECONNREFUSED', 'connect ECONNREFUSED');
  const outcome: InquiryOutcome = { kind: 'not_sent', reason: 'ECONNREFUSED' };
  return {
    attempt: request.attempt,
    outcome: outcome as Told,
    exchange: exchangeOf(verb, request, undefined, outcome),
  };
}
