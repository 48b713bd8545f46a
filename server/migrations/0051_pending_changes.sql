-- tollgate: rolling

-- Changes of subscriptions, and new ones, that wait for the answer of a processor: they take effect only if their payment does.
create table pending_changes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  plan json not null,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index pending_changes_due on pending_changes (due_at) where due_at is not null;
create index pending_changes_due_by_tenant on pending_changes (tenant, due_at) where due_at is not null;
comment on column pending_changes.id is 'the payment that it waits for';
comment on column pending_changes.plan is 'the subscription and the draft of its invoice as they become, and the version of the subscription that it was planned on';
