-- What an endpoint has missed is sent again by the worker, step by step: 30 days of events are too many for one request.
create table webhook_recoveries (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  position text collate "C" not null,
  until text collate "C" not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index webhook_recoveries_due on webhook_recoveries (due_at);
comment on column webhook_recoveries.id is 'of the endpoint, which has one recovery at a time';
comment on column webhook_recoveries.position is 'up to this id events have been looked at';
comment on column webhook_recoveries.until is 'the first id that is too late: the moment of the call';

-- https://a.com, https://A.com/ and https://a.com:443/ are one address, and were taken for three.
alter table webhook_endpoints add column href text;
drop index webhook_endpoints_apart;
create unique index webhook_endpoints_apart
  on webhook_endpoints (tenant, md5(coalesce(href, url) || ' ' || enabled_events::text));
comment on column webhook_endpoints.url is 'as it was sent';
comment on column webhook_endpoints.href is 'the url in the one spelling that is compared; null until a row from before this column is changed';
