-- The last number that a tenant has given in a sequence. It is updated in the commit that uses the number, so there are no gaps.
create table sequences (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  last int8 not null,
  primary key (tenant, id)
);

-- Times of billing are epoch seconds: all arithmetic on them is exact, and they may be those of a test clock.
create table subscriptions (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  status text not null check (status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled')),
  currency text not null,
  items json not null,
  billing_interval text not null check (billing_interval in ('day', 'week', 'month', 'year')),
  interval_count int4 not null check (interval_count > 0),
  billing_cycle_anchor int8 not null,
  current_period_start int8 not null,
  current_period_end int8 not null check (current_period_end > current_period_start),
  period_invoice text collate "C",
  latest_invoice text collate "C",
  open_invoices int4 not null check (open_invoices >= 0),
  waiting_lines int4 not null check (waiting_lines >= 0),
  cancel_at_period_end bool not null,
  default_payment_method text collate "C",
  trial_start int8,
  trial_end int8,
  trial_announced bool not null,
  coupon text collate "C",
  coupon_applied int8,
  coupon_used bool not null,
  canceled_at int8,
  ended_at int8,
  paused_at int8,
  gives_up bool not null,
  metadata json,
  test_clock text collate "C",
  created int8 not null,
  due_at timestamptz,
  lease_until timestamptz,
  clock_due_at timestamptz,
  primary key (tenant, id)
);
create index subscriptions_by_customer on subscriptions (tenant, customer, status, id);
create index subscriptions_by_status on subscriptions (tenant, status, id);
create index subscriptions_due on subscriptions (due_at) where due_at is not null;
create index subscriptions_by_clock on subscriptions (tenant, test_clock) where test_clock is not null;
create index subscriptions_due_by_clock on subscriptions (tenant, test_clock, clock_due_at) where clock_due_at is not null;
comment on column subscriptions.period_invoice is 'the invoice of the current period';
comment on column subscriptions.open_invoices is 'how many of its invoices are open';
comment on column subscriptions.waiting_lines is 'how many lines wait for its next invoice';
comment on column subscriptions.gives_up is 'it was canceled at the end of dunning: its open invoices become uncollectible';
comment on column subscriptions.trial_announced is 'whether subscription.trial_will_end was sent';
comment on column subscriptions.coupon_used is 'whether a coupon for one invoice has lessened one';
comment on column subscriptions.clock_due_at is 'when it is due by its test clock; due_at is by real time';

-- The subscriptions that have a price, for lists by price.
create table subscription_prices (
  tenant int4 not null,
  price text collate "C" not null,
  status text not null,
  id text collate "C" not null,
  customer text collate "C" not null,
  primary key (tenant, price, status, id)
);
create index subscription_prices_by_customer on subscription_prices (tenant, customer, price, status, id);

-- Lines of prorations that wait for the next invoice of their subscription.
create table waiting_lines (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  subscription text collate "C" not null,
  line json not null,
  primary key (tenant, id)
);
create index waiting_lines_by_subscription on waiting_lines (tenant, subscription, id);

create table invoices (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  subscription text collate "C",
  status text not null check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  billing_reason text not null check (billing_reason in
    ('subscription_create', 'subscription_cycle', 'subscription_update', 'manual')),
  currency text not null,
  number int8,
  lines json not null,
  subtotal int8 not null,
  discount int8 not null check (discount >= 0),
  credit_applied int8 not null check (credit_applied >= 0),
  amount_due int8 not null check (amount_due >= 0),
  amount_paid int8 not null check (amount_paid in (0, amount_due)),
  period_start int8 not null,
  period_end int8 not null,
  payment text collate "C",
  is_charging bool not null,
  attempt_count int4 not null,
  failed_at int8,
  next_payment_attempt int8,
  last_failure json,
  paid_at int8,
  voided_at int8,
  closing text check (closing in ('void', 'refund')),
  metadata json,
  test_clock text collate "C",
  created int8 not null,
  due_at timestamptz,
  lease_until timestamptz,
  clock_due_at timestamptz,
  primary key (tenant, id),
  -- A draft of a customer that is deleted is voided without a number.
  check (case status when 'draft' then number is null when 'void' then true else number is not null end),
  check (amount_due = greatest(subtotal - discount - credit_applied, 0)),
  check ((status = 'paid') = (paid_at is not null))
);
create index invoices_by_customer on invoices (tenant, customer, status, id);
create index invoices_by_subscription on invoices (tenant, subscription, status, id) where subscription is not null;
create index invoices_by_customer_and_subscription on invoices (tenant, customer, subscription, status, id)
  where subscription is not null;
create index invoices_by_status on invoices (tenant, status, id);
create unique index invoices_by_number on invoices (tenant, number) where number is not null;
-- Whatever crashes, a period is invoiced once.
create unique index invoices_of_periods on invoices (tenant, subscription, period_start)
  where billing_reason in ('subscription_create', 'subscription_cycle');
create index invoices_due on invoices (due_at) where due_at is not null;
create index invoices_by_clock on invoices (tenant, test_clock) where test_clock is not null;
create index invoices_due_by_clock on invoices (tenant, test_clock, clock_due_at) where clock_due_at is not null;
comment on column invoices.is_charging is 'whether its payment has no outcome yet';
comment on column invoices.failed_at is 'when collecting it failed for the first time: the days of dunning count from here';
comment on column invoices.closing is 'void: as soon as its payment is over; refund: it is void, and a payment that succeeded is to be refunded';

alter table payments add column invoice text collate "C";

alter table accounts
  add column dunning_days json not null default '[1,3,5,7]',
  add column dunning_end text not null default 'canceled' check (dunning_end in ('canceled', 'unpaid', 'past_due'));
