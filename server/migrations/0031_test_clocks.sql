-- tollgate: no transaction

-- A clock of test mode. Customers that are created with it live in its time, which moves only when the clock is advanced.
create table if not exists test_clocks (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  name text,
  frozen_time timestamptz not null,
  target timestamptz,
  status text not null check (status in ('ready', 'advancing')),
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((status = 'advancing') = (target is not null))
);
comment on column test_clocks.frozen_time is 'where the clock is; during an advance it moves from one due moment to the next';
comment on column test_clocks.target is 'where the advance under way leads; null: the clock stands';
create index concurrently if not exists test_clocks_due on test_clocks (due_at) where due_at is not null;

-- The tombstone of a clock. It is due until all its customers are deleted.
create table if not exists deleted_test_clocks (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  frozen_time timestamptz not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
comment on column deleted_test_clocks.frozen_time is 'where the clock was: the time of everything that still happens to what was in it';
create index concurrently if not exists deleted_test_clocks_due on deleted_test_clocks (due_at) where due_at is not null;

alter table customers
  add column if not exists test_clock text collate "C",
  add column if not exists created_at timestamptz;
comment on column customers.test_clock is 'the clock that the customer lives by; null: real time';
comment on column customers.created_at is 'when it was created by its test clock; null: the time in the id';
create index concurrently if not exists customers_by_test_clock on customers (tenant, test_clock, id) where test_clock is not null;

alter table deleted_customers
  add column if not exists test_clock text collate "C",
  add column if not exists clock_time timestamptz;
comment on column deleted_customers.clock_time is 'where the test clock of the customer was at the deletion';

alter table payment_methods add column if not exists test_clock text collate "C";
comment on column payment_methods.test_clock is 'the clock of the customer that it is attached to';

alter table payments
  add column if not exists test_clock text collate "C",
  add column if not exists created_at timestamptz;
alter table refunds
  add column if not exists test_clock text collate "C",
  add column if not exists created_at timestamptz;
alter table disputes
  add column if not exists test_clock text collate "C",
  add column if not exists created_at timestamptz;
comment on column payments.test_clock is 'the clock of its customer; null: real time';
comment on column payments.created_at is 'when it was created by its test clock; null: the time in the id';
comment on column refunds.test_clock is 'the clock of its payment';
comment on column disputes.test_clock is 'the clock of its payment';
