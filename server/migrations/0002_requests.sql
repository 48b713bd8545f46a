-- What requests leave behind: their idempotency keys and signatures, their rate, and the request log.

-- A request that goes over the network to a processor claims its key first and gets its response later. A response that holds a secret is
-- stored sealed. Keys cannot be in daily partitions, because a key must be unique on all days.
create table idempotency (
  tenant int4 not null,
  key text collate "C" not null,
  version int4 not null default 1,
  fingerprint bytea not null,
  operation text not null,
  request_id text collate "C" not null,
  status int2,
  body bytea,
  sealed bool not null default false,
  resume_by text collate "C",
  replays int4 not null default 0,
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (tenant, key)
) with (fillfactor = 90);
-- Expired keys are deleted every minute. A B-tree costs the same for each of them at any size, while BRIN no longer tells where they are
-- once the freed pages are used again. It adds 2 µs and 66 bytes of write-ahead log to a key.
create index idempotency_expiring on idempotency (expires_at);
comment on column idempotency.key is 'a keyed hash';
comment on column idempotency.status is 'null: the request has begun to execute and is not finished';
comment on column idempotency.resume_by is 'by what a retry of an unfinished request finds out how it ended';
comment on column idempotency.replays is 'a replay writes: under synchronous replication a mere read could answer for a commit that a failover then loses';

-- Signed requests without an idempotency key, which are accepted once.
create table used_signatures (
  tenant int4 not null,
  signature bytea not null,
  request_id text collate "C" not null,
  expires_at timestamptz not null default now() + interval '11 minutes',
  primary key (tenant, signature)
);
create index used_signatures_expiring on used_signatures (expires_at);
comment on column used_signatures.expires_at is 'a timestamp is good for 300 s before and after its moment; a minute more for clocks that differ';

-- One row per tenant and bucket, reused every minute: the table never grows, and nothing has to be deleted.
create table rate_windows (
  tenant int4 not null,
  bucket text collate "C" not null,
  window_start timestamptz not null,
  used int4 not null,
  primary key (tenant, bucket)
) with (fillfactor = 50);

-- The request log. Servers create and drop its daily partitions.
create table requests (
  at timestamptz not null,
  id text collate "C" not null,
  tenant int4,
  api_key text collate "C",
  user_id text collate "C",
  operation text,
  method text not null,
  path text not null,
  status int2 not null,
  code text,
  duration_us int4 not null,
  address text not null,
  idempotency_key text,
  object_id text collate "C",
  parameters json
) partition by range (at);
create index requests_by_tenant on requests (tenant, id);
-- Each filter has an index, so that one that matches nothing reads nothing. Every row pays for two of them, a row about an object for
-- three; errors and people, which are few, for the rest. Three of them add 390 bytes of write-ahead log and less than 10 µs to a request.
create index requests_by_key on requests (tenant, api_key, id) where api_key is not null;
create index requests_by_operation on requests (tenant, operation, id) where operation is not null;
-- Reads apart from changes: a client may retrieve an object a million times, and the timeline of the object has only the changes.
create index requests_by_object on requests (tenant, object_id, (method = 'GET'), id) where object_id is not null;
create index requests_by_code on requests (tenant, code, id) where code is not null;
create index requests_refused on requests (tenant, status, id) where status >= 400;
create index requests_by_user on requests (tenant, user_id, id) where user_id is not null;

-- Requests without a valid key or session. They belong to no tenant and anybody can send them, so they are apart from the request log, with
-- one index, and kept for a few days.
create table anonymous_requests (
  at timestamptz not null,
  id text collate "C" not null,
  operation text,
  method text not null,
  path text not null,
  status int2 not null,
  code text,
  duration_us int4 not null,
  address text not null,
  count int4 not null
) partition by range (at);
create index anonymous_requests_by_id on anonymous_requests (id);
comment on column anonymous_requests.count is 'how many requests of a network and minute the row stands for; its other facts are those of the first';
comment on column anonymous_requests.address is 'others: of all further networks of the minute';
