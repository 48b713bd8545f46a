-- tollgate: rolling

-- Codes of authenticators that were tried, by user and hour.
create table code_tries (
  user_id text collate "C" primary key references users (id),
  tries int4 not null,
  since timestamptz not null
);
create index code_tries_by_time on code_tries (since);
comment on column code_tries.since is 'when the hour began in which the tries are counted';

-- Whether everybody who works in the account needs an authenticator.
alter table accounts add column totp_required bool not null default false;
