-- Everything about people that signing in does not need: a second factor, invitations, and who is told what in the audit log.

alter table users add column generation int4 not null default 0;
alter table users add column recovery_codes json not null default '[]';
alter table users add column last_seen timestamptz;
comment on column users.generation is 'counts the passwords that the user has chosen; a session of an earlier one is over';
comment on column users.recovery_codes is 'keyed hashes; each is removed when it is used';
comment on column users.last_seen is 'written beside the commits, every few seconds';

alter table sessions add column generation int4 not null default 0;

-- A link signs in (development), or sets a new password for somebody who has lost the old one. Those that there are live for minutes.
delete from sign_in_links;
alter table sign_in_links drop constraint sign_in_links_pkey;
alter table sign_in_links add column id text collate "C" primary key;
alter table sign_in_links add constraint sign_in_links_hash_key unique (hash);
alter table sign_in_links add column version int4 not null default 1;
alter table sign_in_links add column purpose text not null default 'sign_in' check (purpose in ('sign_in', 'reset'));
alter table sign_in_links add column clears_totp bool not null default false;

-- Changes with every change of a role in the account, so that two at once cannot leave it without an owner.
create table member_sets (
  account text collate "C" primary key references accounts (id),
  version int4 not null
);
insert into member_sets (account, version) select distinct account, 1 from memberships;

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

-- The id of an entry in the API holds its time in milliseconds.
alter table audit alter column at type timestamptz (3);
alter table audit add column refused bool not null default false;
create index audit_by_time on audit (account, at, id);
create index audit_by_user on audit (account, user_id, at, id);
create index audit_by_action on audit (account, action, at, id);
create index audit_by_subject on audit (account, subject, at, id);
create index audit_refused on audit (at) where refused;
drop index audit_by_account;
comment on column audit.refused is 'what somebody tried and was refused; kept for 90 days';
