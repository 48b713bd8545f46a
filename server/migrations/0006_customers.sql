-- Customers with their payment methods, and the test clocks that they live by.
--
-- Tables with due rows have two indexes, here and later: by the due time; and by tenant and due time, for when much is due. Tenants are
-- then visited in turn, and the due rows of one do not hide those of another.

-- A clock of test mode. Customers that are created with it live in its time, which moves only when the clock is advanced.
create table test_clocks (
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
create index test_clocks_due on test_clocks (due_at) where due_at is not null;
create index test_clocks_due_by_tenant on test_clocks (tenant, due_at) where due_at is not null;
comment on column test_clocks.frozen_time is 'where the clock is; during an advance it moves from one due moment to the next';
comment on column test_clocks.target is 'where the advance under way leads; null: the clock stands';

-- The tombstone of a clock. It is due until all its customers are deleted.
create table deleted_test_clocks (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  frozen_time timestamptz not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index deleted_test_clocks_due on deleted_test_clocks (due_at) where due_at is not null;
create index deleted_test_clocks_due_by_tenant on deleted_test_clocks (tenant, due_at) where due_at is not null;
comment on column deleted_test_clocks.frozen_time is 'where the clock was: the time of everything that still happens to what was in it';

create table customers (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  email text,
  name text,
  phone text,
  metadata json not null,
  default_payment_method text collate "C",
  credit_balance json,
  test_clock text collate "C",
  created_at timestamptz,
  primary key (tenant, id)
);
create index customers_by_test_clock on customers (tenant, test_clock, id) where test_clock is not null;
-- 204 bytes of write-ahead log for a customer with an email.
create index customers_by_email on customers (tenant, lower(email), id) where email is not null;
comment on column customers.metadata is 'json, not jsonb: keys keep their order and numbers their spelling';
comment on column customers.credit_balance is 'by currency, each above 0; null when there is none';
comment on column customers.test_clock is 'the clock that the customer lives by; null: real time';
comment on column customers.created_at is 'when it was created by its test clock; null: the time in the id';

-- The tombstone of a customer, apart from the table of customers, so that a list page never has to skip deleted ones. A customer may leave
-- more behind than fits in one small commit: the rest is released in steps.
create table deleted_customers (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null default 1,
  deleted_at timestamptz not null,
  test_clock text collate "C",
  clock_time timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index deleted_customers_due on deleted_customers (due_at) where due_at is not null;
create index deleted_customers_due_by_tenant on deleted_customers (tenant, due_at) where due_at is not null;
comment on column deleted_customers.clock_time is 'where the test clock of the customer was at the deletion';
comment on column deleted_customers.due_at is 'when the next step of the deletion is taken; null when nothing is left';

-- A card whose number is in vault_cards, or one that a processor keeps: its token is then in vault_secrets, under the id of the method.
create table payment_methods (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C",
  detached bool not null,
  detached_from text collate "C",
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month int2 not null check (exp_month between 1 and 12),
  exp_year int2 not null,
  billing json not null,
  metadata json,
  processor_account text collate "C",
  processor_customer text,
  token_attempt text collate "C",
  forget_since timestamptz,
  left_since timestamptz,
  test_clock text collate "C",
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check (not detached or customer is null)
);
create index payment_methods_by_customer on payment_methods (tenant, customer, id) where customer is not null;
create index payment_methods_by_former_customer on payment_methods (tenant, detached_from) where detached_from is not null;
create index payment_methods_due on payment_methods (due_at) where due_at is not null;
-- Before a processor account is deleted: whether it keeps a card.
create index payment_methods_by_processor_account
  on payment_methods (tenant, processor_account) where processor_account is not null;
create index payment_methods_due_by_tenant on payment_methods (tenant, due_at) where due_at is not null;
create index payment_methods_left on payment_methods (tenant, left_since, id) where left_since is not null;
comment on column payment_methods.detached_from is 'whose it was: what is known of the cardholder goes with that customer';
comment on column payment_methods.billing is 'name, email and address as supplied; the number is in vault_cards';
comment on column payment_methods.processor_account is 'the processor account that keeps the card; null: the number is in vault_cards';
comment on column payment_methods.processor_customer is 'the processor''s own name for the customer that the card is attached to there; without one it can be charged once';
comment on column payment_methods.token_attempt is 'the attempt that has used a token which can be charged once';
comment on column payment_methods.forget_since is 'since when the processor is asked to delete the customer of a detached card';
comment on column payment_methods.left_since is 'since when a person has to see to what is left at the processor';
comment on column payment_methods.test_clock is 'the clock of the customer that it is attached to';
comment on column payment_methods.due_at is 'detached: when to see whether its number can be destroyed';
