import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const paymentMethodErrors = {
  payment_method_not_usable: invalid(
    'This payment method cannot be used: {reason}.',
    'A detached method can no longer be charged or attached: its number or token is destroyed. A token that its processor keeps for one use serves one payment or one setup, unless it is attached to a customer before. Make a new method.',
  ),
  customer_mismatch: invalid(
    'The payment method belongs to another customer. Send that customer, or none.',
    'A method that is attached to a customer can be charged for this customer, or without naming any.',
  ),
  payment_method_limit_reached: invalid(
    'A customer can have {max} payment methods. Detach one first.',
    'Only attached payment methods count. Detach those that the customer no longer uses, or give each of your users a customer of their own.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...paymentMethodErrors });

/** Of a request that names a payment method to charge. */
export const methodCodes = apiError.codes('resource_missing', 'payment_method_not_usable');
