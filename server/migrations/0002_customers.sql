create table customers (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  email text,
  name text,
  phone text,
  metadata json not null,
  clock text collate "C",
  primary key (tenant, id)
);
comment on column customers.metadata is 'json, not jsonb: keys keep their order and numbers their spelling';
comment on column customers.clock is 'the test clock whose time this customer lives in; null is real time';

-- What stays of a deleted customer: that it existed. Kept apart, so that a list page never has to step over the dead.
create table deleted_customers (
  tenant int4 not null,
  id text collate "C" not null,
  deleted_at timestamptz not null,
  primary key (tenant, id)
);
