import { Type } from '../../../base/schema.ts';
import { type CustomerFigures, summedMax } from '../../../operations/extension_points/customer_summary.ts';
import { Currency, Whole } from '../../../operations/schemas.ts';

const Owed = Type.Object(
  {
    currency: Currency,
    amount: Whole('The sum of `amount_remaining`, in the smallest unit of the currency.'),
    invoices: Whole('How many invoices are open.'),
    failed: Whole('Of how many a charge has failed.'),
  },
  { title: 'CustomerOwed', description: 'What a customer owes in one currency.' },
);

type OwedRow = { currency: string; amount: number; invoices: number; failed: number };

/** What a customer owes: the open invoices. */
export const invoicesOfCustomers: CustomerFigures = {
  scope: 'invoices:read',
  properties: { owed: Type.Array(Owed, { description: 'What the customer owes by open invoices, by currency.' }) },
  async find({ reads, tenant }, customer) {
    const owed = await reads.rows<OwedRow>(
      `select currency, sum(amount_due - amount_paid)::int8 as amount, count(*)::int8 as invoices,
              count(failed_at)::int8 as failed
         from (select currency, amount_due, amount_paid, failed_at from invoices
                where tenant = $1 and customer = $2 and status = 'open'
                order by tenant desc, customer desc, status desc, id desc limit $3) newest
        group by currency order by currency`,
      [tenant, customer, summedMax],
    );
    const count = owed.reduce((sum, { invoices }) => sum + invoices, 0);
    return { figures: { owed }, isComplete: count < summedMax };
  },
};
