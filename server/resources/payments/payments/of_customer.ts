import type { Table } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import { type CustomerFigures, summedMax } from '../../../operations/extension_points/customer_summary.ts';
import {
  relationById,
  relationByStatus,
  type TimelineRelation,
} from '../../../operations/extension_points/timeline.ts';
import type { Context } from '../../../operations/operation.ts';
import { Currency, createdOf, Moment, Text, Whole } from '../../../operations/schemas.ts';
import type { Scope } from '../../../operations/scope.ts';
import { paymentStatuses } from './payment.ts';
import { paymentsTable } from './store.ts';

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

/** The newest payments of a customer, for timelines. */
export const paymentsOfCustomer = relationByStatus({
  of: 'cus',
  scope: 'payments:read',
  table: paymentsTable,
  prefix: 'py',
  column: 'customer',
  statuses: paymentStatuses,
});

/** The tries of a checkout session, for its timeline. */
export const triesOfSession = relationById({
  of: 'cs',
  scope: 'payments:read',
  table: paymentsTable,
  prefix: 'py',
  column: 'checkout_session',
});

/** The objects of a table that are parts of payments: in the timelines of the payments, of their checkout sessions and of their customers. */
export function partsOfPayments({
  scope,
  table,
  prefix,
}: {
  scope: Scope;
  table: Pick<Table, 'name'>;
  prefix: string;
}): TimelineRelation[] {
  const findOf = async ({ reads, tenant }: Context, payments: readonly string[], before: number, limit: number) => {
    const rows = await reads.rows<{ id: string }>(
      `select found.id from unnest($2::text[]) as x (payment)
        cross join lateral (
          select r.id from ${table.name} r
           where r.tenant = $1 and r.payment = x.payment and r.id < $3 order by r.id desc limit $4) found
        order by found.id desc limit $4`,
      [tenant, payments, firstIdAt(prefix, before), limit],
    );
    return rows.map(({ id }) => id);
  };
  return [
    { of: 'py', scope, find: (context, { id, before, limit }) => findOf(context, [id], before, limit) },
    {
      of: 'cs',
      scope,
      async find(context, wanted) {
        const tries = await triesOfSession.find(context, wanted);
        return findOf(context, tries, wanted.before, wanted.limit);
      },
    },
    {
      of: 'cus',
      scope,
      async find(context, wanted) {
        const payments = await paymentsOfCustomer.find(context, wanted);
        return findOf(context, payments, wanted.before, wanted.limit);
      },
    },
  ];
}

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

/** The payments of a customer that were disputed, among the newest that are added up, and whether those are all. */
export async function findDisputedOf(
  reads: Reads,
  tenant: Tenant,
  customer: string,
): Promise<{ payments: string[]; isComplete: boolean }> {
  const [row] = await reads.rows<{ payments: string[] | null; count: number }>(
    `select array_agg(id) filter (where dispute is not null) as payments, count(*)::int8 as count
       from (select id, dispute ${ofCustomer('succeeded', 'desc')} limit $3) newest`,
    [tenant, customer, summedMax],
  );
  return { payments: row!.payments ?? [], isComplete: row!.count < summedMax };
}
