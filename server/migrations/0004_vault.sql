-- Card numbers, security codes and other secrets, sealed before anything else sees them. Each tenant has data keys of its own, wrapped by
-- the operator's master key.

create table vault_keys (
  tenant int4 not null,
  version int4 not null check (version > 0),
  master text collate "C" not null,
  wrapped bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant, version)
);
comment on column vault_keys.master is 'which master key wraps it: a short name derived from that key, not a secret';

-- The reference to the key is what makes rotation safe beside running servers: a card cannot be added under a key that is gone, and a
-- key cannot be deleted while a card needs it, whatever a process has cached.
create table vault_cards (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  key_version int4 not null,
  sealed bytea not null,
  fingerprint bytea not null,
  primary key (tenant, id),
  foreign key (tenant, key_version) references vault_keys (tenant, version)
);
comment on column vault_cards.id is 'the payment method';
comment on column vault_cards.version is 'counts the changes of the row, for guarded writes; key_version names the data key';

-- Unlogged: a security code is in no write-ahead log, so in no archive of it and on no standby, and is gone after a crash. It can be
-- used for 14 minutes and is deleted every minute, so that none gets older than 15. Deleted rows stay in the file until a vacuum, which
-- therefore comes after a few of them, not after a share of the table. A code is for one authorization: of two concurrent ones, only one
-- finds the version that it deletes.
create unlogged table vault_cvcs (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null default 1,
  key_version int4 not null,
  sealed bytea not null,
  expires_at timestamptz not null default now() + interval '14 minutes',
  primary key (tenant, id),
  foreign key (tenant, key_version) references vault_keys (tenant, version)
) with (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);

-- Secrets that must be used again and therefore cannot be hashed: what webhooks are signed with, credentials at processors, tokens of cards
-- that a processor keeps. Sealed like cards.
create table vault_secrets (
  tenant int4 not null,
  id text collate "C" not null,
  key_version int4 not null,
  sealed bytea not null,
  primary key (tenant, id),
  foreign key (tenant, key_version) references vault_keys (tenant, version)
);
comment on column vault_secrets.id is 'what it belongs to, and which of its secrets it is: we_…/1';

-- A card with the code that may still be used, by the clock of the database. A view, so that one batched read returns both.
create view vault_contents as
  select c.tenant, c.id, c.key_version, c.sealed, v.key_version as cvc_key_version, v.sealed as cvc_sealed
    from vault_cards c
    left join vault_cvcs v on v.tenant = c.tenant and v.id = c.id and v.expires_at > now();
