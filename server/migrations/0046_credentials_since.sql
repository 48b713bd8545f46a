-- tollgate: rolling

-- Credentials that were replaced while nobody knew whose they are decide nothing about earlier attempts.
alter table processor_accounts add column credentials_since timestamptz;
comment on column processor_accounts.credentials_since is
  'since when the credentials are known to be of one account at the processor; null: since the row was made';
