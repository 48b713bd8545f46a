-- Events, and the webhooks that deliver them.

create table events (
  tenant int4 not null,
  id text collate "C" not null,
  type text collate "C" not null,
  object_id text collate "C" not null,
  object_version int4 not null,
  request_id text collate "C",
  payload bytea not null,
  primary key (tenant, id)
);
create index events_by_type on events (tenant, type, id);
-- For timelines. Ids begin with their time, so events are added near the end of this index: 132 bytes of write-ahead log.
create index events_by_object on events (tenant, object_id, id);
comment on table events is 'rows commit out of id order, by a moment: whoever follows them reads the last minute again';
comment on column events.payload is 'the bytes that are shown, signed and sent: never parsed and written again by the database';

create table webhook_endpoints (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  url text not null,
  href text,
  enabled_events jsonb not null,
  status text not null check (status in ('enabled', 'disabled')),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  description text,
  metadata json not null,
  secret int4 not null check (secret > 0),
  previous_until timestamptz,
  primary key (tenant, id)
);
-- The same address with the same events twice is a mistake: every event would arrive twice.
create unique index webhook_endpoints_apart
  on webhook_endpoints (tenant, md5(coalesce(href, url) || ' ' || enabled_events::text));
comment on column webhook_endpoints.url is 'as it was sent';
comment on column webhook_endpoints.href is 'the url in the one spelling that is compared; null until a row from before this column is changed';
comment on column webhook_endpoints.enabled_events is 'sorted; jsonb, because the commit asks whether it holds a type';
comment on column webhook_endpoints.disabled_at is 'when it was disabled because of failures; null for one that its owner has disabled';
comment on column webhook_endpoints.secret is 'the number of its current secret in vault_secrets';
comment on column webhook_endpoints.previous_until is 'until then the secret before the current one is used beside it';

-- Since when an endpoint has only failed. Apart from the endpoint: a receiver that fails every other time changes this hundreds of times a
-- second, and its owner's changes must not wait for that.
create table webhook_health (
  tenant int4 not null,
  endpoint text collate "C" not null,
  failing_since timestamptz not null,
  primary key (tenant, endpoint)
);

-- The delivery of one event to one endpoint. The rows are inserted by the statement that writes the event. The lease is not the due time,
-- which is indexed: every delivery would then cost four more index entries.
create table deliveries (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  event text collate "C" not null,
  endpoint text collate "C" not null,
  state text not null check (state in ('pending', 'delivered', 'exhausted', 'canceled')),
  attempts int4 not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 80);
create index deliveries_due on deliveries (tenant, endpoint, due_at) where due_at is not null;
-- By endpoint and state; by the endpoint alone, a list is a page of each state, merged.
create index deliveries_by_endpoint_and_state on deliveries (tenant, endpoint, state, id);
-- A search for due deliveries goes from endpoint to endpoint within ten minutes, and stops at the present: what is due later is not read.
create index deliveries_due_soon
  on deliveries (date_bin('10 minutes', due_at, timestamptz '2000-01-01 00:00:00+00'), tenant, endpoint) where due_at is not null;
comment on column deliveries.id is 'made from the ids of event and endpoint: the same pair has the same delivery';
comment on column deliveries.attempts is 'how many were made in the current round; a resend begins anew';
comment on column deliveries.due_at is 'when the next attempt is made';
comment on column deliveries.lease_until is 'until then the delivery is with whoever took it';

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
-- For the live view of what happens, which reads the attempts of the last minute.
create index delivery_attempts_by_time on delivery_attempts (tenant, id);
comment on column delivery_attempts.status is 'of the answer; null when there was none';
comment on column delivery_attempts.response is 'the first bytes of the answer';

-- Missed events are sent again in the background, step by step: 30 days of events are too many for one request.
create table webhook_recoveries (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  position text collate "C" not null,
  until text collate "C" not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index webhook_recoveries_due on webhook_recoveries (due_at);
comment on column webhook_recoveries.id is 'of the endpoint, which has one recovery at a time';
comment on column webhook_recoveries.position is 'up to this id events have been looked at';
comment on column webhook_recoveries.until is 'the first id that is too late: the moment of the call';

-- Built-in receivers of webhooks, in test mode: each is the target of one webhook endpoint.
create table webhook_inboxes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  endpoint text collate "C" not null,
  answer text not null check (answer in ('200', '500', '410', 'timeout')),
  primary key (tenant, id)
);
comment on column webhook_inboxes.answer is 'how it answers what it receives';

-- What they have received: the latest 100 of each, for a day.
create table webhook_inbox_requests (
  tenant int4 not null,
  id text collate "C" not null,
  inbox text collate "C" not null,
  event text collate "C" not null,
  headers json not null,
  body bytea not null,
  bytes int4 not null,
  verified bool not null,
  answer text not null,
  primary key (tenant, id)
);
create index webhook_inbox_requests_by_inbox on webhook_inbox_requests (tenant, inbox, id);
comment on column webhook_inbox_requests.body is 'its first 64 KiB; bytes is the size of the whole';
comment on column webhook_inbox_requests.verified is 'whether the signatures were right, by the secret of the endpoint at that moment';
