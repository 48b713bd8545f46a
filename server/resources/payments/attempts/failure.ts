import type { ApiError } from '../../../base/errors.ts';
import type { DeclineCode, InquiryOutcome } from '../../../connectors/contract.ts';
import { apiError } from './errors.ts';

/** Why a payment or a setup has failed, as it is stored. */
export type Failure = {
  failure_code: string | null;
  failure_decline_code: string | null;
  failure_message: string | null;
};

/** What has failed, as the refusal names it. */
export type FailedObject = { payment: string } | { setup: string };

/** The message of `processing_error` for a payment; that of a setup says what could not be done instead. */
export function failure(
  failed: FailedObject,
  code: DeclineCode,
  declineCode: string | null,
  reason: string | undefined,
): Failure {
  const why =
    reason ?? (declineCode === null ? 'No reason was given.' : `Reason: ${declineCode.replaceAll('_', ' ')}.`);
  const isSetup = 'setup' in failed && code === 'processing_error';
  const message = isSetup
    ? `The payment method could not be set up. ${why}`
    : declined(failed, code, declineCode, why).message;
  return { failure_code: code, failure_decline_code: declineCode, failure_message: message };
}

/** The failure by an answer that did not approve. */
export function failureBy(failed: FailedObject, outcome: InquiryOutcome, notSent: string): Failure {
  if (outcome.kind === 'not_sent') return failure(failed, 'processing_error', 'not_sent', notSent);
  if (outcome.kind !== 'declined') return failure(failed, 'processing_error', null, undefined);
  return failure(failed, outcome.code, outcome.declineCode ?? null, outcome.message);
}

/** The refusal that answers for what has failed, the same every time. */
export function failureError(failed: FailedObject, stored: Failure): ApiError {
  const { failure_code, failure_decline_code, failure_message } = stored;
  const told = declined(failed, (failure_code ?? 'processing_error') as DeclineCode, failure_decline_code, '');
  return failure_message === null ? told : told.saying(failure_message);
}

function declined(failed: FailedObject, code: DeclineCode, declineCode: string | null, reason: string): ApiError {
  const decline = { ...(declineCode === null ? {} : { decline_code: declineCode }), ...failed };
  switch (code) {
    case 'card_declined':
      return apiError('card_declined', { reason, decline });
    case 'processing_error':
      return apiError('processing_error', { reason, decline });
    case 'expired_card':
      return apiError('expired_card', { decline });
    case 'incorrect_cvc':
      return apiError('incorrect_cvc', { decline });
  }
}
