create table tabs (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment_method text collate "C" not null,
  amount int8 not null,
  note text not null,
  state text not null check (state in ('due', 'charging', 'charged', 'refunding', 'refunded', 'failed')),
  payment text collate "C",
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index tabs_due on tabs (due_at) where due_at is not null;
