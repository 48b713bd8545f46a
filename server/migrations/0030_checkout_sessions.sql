-- tollgate: rolling
-- tollgate: no transaction
-- Checkout sessions: what a customer is to pay for on a page, and how far that has come.
create table if not exists checkout_sessions (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  mode text not null check (mode in ('payment', 'setup', 'subscription')),
  status text not null check (status in ('open', 'processing', 'complete', 'expired')),
  payment_status text not null check (payment_status in ('unpaid', 'authorized', 'paid', 'no_payment_required')),
  amount_total int8 not null check (amount_total between 0 and 999999999999),
  amount_subtotal int8,
  amount_discount int8,
  currency text,
  description text,
  line_items json,
  customer text collate "C",
  customer_details json,
  capture_method text,
  save_payment_method text,
  subscription_data json,
  allow_coupons bool,
  coupon text collate "C",
  coupon_tries int4 not null,
  collect json,
  success_url text,
  cancel_url text,
  locale text,
  url text not null,
  reference text collate "C",
  metadata json,
  payment_link text collate "C",
  payment text collate "C",
  setup text collate "C",
  subscription text collate "C",
  invoice text collate "C",
  payment_method text collate "C",
  saves bool,
  awaits_customer bool,
  declines int4 not null,
  last_failure text,
  late bool,
  completed_at timestamptz,
  expires_at timestamptz not null,
  expired_reason text check (expired_reason in ('time', 'requested', 'too_many_attempts')),
  test_clock text collate "C",
  created_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  constraint checkout_sessions_complete check ((status = 'complete') = (completed_at is not null)),
  constraint checkout_sessions_expired check (status <> 'expired' or expired_reason is not null)
) with (fillfactor = 90);
create index if not exists checkout_sessions_due on checkout_sessions (due_at) where due_at is not null;
create index if not exists checkout_sessions_due_by_tenant on checkout_sessions (tenant, due_at) where due_at is not null;
create index if not exists checkout_sessions_by_status on checkout_sessions (tenant, status, id);
create index if not exists checkout_sessions_by_customer on checkout_sessions (tenant, customer, status, id) where customer is not null;
create index if not exists checkout_sessions_by_link on checkout_sessions (tenant, payment_link, status, id) where payment_link is not null;
create index if not exists checkout_sessions_of_customer on checkout_sessions (tenant, customer, id) where customer is not null;
create index if not exists checkout_sessions_of_link on checkout_sessions (tenant, payment_link, id) where payment_link is not null;
create index if not exists checkout_sessions_by_reference on checkout_sessions (tenant, reference, id) where reference is not null;
comment on column checkout_sessions.customer_details is 'what was typed; erased after 90 days';
comment on column checkout_sessions.coupon_tries is 'how many codes were wrong';
comment on column checkout_sessions.url is 'the address of its page, with the token';
comment on column checkout_sessions.payment is 'of the latest try';
comment on column checkout_sessions.saves is 'whether the customer has chosen to save the method of the latest try';
comment on column checkout_sessions.awaits_customer is 'the latest try waits for its customer, on a page of the processor or for an authentication';
comment on column checkout_sessions.declines is 'how many tries were declined';
comment on column checkout_sessions.last_failure is 'what the customer may know of why the latest try failed';
comment on column checkout_sessions.test_clock is 'the clock of its customer; null: real time';
comment on column checkout_sessions.created_at is 'when it was created by its test clock; null: the time in the id';
-- The names of coupons, which customers type.
drop index concurrently if exists coupons_by_name;
create index concurrently coupons_by_name on coupons (tenant, lower(name), id) where name is not null and not deleted;
