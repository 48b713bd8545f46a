-- Accounts at processors, which of them are tried for a payment, and what processors report.

-- The credentials of an account are one secret in the vault; `secret` is the id of that secret, a new one with each change.
create table processor_accounts (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  connector text not null,
  name text not null,
  enabled bool not null,
  settings json not null,
  secret text collate "C" not null,
  previous_secret text collate "C",
  previous_until timestamptz,
  identity text,
  credentials_since timestamptz,
  last_verified_at timestamptz,
  poll_cursor text,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index processor_accounts_due on processor_accounts (due_at) where due_at is not null;
-- A processor sends its notices to the address of an account, without a tenant.
create unique index processor_accounts_by_id on processor_accounts (id);
create index processor_accounts_due_by_tenant on processor_accounts (tenant, due_at) where due_at is not null;
comment on column processor_accounts.previous_secret is 'the id in the vault of the webhook secret before the last change; null without one';
comment on column processor_accounts.previous_until is 'until then notices may be signed with it';
comment on column processor_accounts.identity is 'the name that the processor itself has for the account, once it was asked';
comment on column processor_accounts.credentials_since is
  'since when the credentials are known to be of one account at the processor; null: since the row was made';
comment on column processor_accounts.poll_cursor is 'where the next poll for missed notices begins';

-- Which processors are tried for a payment. At most one row per tenant.
create table routing (
  tenant int4 not null,
  id text collate "C" not null check (id = 'routing'),
  version int4 not null,
  rules json not null,
  primary key (tenant, id)
);

-- A notice is what a processor reports unasked. It is stored before it is handled, so that nothing is lost when handling fails, and it is
-- kept for 30 days, so that a repeated one is recognized and any of them can be handled again.
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
alter table notices alter column request set storage external; -- sealed bytes do not compress
create unique index notices_once on notices (tenant, processor_account, event_id, connector) nulls not distinct;
create index notices_due on notices (due_at) where due_at is not null;
create index notices_flagged_by_tenant on notices (tenant, flagged_at, id) where flagged_at is not null;
create index notices_due_by_tenant on notices (tenant, due_at) where due_at is not null;
comment on column notices.event_id is 'by what the processor knows it: a repeated notice has the same';
comment on column notices.request is 'headers and body as they came, sealed; null for a notice that the processor was asked for';
comment on column notices.reported is 'what it reports; null while only the request is known';
comment on column notices.reason is 'the error of the last attempt to record it';
comment on column notices.flagged_at is 'it could not be recorded several times in a row: a person should see to it';
comment on column notices.due_at is 'when it is tried next; null once it is recorded, or dismissed';
