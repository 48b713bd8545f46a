import type { Reads, Tenant } from '../base/reads.ts';

/** Sums as exact decimals: they may exceed a double. */
export type CurrencyBalance = { currency: string; available: string; pending: string; disputed: string };

/**
 * What a tenant has on a day (YYYY-MM-DD): the sums that were stored when postings were sealed, plus the postings since then, in one
 * statement on one snapshot. It locks no row, and a payment changes no balance row.
 *
 * The unsealed postings are few and found by position. The planner does not know how few they are, and would read all postings of the
 * tenant instead. `tenant + 0` therefore hides the tenant's index, and both ends of the range are given, so that the planner estimates
 * a small range.
 */
export function balanceOf(reads: Reads, tenant: Tenant, today: string): Promise<CurrencyBalance[]> {
  return reads.rows<CurrencyBalance>(
    `with since as materialized (
       select p.debit, p.credit, p.amount, p.currency, p.available_on from postings p
        where p.tenant + 0 = $1 and p.position >= (select s.sealed_to from ledger_sealer s)
          and p.position < 9223372036854775807),
     moved as (
       select b.account, b.currency, b.available_on, b.amount from ledger_balances b
        where b.tenant = $1 and b.account in ('balance', 'disputed')
       union all select credit, currency, available_on, amount from since where credit in ('balance', 'disputed')
       union all select debit, currency, available_on, -amount from since where debit in ('balance', 'disputed'))
     select currency,
            coalesce(sum(amount) filter (where account = 'balance' and available_on <= $2::date), 0)::text as available,
            coalesce(sum(amount) filter (where account = 'balance' and available_on > $2::date), 0)::text as pending,
            coalesce(sum(amount) filter (where account = 'disputed'), 0)::text as disputed
       from moved group by currency order by currency collate "C"`,
    [tenant, today],
  );
}
