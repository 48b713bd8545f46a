import type { EventDraft } from '../../../outbox/event.ts';
import { subscriptionEvent } from '../subscription_state/schema.ts';
import { type Subscription, trialNoticeAt } from '../subscription_state/subscription.ts';

/** The subscription with the event that announces the end of its trial, once that is near. */
export function announceTrialEnd(
  subscription: Subscription,
  at: number,
): { subscription: Subscription; events: EventDraft[] } {
  const { status, trial_announced } = subscription;
  if (status !== 'trialing' || trial_announced || trialNoticeAt(subscription) > at) return { subscription, events: [] };
  const after = { ...subscription, trial_announced: true };
  return { subscription: after, events: [subscriptionEvent('subscription.trial_will_end', after)] };
}
