-- Accounts, keys and the machinery that every resource stands on.
-- Ids are collated "C" and begin with their time, so that the primary key is also the order of creation; no table needs a `created`
-- column where the id already says it. Every key of a business table starts with the tenant.

create table accounts (
  id text collate "C" primary key,
  name text not null,
  tier text not null check (tier in ('standard', 'premium', 'enterprise')),
  rate_limit int4 check (rate_limit > 0),
  status text not null default 'active' check (status in ('active', 'suspended')),
  check ((tier = 'enterprise') = (rate_limit is not null))
);

-- One account in one mode. A small number, because it stands in every row and every index.
create table tenants (
  tenant int4 generated always as identity primary key,
  account text collate "C" not null references accounts (id),
  mode text not null check (mode in ('test', 'live')),
  unique (account, mode)
);

create table api_keys (
  id text collate "C" primary key,
  tenant int4 not null references tenants (tenant),
  hash bytea not null unique,
  hint text not null,
  name text not null,
  scopes text[] collate "C",
  allowed_ips text[],
  signature_required bool not null default false,
  expires_at timestamptz,
  revoked_at timestamptz,
  rolled_to text collate "C",
  last_used timestamptz
);
create index api_keys_by_tenant on api_keys (tenant, id);
comment on column api_keys.scopes is 'null: a secret key, which may do everything';
comment on column api_keys.hash is 'HMAC of the whole key; the key itself is shown once and kept nowhere';

-- The root of all derived secrets, sealed by the operator's master key.
create table root_keys (
  version int4 primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- Who did what to accounts, keys and the vault. Append only.
create table audit (
  id int8 generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  account text collate "C",
  subject text collate "C",
  details json not null default '{}'
);
create index audit_by_account on audit (account, id);

create table idempotency (
  tenant int4 not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  operation text not null,
  request_id text collate "C" not null,
  status int2 not null,
  body bytea not null,
  replays int4 not null default 0,
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (tenant, key)
) with (fillfactor = 90);
create index idempotency_by_expiry on idempotency using brin (expires_at);
comment on column idempotency.replays is 'a replay writes: under synchronous replication a mere read could answer for a commit that a failover then loses';

-- Signed requests without an idempotency key, which are accepted once.
create table used_signatures (
  tenant int4 not null,
  signature bytea not null,
  request_id text collate "C" not null,
  expires_at timestamptz not null default now() + interval '11 minutes',
  primary key (tenant, signature)
);
comment on column used_signatures.expires_at is 'a timestamp is good for 300 s before and after its moment; a minute more for clocks that differ';

-- One row a tenant and bucket, reused every minute: the table never grows and needs no sweeping.
create table rate_windows (
  tenant int4 not null,
  bucket text collate "C" not null,
  window_start timestamptz not null,
  used int4 not null,
  primary key (tenant, bucket)
) with (fillfactor = 50);

create table events (
  tenant int4 not null,
  id text collate "C" not null,
  type text collate "C" not null,
  object_id text collate "C" not null,
  object_version int4 not null,
  request_id text collate "C",
  payload bytea not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (tenant, id)
);
create index events_by_type on events (tenant, type, id);
comment on column events.payload is 'the bytes that are shown, signed and sent: never parsed and written again by the database';
comment on column events.xact is 'rows commit out of id order: whoever tails stops below pg_snapshot_xmin';

create table requests (
  at timestamptz not null,
  id text collate "C" not null,
  tenant int4,
  api_key text collate "C",
  operation text,
  method text not null,
  path text not null,
  status int2 not null,
  code text,
  duration_us int4 not null,
  address text not null,
  idempotency_key text,
  object_id text collate "C",
  parameters json
) partition by range (at);
create index requests_by_tenant on requests (tenant, id);
