import type { Reads, Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { type CustomerFigures, summedMax } from '../../../operations/extension_points/customer_summary.ts';
import { Currency, createdOf, Moment, Text, Whole } from '../../../operations/schemas.ts';

const Spent = Type.Object(
  {
    currency: Currency,
    amount: Whole('`received` less `refunded`, in the smallest unit of the currency.'),
    received: Whole('The sum of `amount_received`.'),
    refunded: Whole('The sum of `amount_refunded`.'),
  },
  { title: 'CustomerSpent', description: 'What a customer has paid in one currency.' },
);

const OnePayment = (which: string) =>
  Type.Optional(
    Type.Object(
      {
        id: Text('The id of the payment.'),
        amount: Whole('What was received, in the smallest unit of the currency.'),
        currency: Currency,
        created: Moment('When it was created.'),
      },
      { description: `The ${which} payment that has succeeded; absent before the first one.` },
    ),
  );

/** What a customer has paid: the payments that have succeeded, less what was refunded of them. */
export const paymentsOfCustomers: CustomerFigures = {
  scope: 'payments:read',
  properties: {
    spent: Type.Array(Spent, { description: 'What the customer has paid, by currency.' }),
    payments: Type.Object(
      {
        succeeded: Whole('How many payments have succeeded.'),
        failed: Whole('How many have failed.'),
        first: OnePayment('first'),
        last: OnePayment('latest'),
      },
      { title: 'CustomerPayments', description: 'How many payments there are, the first and the latest.' },
    ),
  },
  async find({ reads, tenant }, customer) {
    const [sums, failed, [first], [last]] = await Promise.all([
      sumSucceeded(reads, tenant, customer),
      countFailed(reads, tenant, customer),
      findOutermost(reads, tenant, customer, 'asc'),
      findOutermost(reads, tenant, customer, 'desc'),
    ]);
    const succeeded = sums.reduce((total, { count }) => total + count, 0);
    const spent = sums.map(({ currency, received, refunded }) => ({
      currency,
      amount: received - refunded,
      received,
      refunded,
    }));
    const payments = { succeeded, failed, ...(first && { first: shown(first) }), ...(last && { last: shown(last) }) };
    return { figures: { spent, payments }, isComplete: Math.max(succeeded, failed) < summedMax };
  },
};

type Paid = { id: string; amount_received: number; currency: string; created_at: Date | null };

function shown(payment: Paid): object {
  const { id, amount_received: amount, currency } = payment;
  return { id, amount, currency, created: createdOf(payment) };
}

/** A range of `payments_by_customer_and_status`: the order names all its columns, so that the planner reads it and no other. */
const ofCustomer = (status: string, direction: 'asc' | 'desc') =>
  `from payments where tenant = $1 and customer = $2 and status = '${status}'
     order by tenant ${direction}, customer ${direction}, status ${direction}, id ${direction}`;

type PaidSum = { currency: string; count: number; received: number; refunded: number };

function sumSucceeded(reads: Reads, tenant: Tenant, customer: string): Promise<PaidSum[]> {
  return reads.rows<PaidSum>(
    `select currency, count(*)::int8 as count, sum(amount_received)::int8 as received,
            sum(coalesce(amount_refunded, 0))::int8 as refunded
       from (select currency, amount_received, amount_refunded ${ofCustomer('succeeded', 'desc')} limit $3) newest
      group by currency order by currency`,
    [tenant, customer, summedMax],
  );
}

async function countFailed(reads: Reads, tenant: Tenant, customer: string): Promise<number> {
  const text = `select count(*)::int8 as count from (select id ${ofCustomer('failed', 'desc')} limit $3) newest`;
  return (await reads.rows<{ count: number }>(text, [tenant, customer, summedMax]))[0]!.count;
}

function findOutermost(reads: Reads, tenant: Tenant, customer: string, direction: 'asc' | 'desc'): Promise<Paid[]> {
  const text = `select id, amount_received, currency, created_at ${ofCustomer('succeeded', direction)} limit 1`;
  return reads.rows<Paid>(text, [tenant, customer]);
}

/** The payments of a customer that were disputed, among the newest that are added up. */
export async function findDisputedOf(reads: Reads, tenant: Tenant, customer: string): Promise<string[]> {
  const rows = await reads.rows<{ id: string }>(
    `select id from (select id, dispute ${ofCustomer('succeeded', 'desc')} limit $3) newest where dispute is not null`,
    [tenant, customer, summedMax],
  );
  return rows.map(({ id }) => id);
}
