import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Coupon } from './coupon.ts';

export const couponsTable: Table<Coupon> = table('coupons', {
  int4: 'tenant version percent_hundredths duration_in_months',
  text: 'id currency duration name',
  int8: 'amount_off',
  bool: 'deleted',
  json: 'metadata',
});

export const addCoupon = (coupon: Coupon): Write => insert(couponsTable, coupon);
export const replaceCoupon = (coupon: Coupon): Write => update(couponsTable, coupon);
