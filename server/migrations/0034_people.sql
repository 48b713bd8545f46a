-- People who sign in, and what they may do. None of this belongs to a tenant: a user may work in several accounts.

create table users (
  id text collate "C" primary key,
  version int4 not null,
  email text collate "C" not null unique check (email = lower(email)),
  password text not null,
  totp_secret bytea,
  totp_step int8
);
comment on column users.password is 'argon2id';
comment on column users.totp_secret is 'sealed by the root key';
comment on column users.totp_step is 'the step of the code that was used last: each code works once';

create table memberships (
  account text collate "C" not null references accounts (id),
  user_id text collate "C" not null references users (id),
  version int4 not null,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  primary key (account, user_id)
);
create index memberships_by_user on memberships (user_id, account);

create table sessions (
  id text collate "C" primary key,
  version int4 not null,
  hash bytea not null unique,
  user_id text collate "C" not null references users (id),
  address text not null,
  browser text,
  expires_at timestamptz not null,
  ended_at timestamptz,
  last_used timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id, id);
create index sessions_by_expiry on sessions (expires_at);
comment on column sessions.hash is 'HMAC of the token in the cookie, which is kept nowhere';
comment on column sessions.ended_at is 'signed out; the row is kept until it expires, so that a later use of its token can be told from a guess';

-- One-time links by which the person who starts a development server signs in.
create table sign_in_links (
  hash bytea primary key,
  user_id text collate "C" not null references users (id),
  expires_at timestamptz not null
);

-- Who did it, and from where.
alter table audit add column user_id text collate "C";
alter table audit add column address text;
alter table audit add column request_id text collate "C";

alter table requests add column user_id text collate "C";

-- Failed sign-ins, by a keyed hash of the email and the network, and of the email alone: an email that no user has is counted too, and
-- is not stored.
create table sign_in_failures (
  bucket bytea primary key,
  failures int4 not null,
  last_at timestamptz not null
);
create index sign_in_failures_by_time on sign_in_failures (last_at);

-- Where each user has signed in from, by address or /64.
create table sign_in_networks (
  user_id text collate "C" not null references users (id),
  network text collate "C" not null,
  primary key (user_id, network)
);
