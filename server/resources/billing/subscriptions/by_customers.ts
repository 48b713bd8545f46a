import { belonging } from '../../../operations/descriptor.ts';
import type { CustomerAccess } from '../../../operations/operation.ts';
import type { PortalSettings } from '../../../operations/portal_settings.ts';
import { methodDescriptor } from '../../payments/payment_methods/operations.ts';
import type { Subscription } from '../subscription_state/subscription.ts';
import type { ItemChange } from './change.ts';
import { subscriptionDescriptor } from './descriptor.ts';

/** What a change of items costs is charged at once. Where that fails, nothing is changed. */
const paidNow = { proration: 'invoice_now' };

/** Who may cancel may take it back; and change to another price of a list, to another quantity, or to another payment method. */
export const changedByCustomers: CustomerAccess = {
  about: belonging(subscriptionDescriptor),
  parameters: ['items', 'cancel_at_period_end', 'default_payment_method'],
  refersTo: { default_payment_method: belonging(methodDescriptor) },
  fixed: { ...paidNow, payment_behavior: 'error_if_incomplete' },
  allows: (
    settings,
    { items, cancel_at_period_end: atEnd, default_payment_method: method },
    subscription: Subscription,
  ) =>
    (atEnd === undefined || (atEnd === false && settings.cancel !== 'off')) &&
    (method === undefined || settings.default_method) &&
    (items === undefined || mayChange(settings, items as readonly ItemChange[], subscription)),
};

export const previewedByCustomers: CustomerAccess = {
  about: { ...belonging(subscriptionDescriptor), parameter: 'subscription' },
  parameters: ['items'],
  fixed: paidNow,
  allows: (settings, { items = [] }, subscription: Subscription) =>
    mayChange(settings, items as readonly ItemChange[], subscription),
};

/** Items stay what they are: none is added, and none removed. A price that is not in the list was agreed in another way, and stays too. */
function mayChange(
  { change_price, change_quantity }: PortalSettings,
  changes: readonly ItemChange[],
  { items }: Subscription,
): boolean {
  return changes.every(({ id, price, quantity, deleted }) => {
    const item = items.find((one) => one.id === id);
    if (item === undefined || deleted !== undefined) return false;
    const isPriceAllowed =
      price === undefined || price === item.price || [price, item.price].every((one) => change_price.includes(one));
    const isQuantityAllowed =
      quantity === undefined || quantity === item.quantity || (change_quantity && quantity >= 1);
    return isPriceAllowed && isQuantityAllowed;
  });
}
