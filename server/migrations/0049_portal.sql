-- tollgate: rolling
-- What the customers of an account may do in the portal. No row: the defaults.
create table if not exists portal_settings (
  tenant int4 primary key references tenants,
  version int4 not null,
  settings jsonb not null
);

-- A link to the portal, and the session that it begins. A session that was begun by a code has had no link.
create table if not exists portal_sessions (
  tenant int4 not null references tenants,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  return_url text,
  flow text,
  subject text collate "C",
  link_ends timestamptz,
  hash bytea,
  begun_at timestamptz,
  last_used timestamptz,
  ended_at timestamptz,
  primary key (tenant, id)
);
comment on column portal_sessions.subject is 'the subscription or the invoice of the flow';
comment on column portal_sessions.hash is 'a keyed hash of the cookie; null: nobody has used the link';
comment on column portal_sessions.last_used is 'to the minute; null: in the first';
-- Each request finds its session.
create unique index if not exists portal_sessions_by_hash on portal_sessions (tenant, hash) where hash is not null;
-- For signing out everywhere.
create index if not exists portal_sessions_open on portal_sessions (tenant, customer, id) where hash is not null and ended_at is null;

alter table subscriptions add column if not exists cancellation_reason text;
