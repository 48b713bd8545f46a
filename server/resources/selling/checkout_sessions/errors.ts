import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const checkoutSessionErrors = {
  checkout_session_not_open: invalid(
    'The checkout session is {status}{reason}.',
    'Only a session that is open can be paid, changed or expired. Retrieve it to see how it ended; for another try create another session.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...checkoutSessionErrors });

/** Refuses what the status of a session does not allow. */
export function notOpen({ status, expires_at }: { status: string; expires_at: Date }, why?: string) {
  const reason =
    why ?? (status === 'open' ? `, and was to be paid before ${expires_at.toISOString().slice(0, 19)} UTC` : '');
  return apiError('checkout_session_not_open', { param: 'id', status, reason });
}
