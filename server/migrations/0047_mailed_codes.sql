-- tollgate: rolling
-- Codes and links that people ask for by mail.
create table if not exists email_codes (
  user_id text collate "C" primary key references users (id),
  version int4 not null,
  hash bytea not null,
  tries int4 not null,
  expires_at timestamptz not null
);
comment on table email_codes is 'codes that were mailed to users, to verify their email';
comment on column email_codes.hash is 'keyed, of the user and the code';
comment on column email_codes.tries is 'wrong ones since the code was mailed';

create table if not exists reset_requests (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  request bytea not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
comment on table reset_requests is 'visitors who have forgotten their password, until a job has looked whether there is a user';
comment on column reset_requests.tenant is 'that of the installation';
comment on column reset_requests.request is 'the email and the address, sealed: a text that nobody has as email may be a password that was typed in the wrong place';
create index if not exists reset_requests_due on reset_requests (due_at) where due_at is not null;
create index if not exists reset_requests_due_of_tenant on reset_requests (tenant, due_at) where due_at is not null;

create table if not exists mail_requests (
  bucket bytea primary key,
  requests int4 not null,
  since timestamptz not null
);
comment on table mail_requests is 'how many mails were asked for within an hour, by a keyed hash of the email or the network: an email that nobody has is counted too';
