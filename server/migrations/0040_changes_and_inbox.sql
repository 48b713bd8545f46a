-- tollgate: rolling
-- tollgate: no transaction

-- Whoever follows what happens reads the attempts of the last minute.
create index concurrently if not exists delivery_attempts_by_time on delivery_attempts (tenant, id);

-- Built-in receivers of webhooks, in test mode: each is the target of one webhook endpoint.
create table if not exists webhook_inboxes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  endpoint text collate "C" not null,
  answer text not null check (answer in ('200', '500', '410', 'timeout')),
  primary key (tenant, id)
);
comment on column webhook_inboxes.answer is 'how it answers what it receives';

-- What they have received: the latest 100 of each, for a day.
create table if not exists webhook_inbox_requests (
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
create index concurrently if not exists webhook_inbox_requests_by_inbox on webhook_inbox_requests (tenant, inbox, id);
comment on column webhook_inbox_requests.body is 'its first 64 KiB; bytes is the size of the whole';
comment on column webhook_inbox_requests.verified is 'whether the signatures were right, by the secret of the endpoint at that moment';
