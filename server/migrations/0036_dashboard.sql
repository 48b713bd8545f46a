-- What the dashboard shows beside the objects of the API themselves.

-- The scopes that the requests of each key have needed, exact to the hour. A key never has more rows than there are scopes.
create table api_key_uses (
  tenant int4 not null,
  key_id text collate "C" not null,
  scope text collate "C" not null,
  last_used timestamptz not null,
  primary key (tenant, key_id, scope)
);
alter table api_keys add column scope_uses_since timestamptz not null default now();
comment on column api_keys.scope_uses_since is 'since when api_key_uses knows what the key needs: not longer than this gateway notes it';

-- Lists with filters that a person wants to come back to.
create table saved_views (
  account text collate "C" not null references accounts (id),
  user_id text collate "C" not null references users (id),
  id text collate "C" not null,
  version int4 not null,
  name text not null,
  page text not null,
  query text not null,
  primary key (account, user_id, id)
);

-- Why an endpoint was disabled. One that its owner has disabled needs nobody's attention.
alter table webhook_endpoints add column disabled_at timestamptz;
alter table webhook_endpoints add column disabled_reason text check (disabled_reason in ('gone', 'failing'));
comment on column webhook_endpoints.disabled_at is 'when it was disabled because of failures; null for one that its owner has disabled';

-- What a comparison of the ledger with the statement of a processor has found, by the day and the processor. The next comparison of the
-- same day replaces it.
create table reconciliation_differences (
  tenant int4 not null,
  id text collate "C" not null,
  day date not null,
  connector text not null,
  processor_account text collate "C",
  what text not null,
  kind text not null,
  reference text not null,
  payment text collate "C",
  ledger json,
  processor json,
  primary key (tenant, id)
);
create index reconciliation_differences_by_day on reconciliation_differences (connector, processor_account, day);
