-- tollgate: rolling
-- Mails about what needs attention, by each person's choice.
create table if not exists attention_mails (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  frequency text collate "C" not null check (frequency in ('off', 'daily', 'at_once')),
  told json not null,
  mailed_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((frequency = 'off') = (due_at is null))
) with (fillfactor = 80);
comment on table attention_mails is 'people who get mails about what needs attention in an account and mode';
comment on column attention_mails.id is 'the user';
comment on column attention_mails.told is 'what was mailed already, by kind and object, and when: what waits stays here, so that each is mailed once';
create index if not exists attention_mails_due on attention_mails (due_at) where due_at is not null;
create index if not exists attention_mails_due_of_tenant on attention_mails (tenant, due_at) where due_at is not null;
