-- tollgate: rolling

-- Requests without a valid key or session. They belong to no tenant and anybody can send them, so they are apart from the request log, with
-- one index and kept for a few days. Servers of the previous version go on writing them to requests.
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
