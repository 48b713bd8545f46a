-- tollgate: no transaction

-- The secret that notices were signed with before a rotation, until the processor has stopped to use it.
alter table processor_accounts
  add column if not exists previous_secret text collate "C",
  add column if not exists previous_until timestamptz;
comment on column processor_accounts.previous_secret is 'the id in the vault of the webhook secret before the last change; null without one';
comment on column processor_accounts.previous_until is 'until then notices may be signed with it';

-- Whether an account was ever used is one look. Payments without an account pay nothing for it.
create index concurrently if not exists attempts_by_processor_account on attempts (tenant, processor_account)
  where processor_account is not null;

-- An attempt must never lose the account that alone knows its outcome, whatever is deleted at the same moment.
alter table attempts drop constraint if exists attempts_processor_account_fkey;
alter table attempts add constraint attempts_processor_account_fkey
  foreign key (tenant, processor_account) references processor_accounts (tenant, id) not valid;
alter table attempts validate constraint attempts_processor_account_fkey;
