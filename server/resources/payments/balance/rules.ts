import type { Rule } from '../../../ledger/rules.ts';
import { invoiceRules } from './invoice_rules.ts';

/**
 * The postings of a kind are exactly those that the rows of the business ask for. `expected`: tenant, source, payment, amount, currency.
 * `counted` narrows the postings down.
 */
const posted = (kind: string, expected: string, counted = 'true') => `
  select coalesce(e.tenant, p.tenant) as tenant, coalesce(e.source, p.source) as id,
         coalesce(e.amount || ' ' || e.currency || coalesce(' for ' || e.payment, ''), 'nothing') as should,
         coalesce(p.amount || ' ' || p.currency || coalesce(' for ' || p.payment, ''), 'nothing') as is
    from (${expected}) e
    full join (select * from postings p where tenant = any($1) and kind = '${kind}' and ${counted}) p
      on p.tenant = e.tenant and p.source = e.source
   where (e.amount, e.currency, e.payment) is distinct from (p.amount, p.currency, p.payment)`;

const refunds = `select tenant, id as source, payment, amount, currency from refunds r where tenant = any($1)`;
const disputes = `select tenant, id as source, payment, amount, currency from disputes
   where tenant = any($1) and review is distinct from 'currency'`;
const credit = `select tenant, id as source, null as payment, abs(amount) as amount, currency from credit_transactions
   where tenant = any($1)`;
const hasPosting = (row: string, source: string, kind: string) =>
  `exists (select from postings b where b.tenant = ${row}.tenant and b.source = ${row}.${source} and b.kind = '${kind}')`;
const bounced = hasPosting('r', 'id', 'refund_bounce');
const corrected = hasPosting('r', 'id', 'refund_correction');

/** The books against what they are the books of. They are written in the same transactions, so they agree at every moment. */
export const businessRules: readonly Rule[] = [
  {
    name: 'nothing is posted twice',
    sql: `
      select tenant, source as id, 'one posting of kind ' || kind as should, count(*)::text as is
        from postings where tenant = any($1) group by tenant, source, kind having count(*) > 1`,
  },
  {
    name: 'what moves money belongs to a payment of the same account and mode',
    sql: `
      select x.tenant, x.id, 'a payment ' || coalesce(x.payment, '') as should, 'none' as is
        from (select tenant, id, payment from refunds union all select tenant, id, payment from disputes
              union all select tenant, id, payment from postings
                         where kind not in ('credit_granted', 'credit_used', 'credit_forfeited')) x
       where x.tenant = any($1) and not exists (select from payments p where p.tenant = x.tenant and p.id = x.payment)`,
  },
  {
    name: 'what a payment has received is posted',
    sql: posted(
      'payment',
      `select tenant, id as source, id as payment, amount_received as amount, currency from payments
        where tenant = any($1) and amount_received > 0`,
      `not ${hasPosting('p', 'source', 'payment_correction')}`,
    ),
  },
  ...(['payment', 'fee'] as const).map((kind) => ({
    name: `the ${kind} of a payment that was corrected is posted back`,
    sql: posted(
      `${kind}_correction`,
      `select tenant, source, payment, amount, currency from postings p
        where tenant = any($1) and kind = '${kind}' and ${hasPosting('p', 'source', 'payment_correction')}`,
    ),
  })),
  {
    name: 'a fee is posted for a payment that has received something',
    sql: `
      select f.tenant, f.source as id, 'a posting of the payment' as should, 'nothing' as is from postings f
       where f.tenant = any($1) and f.kind = 'fee' and not exists (
         select from postings p where p.tenant = f.tenant and p.source = f.source and p.kind = 'payment' and p.currency = f.currency)`,
  },
  { name: 'a refund is posted when it is made', sql: posted('refund', refunds) },
  {
    name: 'a refund that got through is posted as settled',
    sql: posted('refund_settled', `${refunds} and (status = 'succeeded' or ${bounced}) and not ${corrected}`),
  },
  {
    name: 'a refund that did not get through is posted back',
    sql: posted('refund_failure', `${refunds} and ((status = 'failed' and not ${bounced}) or ${corrected})`),
  },
  {
    name: 'a refund that was corrected from failed has been made',
    sql: posted('refund_correction', `${refunds} and (status = 'succeeded' or ${bounced}) and ${corrected}`),
  },
  {
    name: 'a refund that came back is posted back',
    sql: posted('refund_bounce', `${refunds} and status = 'failed' and ${bounced}`),
  },
  {
    name: 'the refunds of a payment are counted on it',
    sql: `
      select p.tenant, p.id, coalesce(r.amount, 0)::text as should, coalesce(p.amount_refunded, 0)::text as is
        from payments p left join (
          select tenant, payment, sum(amount) as amount from refunds
           where tenant = any($1) and status in ('pending', 'succeeded') group by tenant, payment) r
          on r.tenant = p.tenant and r.payment = p.id
       where p.tenant = any($1) and coalesce(p.amount_refunded, 0) <> coalesce(r.amount, 0)`,
  },
  { name: 'a dispute is posted when it is opened', sql: posted('dispute', disputes) },
  {
    name: 'a dispute that was won is posted back',
    sql: posted('dispute_reversal', `${disputes} and status = 'won'`),
  },
  { name: 'a dispute that was lost is posted as lost', sql: posted('dispute_lost', `${disputes} and status = 'lost'`) },
  {
    // Refunds look for a dispute only where the payment names one.
    name: 'a payment that was disputed names a dispute',
    sql: `
      select d.tenant, d.payment as id, 'disputed' as should, 'without a dispute' as is
        from (select distinct tenant, payment from disputes where tenant = any($1)) d
        join payments p on p.tenant = d.tenant and p.id = d.payment
       where p.dispute is null`,
  },
  {
    name: 'a payment gives back no more than it received, and receives no more than it asked for',
    sql: `
      select tenant, id, '0 <= refunded <= received <= amount' as should,
             format('%s, %s, %s', coalesce(amount_refunded, 0), amount_received, amount) as is
        from payments where tenant = any($1) and not (0 <= coalesce(amount_refunded, 0)
          and coalesce(amount_refunded, 0) <= amount_received and amount_received <= amount)`,
  },
  { name: 'credit that a customer got is posted', sql: posted('credit_granted', `${credit} and amount > 0`) },
  {
    name: 'credit that an invoice used is posted',
    sql: posted('credit_used', `${credit} and amount < 0 and invoice is not null`),
  },
  {
    name: 'credit of a deleted customer is posted away',
    sql: posted('credit_forfeited', `${credit} and amount < 0 and invoice is null`),
  },
  {
    // A customer that was deleted has none.
    name: 'the credit of a customer is the sum of its credit transactions',
    sql: `
      select tenant, id, coalesce(s.amount || ' ' || currency || ' of credit', 'nothing') as should,
             coalesce(k.amount || ' ' || currency || ' of credit', 'nothing') as is
        from (select tenant, customer as id, currency, sum(amount) as amount from credit_transactions
               where tenant = any($1) group by 1, 2, 3 having sum(amount) <> 0) s
        full join (
          select c.tenant, c.id, x.key as currency, x.value::numeric as amount
            from customers c cross join lateral json_each_text(c.credit_balance) x
           where c.tenant = any($1) and c.credit_balance is not null) k using (tenant, id, currency)
       where s.amount is distinct from k.amount`,
  },
  ...invoiceRules,
];
