import { retrieveOperation } from '../../../operations/descriptor.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import type { SetupTopic } from '../../payments/setups/topic.ts';
import type { SubscriptionCheck } from '../invoice_items/operations.ts';
import { saveSubscription } from '../subscription_state/store.ts';
import { advanceOperation } from './advance.ts';
import { createOperation } from './create.ts';
import { requireSubscription, subscriptionDescriptor } from './descriptor.ts';
import { apiError } from './errors.ts';
import { finishOperation } from './finish_change.ts';
import { lifecycleOperations } from './lifecycle.ts';
import { listOperation } from './list.ts';
import { previewOperation } from './preview.ts';
import { updateOperation } from './update.ts';

/** An item can wait for the next invoice of a subscription that is not over. */
export const checkItemSubscription: SubscriptionCheck = async (context, { subscription: id, customer, currency }) => {
  const found = await requireSubscription(context, id, 'subscription');
  const refuse = (reason: string, param = 'subscription') => apiError('parameter_invalid', { param, reason });
  if (found.customer !== customer.id) throw refuse('it is of another customer');
  if (found.currency !== currency) throw refuse(`the subscription is in ${found.currency}`, 'currency');
  if (found.status === 'canceled') throw refuse('it is canceled');
  // It conflicts when the subscription ends meanwhile.
  return { id: found.id, writes: [saveSubscription({ ...found, version: found.version + 1 })] };
};

export function subscriptionOperations(payments: PaymentTopic, setups: SetupTopic): AnyOperation[] {
  return [
    createOperation(payments, setups),
    retrieveOperation(subscriptionDescriptor),
    updateOperation(payments),
    listOperation,
    ...lifecycleOperations(payments),
    advanceOperation(payments),
    finishOperation,
    previewOperation,
  ];
}
