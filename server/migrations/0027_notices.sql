-- A notice of a processor: what it reports of its own accord. It is stored before it is handled, so that nothing is lost when handling
-- fails, and it stays for 30 days, so that a repeated one is recognized and any of them can be handled again.
create table notices (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  connector text not null,
  processor_account text collate "C",
  event_id text collate "C" not null,
  request bytea,
  reported json,
  failures int4 not null,
  reason text,
  flagged_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check (request is not null or reported is not null)
);
create unique index notices_once on notices (tenant, processor_account, event_id, connector) nulls not distinct;
create index notices_due on notices (due_at) where due_at is not null;
create index notices_flagged on notices (flagged_at) where flagged_at is not null;
alter table notices alter column request set storage external; -- sealed bytes do not compress
comment on column notices.event_id is 'by what the processor knows it: a repeated notice has the same';
comment on column notices.request is 'headers and body as they came, sealed; null for a notice that the processor was asked for';
comment on column notices.reported is 'what it reports; null while only the request is known';
comment on column notices.reason is 'the error of the last attempt to record it';
comment on column notices.flagged_at is 'it could not be recorded several times in a row: a person should see to it';
comment on column notices.due_at is 'when it is tried next; null once it is recorded, or dismissed';

insert into notices (tenant, id, version, connector, event_id, reported, failures, reason, flagged_at, due_at)
select tenant, id, version, connector, notice_id, json_build_array(notice), failures, reason, now(), due_at from failed_notices;
drop table failed_notices;

-- A processor sends its notices to the address of an account, without a tenant.
create unique index processor_accounts_by_id on processor_accounts (id);
