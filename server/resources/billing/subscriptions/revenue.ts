import { ConnectionReads, type Reads, type Tenant } from '../../../base/reads.ts';
import type { Pool } from '../../../base/sql.ts';
import { discountsOf } from '../arithmetic/discount.ts';
import { monthlyAmount } from '../arithmetic/monthly.ts';
import { chargeFor } from '../arithmetic/proration.ts';
import { discount } from '../coupons/coupon.ts';
import { findCoupons } from '../coupons/operations.ts';
import { findPrices } from '../prices/operations.ts';
import { findWithoutRevenue, setRevenues, tenantsWithoutRevenue } from '../subscription_state/revenue.ts';
import { recurringOf, type Subscription } from '../subscription_state/subscription.ts';
import { isInForce, priceOf } from './lines.ts';
import type { Basis } from './plan.ts';

/**
 * What a subscription brings in a month: the lines of a whole period as they are billed, less a coupon that goes on, rounded once. A coupon
 * goes on if it reduces the next period too, so one for a single invoice never does.
 */
export function monthlyRevenue(
  subscription: Subscription,
  { prices, coupon }: Pick<Basis, 'prices' | 'coupon'>,
): number {
  const amounts = subscription.items.map((item) => chargeFor(priceOf(prices, item).unit_amount, item.quantity, 1, 1));
  const { current_period_end } = subscription;
  const goesOn =
    coupon !== undefined && coupon.duration !== 'once' && isInForce(coupon, subscription, current_period_end);
  const discounts = goesOn ? discountsOf(amounts, discount(coupon)) : [];
  return monthlyAmount(sum(amounts) - sum(discounts), recurringOf(subscription));
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

/** Fills in the revenue of subscriptions that an earlier version has stored, some hundred at a time. */
export async function fillRevenues(pool: Pool, tenants: readonly Tenant[]): Promise<void> {
  const reads = new ConnectionReads(pool);
  for (const tenant of await tenantsWithoutRevenue(pool, tenants)) while (await fillStep(pool, reads, tenant));
}

/** Whether there may be more. One that has changed meanwhile is left to the next sweep. */
async function fillStep(pool: Pool, reads: Reads, tenant: Tenant): Promise<boolean> {
  const { subscriptions, hasMore } = await findWithoutRevenue(reads, tenant);
  const context = { reads, tenant };
  const [prices, coupons] = await Promise.all([
    findPrices(
      context,
      subscriptions.flatMap(({ items }) => items.map(({ price }) => price)),
    ),
    findCoupons(
      context,
      subscriptions.flatMap(({ coupon }) => coupon ?? []),
    ),
  ]);
  const revenues = subscriptions.map((subscription) => {
    const coupon = subscription.coupon === null ? undefined : coupons.get(subscription.coupon);
    return { ...subscription, mrr: monthlyRevenue(subscription, { prices, coupon }) };
  });
  const filled = await setRevenues(pool, tenant, revenues);
  return hasMore && filled > 0;
}
