-- tollgate: rolling
-- Codes by which customers sign in to the portal without a link: also for addresses that nobody has, so that nothing tells them apart.
create table if not exists portal_codes (
  tenant int4 not null references tenants,
  id text collate "C" not null,
  version int4 not null,
  sealed bytea not null,
  email_hash bytea not null,
  hash bytea not null,
  tries int4 not null,
  expires_at timestamptz not null,
  proved_at timestamptz,
  used_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
) with (fillfactor = 80);
comment on column portal_codes.sealed is 'the email, and the code while it waits for its mail';
comment on column portal_codes.hash is 'a keyed hash of the code';
comment on column portal_codes.due_at is 'when its mail is to be written; null: that was decided';
create index if not exists portal_codes_due on portal_codes (due_at) where due_at is not null;
create index if not exists portal_codes_due_by_tenant on portal_codes (tenant, due_at) where due_at is not null;
-- An address gets few of them in an hour.
create index if not exists portal_codes_by_email on portal_codes (tenant, email_hash, id);

-- The codes that a network has asked for in an hour, over all instances.
create table if not exists portal_code_counts (
  network bytea primary key,
  codes int4 not null,
  since timestamptz not null
);
