/**
 * The invariants of checkout sessions and payment links in SQL, as those of payments beside them: they share nothing with the code that has
 * to keep them.
 */
const tries = `(
    select tenant, id, checkout_session, status from payments where checkout_session is not null
    union all select tenant, id, checkout_session, status from setups where checkout_session is not null)`;

export const checkoutRules: Record<string, string> = {
  'at most one try of a session succeeds, and none begins before the one before is over': `
    select checkout_session as id, array_agg(id || ' ' || status order by id) as tries from ${tries} t
     where status not in ('failed', 'canceled') group by tenant, checkout_session having count(*) > 1`,
  'a session is what its latest try says': `
    select s.id, s.status, s.payment_status, s.awaits_customer, p.status as payment, t.status as try from checkout_sessions s
      left join payments p on p.tenant = s.tenant and p.id = s.payment
      left join lateral (select t.status from ${tries} t where t.tenant = s.tenant and t.id in (s.payment, s.setup)
                          order by substr(t.id, strpos(t.id, '_')) desc limit 1) t on true
     where not coalesce(case
       when s.status = 'processing' then t.status = 'processing'
       when s.status = 'open' and s.awaits_customer then t.status = 'requires_action'
       when s.status in ('open', 'expired') then s.awaits_customer is null and coalesce(t.status in ('failed', 'canceled'), true)
       when s.payment_status = 'no_payment_required' then s.amount_total = 0
       when s.payment_status = 'paid' then p.status = 'succeeded'
       when s.payment_status = 'authorized' then p.status in ('requires_capture', 'processing')
       else p.status in ('failed', 'canceled') end, false)
        or (s.status <> 'complete' and s.payment_status <> 'unpaid'
            and not (s.payment_status = 'no_payment_required' and s.amount_total = 0))`,
  'a setup that has succeeded completes its session': `
    select t.id, s.id as session, s.status, s.setup from setups t
      join checkout_sessions s on s.tenant = t.tenant and s.id = t.checkout_session
     where t.status = 'succeeded' and (s.status <> 'complete' or s.setup is distinct from t.id)`,
  'a payment that has succeeded, or holds money, completes its session': `
    select p.id, p.status, s.id as session, s.status as is, s.payment from payments p
      join checkout_sessions s on s.tenant = p.tenant and s.id = p.checkout_session
     where p.status in ('succeeded', 'requires_capture') and (s.status <> 'complete' or s.payment is distinct from p.id)`,
  'a session is paid what it shows': `
    select s.id, s.amount_total, s.currency, p.amount from checkout_sessions s
      join payments p on p.tenant = s.tenant and p.id = s.payment
     where s.status = 'complete' and s.payment_status <> 'no_payment_required'
       and (p.amount <> s.amount_total or p.currency <> s.currency)`,
  'a session has one event for its creation and its end, and one for each try that failed': `
    select s.id, s.status, s.late, t.* from checkout_sessions s
     cross join lateral (
       select count(*) filter (where e.type = 'checkout_session.created') as created,
              count(*) filter (where e.type = 'checkout_session.completed') as completed,
              count(*) filter (where e.type = 'checkout_session.expired') as expired,
              count(*) filter (where e.type = 'checkout_session.payment_failed') as failed,
              count(*) filter (where e.type = 'checkout_session.processing') as processing
         from events e where e.tenant = s.tenant and e.object_id = s.id) t
     cross join lateral (
       select count(*) filter (where e.type in ('payment.failed', 'setup.failed')) as failed,
              count(*) filter (where e.type = 'payment.processing') as processing,
              count(distinct t.id) filter (where t.id like 'set!_%' escape '!') as setups
         from events e join ${tries} t on t.tenant = e.tenant and t.id = e.object_id
        where t.tenant = s.tenant and t.checkout_session = s.id) tries
     where t.created <> 1 or t.completed <> (s.status = 'complete')::int
        or t.expired <> (s.status = 'expired' or s.late is not null)::int
        or t.failed > tries.failed or t.processing > tries.processing + tries.setups
        or (s.status <> 'complete' and (t.failed < tries.failed or t.processing < tries.processing))`,
  'a subscription, its invoice and its customer are there exactly if their session is complete': `
    select s.id, s.status, s.subscription, s.invoice, s.customer from checkout_sessions s
     where s.mode = 'subscription' and (s.status = 'complete') <> (
             exists (select from subscriptions b where b.tenant = s.tenant and b.id = s.subscription and b.customer = s.customer)
         and exists (select from customers c where c.tenant = s.tenant and c.id = s.customer)
         and case when s.amount_total = 0 then exists (
               select from setups t where t.tenant = s.tenant and t.id = s.setup and t.status = 'succeeded')
             else exists (select from invoices i where i.tenant = s.tenant and i.id = s.invoice and i.payment = s.payment
                        and i.subscription = s.subscription and i.status = 'paid' and i.amount_due = s.amount_total)
              and exists (select from payments p where p.tenant = s.tenant and p.id = s.payment and p.invoice = s.invoice
                        and p.customer = s.customer) end)
    union all
    select s.id, s.status, s.subscription, s.invoice, s.customer from checkout_sessions s
     where s.status <> 'complete' and (s.subscription is not null or s.invoice is not null and s.mode = 'subscription')`,
  'a session that pays an invoice is complete exactly if its payment has paid the invoice, and every try is of that invoice': `
    select s.id, s.status, s.invoice, s.payment from checkout_sessions s
     where s.mode = 'payment' and s.invoice is not null
       and ((s.status = 'complete' and s.payment_status = 'paid') <> exists (
             select from payments p join invoices i on i.tenant = p.tenant and i.id = p.invoice
              where p.tenant = s.tenant and p.id = s.payment and p.status = 'succeeded' and p.invoice = s.invoice
                and p.amount = i.amount_due and i.payment = p.id and i.status in ('paid', 'void'))
         or exists (select from payments p
                     where p.tenant = s.tenant and p.checkout_session = s.id and p.invoice is distinct from s.invoice))`,
  'at most one payment of an invoice that has a page succeeds, and none begins before the one before is over': `
    select invoice as id, array_agg(id || ' ' || status order by id) as payments from payments p
     where status not in ('failed', 'canceled')
       and exists (select from checkout_sessions s where s.tenant = p.tenant and s.invoice = p.invoice and s.mode = 'payment')
     group by tenant, invoice having count(*) > 1`,
  'a try that did not succeed has made no subscription and no invoice': `
    select t.id, t.status from (select *, substr(id, strpos(id, '_')) as body from ${tries} t) t
     where t.status <> 'succeeded'
       and (exists (select from subscriptions b where b.tenant = t.tenant and b.id = 'sub' || t.body)
         or exists (select from invoices i where i.tenant = t.tenant and i.id = 'in' || t.body))`,
  'a sale of a payment link is a session that is complete, and is counted': `
    select s.id, s.status from checkout_sessions s
     where s.payment_link is not null and (s.status = 'complete') <> exists (
       select from payment_link_sales x where x.tenant = s.tenant and x.id = s.id and x.link = s.payment_link)
    union all
    select c.id, c.completed::text from payment_link_counts c
     where c.completed <> (select count(*) from payment_link_sales x where x.tenant = c.tenant and x.link = c.id)`,
  'a limited link sells no more than its limit, but for what was paid late; a try that is under way holds its place': `
    select l.id, l.sales_limit, sold.on_time, sold.trying from payment_links l cross join lateral (
       select count(*) filter (where s.status = 'complete' and s.late is null) as on_time,
              count(*) filter (where s.status = 'processing' or s.awaits_customer) as trying,
              count(*) filter (where (s.status = 'processing' or s.awaits_customer) and not exists (
                select from payment_link_places h where h.tenant = s.tenant and h.id = s.id)) as without
         from checkout_sessions s where s.tenant = l.tenant and s.payment_link = l.id) sold
     where l.sales_limit is not null and (sold.on_time + sold.trying > l.sales_limit or sold.without > 0)`,
};

/** Only once faults have ended and time has passed. */
export const checkoutRestRules: Record<string, string> = {
  'no session is processing, leased, or due when it is over': `
    select id, status, due_at, lease_until from checkout_sessions
     where status = 'processing' or lease_until is not null or (status in ('complete', 'expired') and due_at is not null)`,
  'no session holds a place without a try': `
    select h.id, s.status from payment_link_places h left join checkout_sessions s on s.tenant = h.tenant and s.id = h.id
     where s.awaits_customer is not true`,
};
