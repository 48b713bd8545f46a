-- People who sign in, what they may do, and what they did. None of this belongs to a tenant: a user may work in several accounts.

-- Several users may have one email: an invitation proves nothing about it, because the person who created it has the link.
create table users (
  id text collate "C" primary key,
  version int4 not null,
  email text collate "C" not null check (email = lower(email)),
  home_account text collate "C" references accounts (id),
  password text not null,
  generation int4 not null default 0,
  totp_secret bytea,
  totp_step int8,
  recovery_codes json not null default '[]',
  last_seen timestamptz
);
create index users_by_email on users (email, id);
comment on column users.home_account is 'the account whose invitation made the user; null for users made without one';
comment on column users.password is 'argon2id';
comment on column users.generation is 'counts the passwords that the user has chosen; a session of an earlier one is over';
comment on column users.totp_secret is 'sealed by the root key';
comment on column users.totp_step is 'the step of the code that was used last: each code works once';
comment on column users.recovery_codes is 'keyed hashes; each is removed when it is used';
comment on column users.last_seen is 'written beside the commits, every few seconds';

-- For one user of an email, at most, the email is verified.
create table verified_emails (
  email text collate "C" primary key check (email = lower(email)),
  user_id text collate "C" not null unique references users (id),
  version int4 not null,
  verified_at timestamptz not null
);

create table memberships (
  account text collate "C" not null references accounts (id),
  user_id text collate "C" not null references users (id),
  version int4 not null,
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  primary key (account, user_id)
);
create index memberships_by_user on memberships (user_id, account);

-- Changes with every change of a role in the account, so that two concurrent ones cannot leave it without an owner.
create table member_sets (
  account text collate "C" primary key references accounts (id),
  version int4 not null
);

create table invitations (
  id text collate "C" primary key,
  version int4 not null,
  account text collate "C" not null references accounts (id),
  email text collate "C" not null check (email = lower(email)),
  role text not null check (role in ('owner', 'developer', 'support', 'viewer')),
  hash bytea not null unique,
  invited_by text collate "C",
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create index invitations_by_account on invitations (account, id);
comment on column invitations.hash is 'HMAC of the token in the link, which is kept nowhere';
comment on column invitations.invited_by is 'the user; null for the operator';

create table sessions (
  id text collate "C" primary key,
  version int4 not null,
  hash bytea not null unique,
  user_id text collate "C" not null references users (id),
  generation int4 not null default 0,
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

-- One-time links, which live for minutes. A link signs in the person who starts a development server, or sets a new password for somebody
-- who has lost the old one.
create table sign_in_links (
  id text collate "C" primary key,
  version int4 not null default 1,
  hash bytea not null unique,
  user_id text collate "C" not null references users (id),
  purpose text not null default 'sign_in' check (purpose in ('sign_in', 'reset')),
  clears_totp bool not null default false,
  expires_at timestamptz not null
);

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

-- Codes of authenticators that were tried, by user and hour.
create table code_tries (
  user_id text collate "C" primary key references users (id),
  tries int4 not null,
  since timestamptz not null
);
create index code_tries_by_time on code_tries (since);
comment on column code_tries.since is 'when the hour began in which the tries are counted';

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

-- Who did what to accounts, keys and the vault, and from where. Append only. The id of an entry in the API holds its time in milliseconds.
create table audit (
  id int8 generated always as identity primary key,
  at timestamptz (3) not null default now(),
  actor text not null,
  user_id text collate "C",
  action text not null,
  refused bool not null default false,
  account text collate "C",
  subject text collate "C",
  details json not null default '{}',
  address text,
  request_id text collate "C"
);
create index audit_by_time on audit (account, at, id);
create index audit_by_user on audit (account, user_id, at, id);
create index audit_by_action on audit (account, action, at, id);
create index audit_by_subject on audit (account, subject, at, id);
create index audit_refused on audit (at) where refused;
comment on column audit.refused is 'what somebody tried and was refused; kept for 90 days';
