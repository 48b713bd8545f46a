import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { KeyedRead, Reads, Tenant } from '../../../base/reads.ts';
import type { Coupon } from './coupon.ts';

export const couponsTable: Table<Coupon> = table('coupons', {
  int4: 'tenant version percent_hundredths duration_in_months',
  text: 'id currency duration name code code_key',
  int8: 'amount_off',
  bool: 'deleted',
  json: 'metadata',
});

export const addCoupon = (coupon: Coupon): Write => insert(couponsTable, coupon);
export const replaceCoupon = (coupon: Coupon): Write => update(couponsTable, coupon);

const byCode: KeyedRead = {
  name: 'coupons_by_code',
  keys: ['code_key'],
  text: `select c.* from unnest($1::int4[], $2::text[]) as x (tenant, code_key)
         cross join lateral (select ${couponsTable.columns.join(', ')} from coupons
           where tenant = x.tenant and code_key = x.code_key limit 1) c`,
};

/** The coupon that has a code, which is given as it is compared. */
export function findCouponByKey(reads: Reads, tenant: Tenant, key: string): Promise<Coupon | undefined> {
  return reads.keyed<Coupon>(byCode, tenant, key);
}
