import type { Reads, Tenant } from '../base/reads.ts';

/** What the postings of a payment add up to. */
export type Earnings = {
  /** What was charged for it, less what was corrected. */
  fee: number;
  /** What it has left in the balance: the payment less its fee, refunds and disputes. */
  net: number;
};

/**
 * The earnings of payments, by their ids; a payment without a posting is left out. One statement reads the postings of them all: each by
 * the index of its source, and those of its refunds and disputes by that of the payment.
 */
export async function earningsOf(
  reads: Reads,
  tenant: Tenant,
  payments: readonly string[],
): Promise<ReadonlyMap<string, Earnings>> {
  const rows = await reads.rows<Earnings & { payment: string }>(
    `select x.payment, ${sumOf('fees')} as fee, ${sumOf('balance')} as net
       from unnest($2::text[]) as x (payment)
      cross join lateral (
        select p.debit, p.credit, p.amount from postings p where p.tenant = $1 and p.source = x.payment
        union all
        select p.debit, p.credit, p.amount from postings p
         where p.tenant = $1 and p.payment = x.payment and p.source <> p.payment) as moved
      group by x.payment`,
    [tenant, payments],
  );
  return new Map(rows.map(({ payment, fee, net }) => [payment, { fee, net }]));
}

/** What an account of the ledger has received, less what it has given. */
function sumOf(account: 'fees' | 'balance'): string {
  return `sum(case '${account}' when credit then amount when debit then -amount else 0 end)::int8`;
}
