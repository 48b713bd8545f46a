import { apiErrorsOf, type ErrorRows, invalid } from '../../../base/errors.ts';
import { sharedErrors } from '../../../operations/errors.ts';

export const subscriptionErrors = {
  subscription_not_updatable: invalid(
    'This subscription cannot be changed like this: {reason}.',
    'The status of a subscription, and an open invoice of its current period, limit what can be changed. The message says what stands in the way. With `payment_behavior` `error_if_incomplete`, also a subscription that has changed while its payment was made; the payment is refunded.',
  ),
  coupon_not_usable: invalid(
    'This coupon cannot be used: {reason}.',
    'A coupon that takes off an amount is for subscriptions in its currency; one that takes off a percentage is for all.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...subscriptionErrors });
