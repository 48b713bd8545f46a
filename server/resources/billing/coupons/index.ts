import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { couponEvents } from './coupon.ts';
import { couponDescriptor, couponOperations } from './operations.ts';
import { CouponOutput, DeletedCouponOutput } from './schema.ts';

/** It uses the scopes of prices: both say what something costs. */
export const coupons = resource({
  name: 'coupons',
  about: 'Discounts for subscriptions: a percentage, or an amount in one currency.',
  place: { group: 'Billing', position: 50 },
  events: eventsOf(couponEvents, CouponOutput, { 'coupon.deleted': DeletedCouponOutput }),
  operations: couponOperations,
  extensions: [
    expandables.with(expandable(couponDescriptor)),
    searchables.with(
      searchable(
        couponDescriptor,
        ({ name, code, duration }) => ({
          summary: () => ({ title: name ?? code ?? 'Coupon', subtitle: duration }),
          texts: textsOf({ name, code }),
        }),
        { foundBy: 'words' },
      ),
    ),
  ],
});
