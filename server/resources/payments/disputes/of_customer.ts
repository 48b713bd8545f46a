import { Type } from '../../../base/schema.ts';
import type { CustomerFigures } from '../../../operations/extension_points/customer_summary.ts';
import { Whole } from '../../../operations/schemas.ts';
import { findDisputedOf } from '../payments/of_customer.ts';
import type { disputeStatuses } from './dispute.ts';

/** How many payments of a customer were disputed. Disputes are found by their payments: they do not name the customer. */
export const disputesOfCustomers: CustomerFigures = {
  scope: 'disputes:read',
  properties: {
    disputes: Type.Object(
      {
        open: Whole('How many are `needs_response` or `under_review`.'),
        won: Whole('How many are `won`.'),
        lost: Whole('How many are `lost`.'),
      },
      { title: 'CustomerDisputes', description: 'How many disputes there are about the payments of the customer.' },
    ),
  },
  async find({ reads, tenant }, customer) {
    const { payments, isComplete } = await findDisputedOf(reads, tenant, customer);
    const rows = await reads.rows<{ status: (typeof disputeStatuses)[number]; count: number }>(
      `select status, count(*)::int8 as count from disputes
        where tenant = $1 and payment = any($2::text[]) group by status`,
      [tenant, payments],
    );
    const of = (...wanted: string[]) =>
      rows.filter(({ status }) => wanted.includes(status)).reduce((sum, { count }) => sum + count, 0);
    const disputes = { open: of('needs_response', 'under_review'), won: of('won'), lost: of('lost') };
    return { figures: { disputes }, isComplete };
  },
};
