import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
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

/** The newest one of this name, in either case. */
export async function findCouponByName(reads: Reads, tenant: Tenant, name: string): Promise<Coupon | undefined> {
  const rows = await reads.rows<Coupon>(
    `select ${couponsTable.columns.join(', ')} from coupons
      where tenant = $1 and lower(name) = lower($2) and not deleted order by id desc limit 1`,
    [tenant, name],
  );
  return rows[0];
}
