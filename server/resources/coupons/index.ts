import { eventsOf, resource } from '../resource.ts';
import { couponEvents } from './coupon.ts';
import { couponOperations } from './operations.ts';
import { CouponOutput, DeletedCouponOutput } from './schema.ts';

/** It uses the scopes of prices: both say what something costs. */
export const coupons = resource({
  name: 'coupons',
  events: { ...eventsOf(couponEvents, CouponOutput), 'coupon.deleted': DeletedCouponOutput },
  operations: couponOperations,
});
