-- tollgate: rolling

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
comment on column prices.unit_amount is 'of one, in the smallest unit of the currency';
comment on column prices.active is 'an inactive price sells nothing new';
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
comment on column coupons.deleted is 'nobody can be given it any more; the row stays for those who have it';
comment on column coupons.metadata is 'null: never supplied';
