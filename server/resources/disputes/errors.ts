import { type ErrorRows, invalid, refusalsOf } from '../../base/errors.ts';
import { sharedErrors } from '../errors.ts';
import { paymentErrors } from '../payments/errors.ts';

export const disputeErrors = {
  payment_disputed: invalid(
    'This payment cannot be refunded: the status of its dispute {dispute} is {status}.',
    'While a dispute is open the cardholder has the money back, and keeps it when the dispute is lost: a refund would give it twice. Once the dispute is won, the payment can be refunded again.',
  ),
  dispute_closed: invalid(
    'This dispute is closed: it was {outcome}.',
    'A dispute that was won or lost stays so. Nothing can be brought forward in it any more, and it cannot be given up.',
  ),
  evidence_past_due: invalid(
    'Evidence was taken until {due_by}; that has passed.',
    'Send evidence before the moment in `evidence_details.due_by`. What was submitted by then is judged; without any, the dispute is lost.',
  ),
} as const satisfies ErrorRows;

export const refusal = refusalsOf({ ...sharedErrors, ...paymentErrors, ...disputeErrors });
