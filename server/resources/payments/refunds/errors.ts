import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const refundErrors = {
  payment_not_refundable: invalid(
    'This payment cannot be refunded: its status is {status}, and only one that succeeded can be.',
    'A payment that has not succeeded took no money. Cancel one that waits for its capture or its cardholder.',
  ),
  refund_exceeds_payment: invalid(
    'The refund is larger than what is left of the payment, which is {left}.',
    'What is left is the amount received minus all refunds that are pending or succeeded. The amount of a failed refund can be refunded again.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...refundErrors });
