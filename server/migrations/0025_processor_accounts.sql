-- An account at a processor. Its credentials are one secret in the vault; `secret` is the id of that secret, a new one with each change.
create table processor_accounts (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  connector text not null,
  name text not null,
  enabled bool not null,
  settings json not null,
  secret text collate "C" not null,
  identity text,
  last_verified_at timestamptz,
  poll_cursor text,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index processor_accounts_due on processor_accounts (due_at) where due_at is not null;
comment on column processor_accounts.identity is 'the name that the processor itself has for the account, once it was asked';
comment on column processor_accounts.poll_cursor is 'where the next poll for missed notices begins';

-- Which processors are tried for a payment. One row at most for each tenant.
create table routing (
  tenant int4 not null,
  id text collate "C" not null check (id = 'routing'),
  version int4 not null,
  rules json not null,
  primary key (tenant, id)
);

alter table attempts
  add column processor_account text collate "C",
  add column reason text,
  add column advice text,
  add column finished_at timestamptz,
  drop constraint attempts_state_check,
  add constraint attempts_state_check check (state in
    ('open', 'unknown', 'pending', 'challenged', 'approved', 'declined', 'reversed', 'lost', 'not_sent')) not valid;
alter table attempts validate constraint attempts_state_check;
comment on column attempts.state is 'reversed: an authorization that was undone; lost: the processor never received it; not_sent: the processor provably did not act';
comment on column attempts.reason is 'why this processor was chosen; null where there was no choice';

alter table payments add column processor json;
comment on column payments.processor is 'the processor account that took it, its connector and its reference; null without an account';

alter table disputes add column processor_account text collate "C";
