/** Every type of event. A test compares it with those of the gateway, and `event_choice.tsx` does not compile with another one. */
export const eventTypes = [
  ...['payment.succeeded', 'payment.failed', 'payment.requires_action', 'payment.requires_capture'],
  ...['payment.processing', 'payment.canceled', 'payment.updated', 'payment.refunded'],
  ...['refund.created', 'refund.updated', 'refund.failed'],
  ...['dispute.created', 'dispute.updated', 'dispute.closed'],
  ...['customer.created', 'customer.updated', 'customer.deleted', 'customer.credit_balance_updated'],
  ...['payment_method.attached', 'payment_method.updated', 'payment_method.detached'],
  ...['subscription.created', 'subscription.updated', 'subscription.trial_will_end', 'subscription.paused'],
  ...['subscription.resumed', 'subscription.canceled'],
  ...['invoice.created', 'invoice.updated', 'invoice.finalized', 'invoice.paid', 'invoice.payment_failed'],
  ...['invoice.payment_action_required', 'invoice.voided', 'invoice.marked_uncollectible'],
  ...['invoice_item.created', 'invoice_item.deleted'],
  ...['price.created', 'price.updated', 'coupon.created', 'coupon.deleted'],
  ...['test_clock.ready', 'webhook_endpoint.disabled', 'webhook_endpoint.test'],
] as const;

/** `payment.*` stands for all types that begin alike. */
export const familyOf = (type: string): string => `${type.split('.')[0]}.*`;

export type EventFamily = { family: string; types: readonly string[] };

/** The families whose name, or one of whose types, has what is searched for. A family that fits shows all of its types. */
export function findFamilies(search: string): EventFamily[] {
  const wanted = wordsIn(search.trim());
  const all = Map.groupBy<string, string>(eventTypes, familyOf);
  return [...all].flatMap(([family, types]) => {
    const isWhole = wordsIn(family.split('.')[0]!).includes(wanted);
    const found = isWhole ? types : types.filter((type) => wordsIn(type).includes(wanted));
    return found.length === 0 ? [] : [{ family, types: found }];
  });
}

/** As somebody types them: `invoice payment` finds `invoice.payment_failed`. */
const wordsIn = (name: string) => name.toLowerCase().replace(/[._]/g, ' ');

/** A family stands for its types: they are not named beside it. */
export function withChosen(chosen: readonly string[], name: string, isChosen: boolean): string[] {
  const others = chosen.filter((one) => one !== name && !(name.endsWith('.*') && familyOf(one) === name));
  return isChosen ? [...others, name].sort() : others;
}

/** `payment.*, refund.created and 3 more`. */
export function eventsInWords(enabled: readonly string[], shownMax = 2): string {
  if (enabled.includes('*')) return 'All events';
  const shown = enabled.slice(0, shownMax).join(', ');
  const more = enabled.length - shownMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
