import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  ConcedeRequest,
  ContestRequest,
  FindRequest,
  InquiryOutcome,
  RefundRequest,
} from '../contract.ts';

export type Request =
  | AuthorizeRequest
  | CaptureRequest
  | CancelRequest
  | RefundRequest
  | ContestRequest
  | ConcedeRequest
  | FindRequest;

/** What went to and fro, fit to be kept: of the card its last four digits, and not the address at which a cardholder decides. */
export function exchangeOf(verb: string, request: Request, last4: string | undefined, outcome: InquiryOutcome): object {
  const money = 'money' in request ? request.money : {};
  const about = 'authorization' in request ? { authorization: request.authorization.attempt } : {};
  const dispute = 'dispute' in request ? { dispute: request.dispute } : {};
  // Evidence may tell of people, and the gateway keeps it where it belongs: here it is enough which fields there were.
  const evidence = 'evidence' in request ? { evidence: Object.keys(request.evidence) } : {};
  const card = last4 === undefined ? {} : { card: `…${last4}` };
  return {
    request: { verb, attempt: request.attempt, ...about, ...dispute, ...evidence, ...money, ...card },
    response: outcome.kind === 'unknown' ? null : shown(outcome),
  };
}

function shown(outcome: InquiryOutcome): object {
  return outcome.kind === 'requires_action' ? { ...outcome, url: '[secret]' } : outcome;
}
