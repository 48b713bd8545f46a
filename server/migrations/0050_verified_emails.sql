-- Several users may have one email: an invitation proves nothing about it, because whoever made it has the link. For one of them, at most,
-- the email is verified. Older servers take the email for unique: they must not run beside this.

create table verified_emails (
  email text collate "C" primary key check (email = lower(email)),
  user_id text collate "C" not null unique references users (id),
  version int4 not null,
  verified_at timestamptz not null
);

alter table users drop constraint users_email_key;
create index users_by_email on users (email, id);

alter table users add column home_account text collate "C" references accounts (id);
comment on column users.home_account is 'the account whose invitation made the user; null for users made without one';

-- The first invitation that somebody accepted made the user. What the operator made is verified. Of an email that an owner has typed, nobody
-- knows whose it is.
with first as (
  select distinct on (email) email, account, invited_by from invitations where accepted_at is not null order by email, accepted_at, id
)
update users u set home_account = f.account from first f where f.email = u.email;

with first as (
  select distinct on (email) email, invited_by from invitations where accepted_at is not null order by email, accepted_at, id
)
insert into verified_emails (email, user_id, version, verified_at)
select u.email, u.id, 1, now() from users u left join first f on f.email = u.email where f.invited_by is null;
