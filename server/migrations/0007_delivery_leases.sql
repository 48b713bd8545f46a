-- A lease used to be a later due time, which is indexed: every delivery then cost four entries of indexes more.
alter table deliveries add column lease_until timestamptz;
comment on column deliveries.due_at is 'when the next attempt is made';
comment on column deliveries.lease_until is 'until then the delivery is with whoever took it';

-- Since when an endpoint has done nothing but fail. Apart from the endpoint: a receiver that fails every other time changes this
-- hundreds of times a second, and its owner's changes must not wait for that.
create table webhook_health (
  tenant int4 not null,
  endpoint text collate "C" not null,
  failing_since timestamptz not null,
  primary key (tenant, endpoint)
);
insert into webhook_health (tenant, endpoint, failing_since)
  select tenant, id, failing_since from webhook_endpoints where failing_since is not null;
alter table webhook_endpoints drop column failing_since;
