-- tollgate: rolling

-- A deleted customer may leave more behind than fits in one small commit. The rest is released in steps, by a duty on the tombstone.
alter table deleted_customers
  add column if not exists version int4 not null default 1,
  add column if not exists due_at timestamptz,
  add column if not exists lease_until timestamptz;
create index if not exists deleted_customers_due on deleted_customers (due_at) where due_at is not null;
comment on column deleted_customers.due_at is 'when the next step of the deletion is taken; null when nothing is left';
