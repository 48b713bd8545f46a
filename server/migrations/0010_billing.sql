-- Prices and coupons, credit, subscriptions and invoices. Times of billing are epoch seconds: all arithmetic on them is exact, and they may
-- be those of a test clock.

-- An amount that recurs. Its terms never change, and it is never deleted: subscriptions and invoices refer to it.
create table prices (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  active bool not null,
  currency text not null,
  unit_amount int8 not null check (unit_amount between 0 and 999999999999),
  interval text not null,
  interval_count int4 not null,
  product_name text not null check (product_name <> ''),
  metadata json,
  primary key (tenant, id),
  constraint prices_period check (interval_count between 1 and
    case interval when 'day' then 1095 when 'week' then 156 when 'month' then 36 when 'year' then 3 else 0 end)
);
create index prices_by_active on prices (tenant, active, id);
comment on column prices.active is 'an inactive price sells nothing new';
comment on column prices.unit_amount is 'of one, in the smallest unit of the currency';
comment on column prices.metadata is 'null: never supplied';

-- A discount: a percentage, or an amount in a currency.
create table coupons (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  percent_hundredths int4 check (percent_hundredths between 1 and 10000),
  amount_off int8 check (amount_off between 1 and 999999999999),
  currency text,
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  duration_in_months int4 check (duration_in_months between 1 and 36),
  name text,
  metadata json,
  deleted bool not null,
  primary key (tenant, id),
  constraint coupons_discount check (num_nonnulls(percent_hundredths, amount_off) = 1),
  constraint coupons_currency check ((amount_off is null) = (currency is null)),
  constraint coupons_months check ((duration = 'repeating') = (duration_in_months is not null))
);
-- Lists show those that are not deleted.
create index coupons_by_deleted on coupons (tenant, deleted, id);
comment on column coupons.percent_hundredths is 'hundredths of a percent: 3333 is 33.33 percent';
comment on column coupons.metadata is 'null: never supplied';
comment on column coupons.deleted is 'nobody can be given it any more; the row stays for those who have it';

-- Every change of a customer's credit, which the next invoices use before anything is charged. Rows are only ever added.
create table credit_transactions (
  tenant int4 not null,
  id text collate "C" not null,
  customer text collate "C" not null,
  amount int8 not null check (amount <> 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  invoice text collate "C",
  created timestamptz,
  primary key (tenant, id)
);
create index credit_transactions_by_customer on credit_transactions (tenant, customer, id);
comment on column credit_transactions.amount is 'above 0 was added, below 0 was taken away';
comment on column credit_transactions.invoice is 'the invoice that added or used it; null: the customer was deleted';
comment on column credit_transactions.created is 'the time of the test clock that the customer lives in; null: the time in the id';

-- Amounts that wait for the next invoice of a customer.
create table invoice_items (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  amount int8 not null check (amount <> 0 and abs(amount) <= 999999999999),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  description text not null,
  subscription text collate "C",
  invoice text collate "C",
  created timestamptz,
  primary key (tenant, id)
);
create index invoice_items_by_customer on invoice_items (tenant, customer, id);
-- Few wait at a time, however many were invoiced.
create index invoice_items_waiting on invoice_items (tenant, customer, id) where invoice is null;
comment on column invoice_items.subscription is 'whose invoice it waits for; null: any next one of the customer';
comment on column invoice_items.invoice is 'the invoice that has taken it; null while it waits';
comment on column invoice_items.created is 'the time of the test clock that the customer lives in; null: the time in the id';

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
  -- How much of the invoices of the current period was credited, so that no more is credited than what is left of them.
  credits jsonb,
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
create index subscriptions_due_by_tenant on subscriptions (tenant, due_at) where due_at is not null;
comment on column subscriptions.period_invoice is 'the invoice of the current period';
comment on column subscriptions.open_invoices is 'how many of its invoices are open';
comment on column subscriptions.waiting_lines is 'how many lines wait for its next invoice';
comment on column subscriptions.trial_announced is 'whether subscription.trial_will_end was sent';
comment on column subscriptions.coupon_used is 'whether a coupon for one invoice has lessened one';
comment on column subscriptions.gives_up is 'it was canceled at the end of dunning: its open invoices become uncollectible';
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

-- Changes of subscriptions, and new ones, that wait for the response of a processor: they take effect only if their payment succeeds.
create table pending_changes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  plan json not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index pending_changes_due on pending_changes (due_at) where due_at is not null;
create index pending_changes_due_by_tenant on pending_changes (tenant, due_at) where due_at is not null;
comment on column pending_changes.id is 'the payment that it waits for';
comment on column pending_changes.plan is 'the subscription and the draft of its invoice as they become, and the version of the subscription that it was planned on';

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
  -- An uncollectible invoice that is paid, and whose payment turns out to have failed, is uncollectible again and not collected anew.
  was_given_up bool not null default false,
  closing text check (closing in ('void', 'refund')),
  -- How often the payment of an invoice that is being closed was canceled or refunded in vain, since when, and since when it waits for a
  -- person.
  closing_tries int4 not null default 0,
  closing_since timestamptz,
  flagged_at timestamptz,
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
-- All invoices of a subscription have its customer, so a list of both is a list of the subscription.
create index invoices_by_customer on invoices (tenant, customer, status, id);
create index invoices_by_subscription on invoices (tenant, subscription, status, id) where subscription is not null;
create index invoices_by_status on invoices (tenant, status, id);
create unique index invoices_by_number on invoices (tenant, number) where number is not null;
-- Whatever crashes, a period is invoiced once.
create unique index invoices_of_periods on invoices (tenant, subscription, period_start)
  where billing_reason in ('subscription_create', 'subscription_cycle');
create index invoices_due on invoices (due_at) where due_at is not null;
create index invoices_by_clock on invoices (tenant, test_clock) where test_clock is not null;
create index invoices_due_by_clock on invoices (tenant, test_clock, clock_due_at) where clock_due_at is not null;
create index invoices_in_dunning on invoices (tenant, failed_at, id) where status = 'open' and failed_at is not null;
create index invoices_due_by_tenant on invoices (tenant, due_at) where due_at is not null;
create index invoices_flagged on invoices (tenant, flagged_at, id) where flagged_at is not null and closing is not null;
comment on column invoices.is_charging is 'whether its payment has no outcome yet';
comment on column invoices.failed_at is 'when collecting it failed for the first time: the days of dunning count from here';
comment on column invoices.closing is 'void: as soon as its payment is over; refund: it is void, and a payment that succeeded is to be refunded';

-- The last number that a tenant has given in a sequence. It is updated in the commit that uses the number, so there are no gaps.
create table sequences (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  last int8 not null,
  primary key (tenant, id)
);
