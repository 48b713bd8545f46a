import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';
import { paymentErrors } from '../payments/errors.ts';

export const disputeErrors = {
  payment_disputed: invalid(
    'This payment cannot be refunded: the status of its dispute {dispute} is {status}.',
    'While a dispute is open, the cardholder has the money back, and keeps it if the dispute is lost: a refund would pay it twice. Once the dispute is won, the payment can be refunded again.',
  ),
  dispute_closed: invalid(
    'This dispute is closed: it was {outcome}.',
    'A dispute that was won or lost is final: it takes no further evidence, and cannot be closed again.',
  ),
  evidence_past_due: invalid(
    'Evidence was taken until {due_by}; that has passed.',
    'Submit evidence before `evidence_details.due_by`. Only evidence that was submitted by then is considered; without any, the dispute is lost.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...paymentErrors, ...disputeErrors });
