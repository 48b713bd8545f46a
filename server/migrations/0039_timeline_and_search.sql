-- tollgate: no transaction

-- The last four digits of the card, by which people look for a payment: with them and the amount it is found in one index. A payment
-- that is made pays one index entry, 143 bytes of write-ahead log; its updates pay nothing, since neither ever changes.
alter table payments add column if not exists last4 text;
comment on column payments.last4 is 'of the card; null if the payment method was gone when the column was added';
update payments p set last4 = m.last4 from payment_methods m
 where m.tenant = p.tenant and m.id = p.payment_method and p.last4 is null;
create index concurrently if not exists payments_by_card on payments (tenant, amount, last4, id) where last4 is not null;

-- 204 bytes of write-ahead log for a customer with an email.
create index concurrently if not exists customers_by_email on customers (tenant, lower(email), id) where email is not null;

-- The processor's own names. The simulator's follow from the id of the attempt, so payments without a processor account pay nothing.
create index concurrently if not exists attempts_by_reference on attempts (tenant, reference)
  where reference is not null and processor_account is not null;

-- Timelines: what happened to an object. Ids begin with their time, so events are added near the end of their index: 132 bytes.
create index concurrently if not exists events_by_object on events (tenant, object_id, id);
create index concurrently if not exists attempts_by_refund on attempts (tenant, refund, id) where refund is not null;
create index concurrently if not exists attempts_by_dispute on attempts (tenant, dispute, id) where dispute is not null;
create index concurrently if not exists audit_by_subject on audit (account, subject, id) where subject is not null;
