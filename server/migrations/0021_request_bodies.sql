-- tollgate: rolling
-- What requests of test mode have sent and got. Servers create and drop its daily partitions. Apart from the request log, because it is kept
-- for a shorter time, and its rows are larger.
create table if not exists request_bodies (
  at timestamptz not null,
  tenant int4 not null,
  id text collate "C" not null,
  path_id text collate "C",
  scopes text[],
  parameters bytea,
  parameters_bytes int4,
  answer bytea,
  answer_bytes int4
) partition by range (at);
alter table request_bodies alter column parameters set storage external, alter column answer set storage external;
create index if not exists request_bodies_by_id on request_bodies (tenant, id);
comment on column request_bodies.path_id is 'the id in the path';
comment on column request_bodies.scopes is 'what the answer needed beside the scope of its operation';
comment on column request_bodies.parameters is 'as JSON, less what is confidential; its first 8 KiB. parameters_bytes is the size of the whole';
comment on column request_bodies.answer is 'the body, less what is shown once; its first 8 KiB. answer_bytes is the size of the whole';
