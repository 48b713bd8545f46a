create table alarms (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  test_clock text collate "C" not null,
  every_seconds int4 not null,
  rings_left int4 not null,
  clock_due_at timestamptz,
  primary key (tenant, id)
);
create index alarms_due on alarms (tenant, test_clock, clock_due_at) where clock_due_at is not null;

-- `place` tells the order in which they were written down; a ring that is written down twice violates the key.
create table alarm_rings (
  tenant int4 not null,
  id text collate "C" not null,
  at timestamptz not null,
  place bigint generated always as identity,
  primary key (tenant, id, at)
);
