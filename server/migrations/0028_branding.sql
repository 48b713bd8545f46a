-- tollgate: rolling
-- How an account shows itself to those who pay it, in both modes. Without a row it has set nothing.
create table if not exists branding (
  account text collate "C" primary key references accounts (id),
  version int4 not null,
  display_name text,
  logo json,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_address text,
  statement_descriptor text,
  terms_url text,
  privacy_url text
);
comment on column branding.logo is 'the name, the size and the type of the row of logos';

-- The files of logos, by names that follow from their content. They are read strictly, and written anew, before they are stored.
create table if not exists logos (
  account text collate "C" not null references accounts (id),
  name text collate "C" primary key,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (length(bytes) <= 262144)
);
alter table logos alter column bytes set storage external; -- pictures do not compress
