-- tollgate: rolling
-- tollgate: no transaction
-- Recurring revenue, and how dunning ends. A maintenance task fills in what subscriptions bring in a month. Items that a server of the
-- previous version changes meanwhile keep their earlier revenue until the next period.
alter table subscriptions add column if not exists mrr int8, add column if not exists lost_at timestamptz;
comment on column subscriptions.mrr is 'what it brings in a month while it is active, after coupons that go on; null: not filled in yet';
comment on column subscriptions.lost_at is 'when it ended, in real time; null: it has not, never began, or ended before this was stored';
alter table invoices add column if not exists dunning_ended_at timestamptz;
comment on column invoices.dunning_ended_at is 'when it was paid after a failure, or given up, in real time; null: neither, or before this was stored';
create table if not exists revenue_days (
  tenant int4 not null,
  day date not null,
  figures json,
  primary key (tenant, day)
);
comment on table revenue_days is 'the recurring revenue at the end of each day (UTC)';
comment on column revenue_days.figures is 'by currency: mrr, and how many subscriptions are active; null: the day has not ended';
-- It takes the place of subscriptions_by_status: the revenue of a tenant is added up without reading the table.
drop index concurrently if exists subscriptions_by_status_with_revenue;
create index concurrently subscriptions_by_status_with_revenue on subscriptions (tenant, status, id)
  include (currency, mrr, lost_at);
drop index concurrently if exists subscriptions_by_status;
drop index concurrently if exists subscriptions_lost;
create index concurrently subscriptions_lost on subscriptions (tenant, lost_at) include (currency) where lost_at is not null;
-- What is left to fill in. It is empty as soon as that is done.
drop index concurrently if exists subscriptions_without_mrr;
create index concurrently subscriptions_without_mrr on subscriptions (tenant, id)
  where mrr is null and status in ('active', 'past_due');
drop index concurrently if exists invoices_by_end_of_dunning;
create index concurrently invoices_by_end_of_dunning on invoices (tenant, dunning_ended_at)
  include (currency, status, amount_due) where dunning_ended_at is not null;
