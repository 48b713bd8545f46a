import { transfers } from './chart.ts';

/**
 * Something that must hold, as SQL that finds its violations: tenant, id of the wrong row, expected value and actual value. $1 is the
 * list of tenants to check.
 */
export type Rule = { name: string; sql: string };

const chart = Object.entries(transfers)
  .map(([kind, { debit, credit }]) => `('${kind}', '${debit}', '${credit}')`)
  .join(', ');

/** The consistency of the ledger with itself, apart from the chain. */
export const ledgerRules: readonly Rule[] = [
  {
    name: 'a posting moves money as the chart of accounts says',
    sql: `
      select p.tenant, p.id, coalesce(c.debit || ' to ' || c.credit, 'no such kind') as should, p.debit || ' to ' || p.credit as is
        from postings p left join (values ${chart}) c (kind, debit, credit) on c.kind = p.kind
       where p.tenant = any($1) and (p.debit, p.credit) is distinct from (c.debit, c.credit)`,
  },
  {
    name: 'a posting has the position of a transaction that has been',
    sql: `
      select p.tenant, p.id, 'below ' || (pg_snapshot_xmax(pg_current_snapshot())::text::int8 + s.offset_by) as should,
             p.position::text as is
        from postings p, ledger_sealer s
       where p.tenant = any($1) and p.position >= pg_snapshot_xmax(pg_current_snapshot())::text::int8 + s.offset_by`,
  },
  {
    name: 'a kept balance is the sum of the sealed postings',
    sql: `
      with sealed as (
        select p.* from postings p, ledger_sealer s where p.tenant = any($1) and p.position < s.sealed_to),
      counted as (
        select tenant, account, currency, available_on, sum(amount) as amount
          from (select tenant, credit as account, currency, available_on, amount from sealed
                union all select tenant, debit, currency, available_on, -amount from sealed) moved
         group by 1, 2, 3, 4),
      kept as (select * from ledger_balances where tenant = any($1))
      select tenant, account || ' ' || currency || ' ' || to_char(available_on, 'YYYY-MM-DD') as id,
             coalesce(c.amount, 0)::text as should, coalesce(k.amount, 0)::text as is
        from counted c full join kept k using (tenant, account, currency, available_on)
       where coalesce(c.amount, 0) <> coalesce(k.amount, 0)`,
  },
  {
    name: 'credits and debits are equal',
    sql: `
      select tenant, currency as id, '0' as should, sum(amount)::text as is
        from ledger_balances where tenant = any($1) group by tenant, currency having sum(amount) <> 0`,
  },
];
