-- Secrets that must be used again and therefore cannot be hashed: what webhooks are signed with. Sealed like cards.
create table vault_secrets (
  tenant int4 not null,
  id text collate "C" not null,
  key_version int4 not null,
  sealed bytea not null,
  primary key (tenant, id),
  foreign key (tenant, key_version) references vault_keys (tenant, version)
);
comment on column vault_secrets.id is 'what it belongs to, and which of its secrets it is: we_…/1';

-- An answer that holds a secret is kept sealed.
alter table idempotency add column sealed bool not null default false;

create table webhook_endpoints (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  url text not null,
  enabled_events jsonb not null,
  status text not null check (status in ('enabled', 'disabled')),
  description text,
  metadata json not null,
  secret int4 not null check (secret > 0),
  previous_until timestamptz,
  failing_since timestamptz,
  primary key (tenant, id)
);
-- The same address with the same events twice is a mistake: every event would arrive twice.
create unique index webhook_endpoints_apart on webhook_endpoints (tenant, md5(url || ' ' || enabled_events::text));
comment on column webhook_endpoints.enabled_events is 'sorted; jsonb, because the commit asks whether it holds a type';
comment on column webhook_endpoints.secret is 'the number of its current secret in vault_secrets';
comment on column webhook_endpoints.previous_until is 'until then the secret before the current one is used beside it';
comment on column webhook_endpoints.failing_since is 'the first failure since the last success; null while it answers';

-- One event on its way to one endpoint. The rows are made by the statement that writes the event.
create table deliveries (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  event text collate "C" not null,
  endpoint text collate "C" not null,
  state text not null check (state in ('pending', 'delivered', 'exhausted', 'canceled')),
  attempts int4 not null,
  due_at timestamptz,
  primary key (tenant, id),
  check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 80);
create index deliveries_by_endpoint on deliveries (tenant, endpoint, id);
-- Whoever asks for the few that failed does not read past the many that arrived.
create index deliveries_undelivered on deliveries (tenant, endpoint, state, id) where state <> 'delivered';
create index deliveries_due on deliveries (tenant, endpoint, due_at) where due_at is not null;
comment on column deliveries.id is 'made from the ids of event and endpoint: the same pair has the same delivery';
comment on column deliveries.attempts is 'how many were made in the current round; a resend begins anew';
comment on column deliveries.due_at is 'when the next attempt is made; whoever takes it moves this 15 s ahead, which is the lease';

create table delivery_attempts (
  tenant int4 not null,
  delivery text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  duration_ms int4 not null,
  status int2,
  error text,
  response bytea,
  primary key (tenant, delivery, id)
);
comment on column delivery_attempts.status is 'of the answer; null when there was none';
comment on column delivery_attempts.response is 'the first bytes of the answer';
