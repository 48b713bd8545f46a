-- tollgate: rolling
-- tollgate: no transaction

-- What needs a person is listed across all accounts: a few rows among millions.
create index concurrently if not exists payments_flagged on payments (flagged_at) where flagged_at is not null;
create index concurrently if not exists refunds_flagged on refunds (flagged_at) where flagged_at is not null;
create index concurrently if not exists disputes_flagged on disputes (flagged_at) where flagged_at is not null;
comment on column refunds.flagged_at is 'fourteen days without a final answer: a person should see to it';
comment on column disputes.flagged_at is 'fourteen days without a final answer: a person should see to it';

-- A notice of a processor that could not be recorded. It is acknowledged once it is here, retried from here, and waits for a person.
create table if not exists failed_notices (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  connector text not null,
  notice_id text collate "C" not null,
  kind text not null,
  notice json not null,
  reason text not null,
  failures int4 not null check (failures > 0),
  due_at timestamptz not null,
  lease_until timestamptz,
  primary key (tenant, id)
);
create unique index if not exists failed_notices_once on failed_notices (tenant, connector, notice_id);
create index if not exists failed_notices_due on failed_notices (due_at);
comment on column failed_notices.notice_id is 'by what the processor knows it';
comment on column failed_notices.reason is 'the error of the last attempt to record it';
comment on column failed_notices.due_at is 'when it is tried again';
