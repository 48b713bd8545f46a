import type { ApiAnswer } from '../api/client.ts';
import { hasEnded, isMarkedBy } from './fit_subscription.ts';
import type { Obstacle } from './reasons.ts';
import type { StripeSubscription } from './stripe_objects.ts';
import { isUndone, undone, undoneMark } from './take_over.ts';
import { eachOf, type ImportTools, warnOfRefusal } from './tools.ts';

const concurrency = 4;
/** Nearer to the boundary, either side could bill between two steps. */
const leastSeconds = 3_600;

/**
 * Gives subscriptions back that have not been billed here: they are canceled here first, and then Stripe goes on. Between the two steps
 * the mark at Stripe stays, so that a run that is repeated finds them.
 */
export async function undoTakeOver(tools: ImportTools): Promise<void> {
  const { stripe, outcome, processorAccount, progress } = tools;
  for await (const page of stripe.subscriptions()) {
    const marked = page.filter((one) => isMarkedBy(one, processorAccount));
    await eachOf(marked, concurrency, async (listed) => {
      outcome.count('subscriptions', 'read');
      await undoOne(tools, listed.id).catch((error) => warnOfRefusal(outcome, listed.id, error));
      progress.add(1);
    });
  }
}

async function undoOne(tools: ImportTools, id: string): Promise<void> {
  const { gateway, stripe, outcome, isApplied } = tools;
  const here = await gateway.findByExternalId('subscriptions', id);
  const there = await stripe.subscription(id);
  if (hasEnded(there) && (here === undefined || isUndone(here)))
    return outcome.warn('subscriptions', id, { reason: 'lapsed' });
  const obstacle = obstacleToUndo(here, there, stripe.now);
  if (obstacle !== undefined) return outcome.leave('subscriptions', id, obstacle);
  if (!isApplied) return outcome.count('subscriptions', 'lifted');
  if (here !== undefined && here.status !== 'canceled') {
    await gateway.post(`/subscriptions/${here.id}`, { metadata: { [undoneMark]: undone } });
    await gateway.post(`/subscriptions/${here.id}/cancel`, {});
  }
  await stripe.liftMark(id);
  const after = await stripe.subscription(id);
  if (after.cancelsAtPeriodEnd || hasEnded(after)) outcome.warn('subscriptions', id, { reason: 'not_lifted' });
  else outcome.count('subscriptions', 'lifted');
}

/** An invoice here means that it was billed: by its first period, or by a change since. */
function obstacleToUndo(here: ApiAnswer | undefined, there: StripeSubscription, now: number): Obstacle | undefined {
  if (here?.status === 'canceled' && !isUndone(here)) return { reason: 'canceled_here' };
  if (hasEnded(there) || here?.latest_invoice !== undefined) return { reason: 'billed_here' };
  return there.periodEnd! - now < leastSeconds ? { reason: 'too_late' } : undefined;
}
