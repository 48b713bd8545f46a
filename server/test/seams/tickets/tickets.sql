create table tickets (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  title text not null,
  state text not null check (state in ('open', 'escalated', 'closed')),
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index tickets_due on tickets (due_at) where due_at is not null;
