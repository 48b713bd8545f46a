-- tollgate: rolling
-- tollgate: no transaction

-- A deleted customer may leave more behind than fits in one small commit. The rest is released in steps, by a duty on the tombstone.
alter table deleted_customers
  add column if not exists version int4 not null default 1,
  add column if not exists due_at timestamptz,
  add column if not exists lease_until timestamptz;
create index concurrently if not exists deleted_customers_due on deleted_customers (due_at) where due_at is not null;
comment on column deleted_customers.due_at is 'when the next step of the deletion is taken; null when nothing is left';

-- Lists can be filtered by an owner and a status at once: an index that has both serves that, and also the owner alone, as a page of each
-- status, merged. So these replace the indexes on the owner alone, and writing a row costs no more than before.
create index concurrently if not exists payments_by_customer_and_status on payments (tenant, customer, status, id) where customer is not null;
create index concurrently if not exists refunds_by_payment_and_status on refunds (tenant, payment, status, id);
create index concurrently if not exists disputes_by_payment_and_status on disputes (tenant, payment, status, id);
create index concurrently if not exists deliveries_by_endpoint_and_state on deliveries (tenant, endpoint, state, id);
create index concurrently if not exists postings_by_payment_and_kind on postings (tenant, payment, kind, id) where source <> payment;
drop index concurrently if exists payments_by_customer;
drop index concurrently if exists refunds_by_payment;
drop index concurrently if exists disputes_by_payment;
drop index concurrently if exists deliveries_by_endpoint;
drop index concurrently if exists deliveries_undelivered;
drop index concurrently if exists postings_by_payment;
