import type { Rule } from '../../../ledger/rules.ts';

const total = '(i.subtotal - i.discount)';

/** The amounts of invoices, compared with the payments, the credit and the subscriptions that they change together with. */
export const invoiceRules: readonly Rule[] = [
  {
    name: 'an invoice that was paid has received its amount from a payment that names it',
    sql: `
      select i.tenant, i.id, i.amount_due || ' ' || i.currency || ' by its payment' as should,
             coalesce(p.amount_received || ' ' || p.currency || ' by ' || p.id || ', ' || p.status, 'nothing') as is
        from invoices i left join payments p on p.tenant = i.tenant and p.id = i.payment and p.invoice = i.id
       where i.tenant = any($1) and i.status = 'paid' and i.amount_due > 0
         and (p.status, p.amount_received, p.currency) is distinct from ('succeeded', i.amount_due, i.currency)`,
  },
  {
    // The money received for a void invoice is refunded.
    name: 'an invoice is paid once',
    sql: `
      select p.tenant, p.id, 'the payment of ' || i.id || ', or refunded' as should,
             'beside ' || i.status || coalesce(' by ' || i.payment, '') as is
        from payments p join invoices i on i.tenant = p.tenant and i.id = p.invoice
       where p.tenant = any($1) and p.status = 'succeeded' and coalesce(p.amount_refunded, 0) < p.amount_received
         and not (i.status = 'paid' and i.payment = p.id) and i.closing is distinct from 'refund' and i.flagged_at is null
         and not exists (select from disputes d where d.tenant = p.tenant and d.payment = p.id and d.status = 'lost')`,
  },
  {
    name: 'an invoice waits for its payment exactly as long as that is not over',
    sql: `
      select i.tenant, i.id, case when i.is_charging then 'with a payment that is not over' else 'without one' end as should,
             coalesce(p.status, 'no payment') as is
        from invoices i left join payments p on p.tenant = i.tenant and p.id = i.payment
       where i.tenant = any($1) and i.is_charging <> coalesce(p.status not in ('succeeded', 'failed', 'canceled'), false)`,
  },
  {
    name: 'the amounts of an invoice are the sums of its lines',
    sql: `
      select i.tenant, i.id, format('%s less %s', s.subtotal, s.discount) as should,
             format('%s less %s', i.subtotal, i.discount) as is
        from invoices i cross join lateral (
          select coalesce(sum((l ->> 'amount')::int8), 0) as subtotal, coalesce(sum((l ->> 'discount')::int8), 0) as discount
            from json_array_elements(i.lines) l) s
       where i.tenant = any($1) and (s.subtotal, s.discount) is distinct from (i.subtotal::numeric, i.discount::numeric)`,
  },
  {
    name: 'what is due of an invoice is its total less the credit that it used',
    sql: `
      select i.tenant, i.id, greatest(${total} - i.credit_applied, 0)::text as should, i.amount_due::text as is
        from invoices i where i.tenant = any($1) and i.amount_due <> greatest(${total} - i.credit_applied, 0)`,
  },
  {
    // Voiding gives used credit back, unless the customer is gone.
    name: 'the credit of an invoice is that of its credit transactions',
    sql: `
      select i.tenant, i.id, (greatest(-${total}, 0) - i.credit_applied)::text as should, coalesce(t.amount, 0)::text as is
        from invoices i left join (
          select tenant, invoice, sum(amount) as amount from credit_transactions where tenant = any($1) group by 1, 2) t
          on t.tenant = i.tenant and t.invoice = i.id
       where i.tenant = any($1) and case i.status
         when 'draft' then coalesce(t.amount, 0) <> 0
         when 'void' then coalesce(t.amount, 0) not in (0, -i.credit_applied)
         else coalesce(t.amount, 0) <> greatest(-${total}, 0) - i.credit_applied end`,
  },
  {
    name: 'the open invoices of a subscription are counted on it',
    sql: `
      select s.tenant, s.id, coalesce(i.count, 0)::text as should, s.open_invoices::text as is
        from subscriptions s left join (
          select tenant, subscription, count(*) from invoices
           where tenant = any($1) and status = 'open' group by 1, 2) i on i.tenant = s.tenant and i.subscription = s.id
       where s.tenant = any($1) and s.open_invoices <> coalesce(i.count, 0)`,
  },
  {
    // The numbers of a deleted test clock's invoices are not used again.
    name: 'invoices are numbered without gaps',
    sql: `
      select tenant, 'invoices' as id, format('numbered from 1 to %s', coalesce(s.last, 0)) as should,
             format('%s, up to %s', coalesce(i.count, 0), coalesce(i.last, 0)) as is
        from (select tenant, count(*), max(number) as last from invoices
               where tenant = any($1) and number is not null group by tenant) i
        full join (select tenant, last from sequences where tenant = any($1) and id = 'invoices') s using (tenant)
       where coalesce(s.last, 0) < coalesce(i.last, 0)
          or (coalesce(s.last, 0) <> coalesce(i.count, 0)
              and not exists (select from deleted_test_clocks d where d.tenant = coalesce(i.tenant, s.tenant)))`,
  },
];
