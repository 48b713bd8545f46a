-- tollgate: rolling
-- tollgate: no transaction
-- The ids that customers, prices and subscriptions have in another system. An index has only the rows with one, so it costs the others
-- nothing.
alter table customers add column if not exists external_id text collate "C";
alter table prices add column if not exists external_id text collate "C";
alter table subscriptions add column if not exists external_id text collate "C";
create unique index concurrently if not exists customers_by_external_id on customers (tenant, external_id)
  where external_id is not null;
create unique index concurrently if not exists prices_by_external_id on prices (tenant, external_id)
  where external_id is not null;
create unique index concurrently if not exists subscriptions_by_external_id on subscriptions (tenant, external_id)
  where external_id is not null;
comment on column customers.external_id is 'its id in another system; a deleted customer gives it up';
comment on column prices.external_id is 'its id in another system';
comment on column subscriptions.external_id is 'its id in another system';
