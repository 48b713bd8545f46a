-- tollgate: rolling
-- tollgate: no transaction
-- Every comparison of the ledger with the statement of a processor that was recorded, also one without a difference; and what people have
-- decided about differences. Those that were recorded before belong to no comparison until their day is compared again.
create table if not exists reconciliations (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  day date not null,
  connector text not null,
  processor_account text collate "C",
  matched int4 not null,
  matched_on_another_day int4 not null,
  differences int4 not null,
  open_differences int4 not null,
  totals json not null,
  compared_at timestamptz not null,
  primary key (tenant, id),
  -- The next comparison of the same day replaces the figures.
  unique nulls not distinct (tenant, day, connector, processor_account)
);
comment on column reconciliations.differences is 'how many were found; of a tenant a thousand are stored at most';
comment on column reconciliations.open_differences is 'how many of them nobody has accepted';
comment on column reconciliations.totals is 'what the statement says, by currency: fees, net and what was paid out, as texts';

alter table reconciliation_differences
  add column if not exists version int4 not null default 1,
  add column if not exists reconciliation text collate "C",
  add column if not exists booked json,
  add column if not exists status text not null default 'open',
  add column if not exists note text,
  add column if not exists changed_by json,
  add column if not exists changed_at timestamptz;
-- The differences of a comparison. There are few rows: most comparisons find none.
create index concurrently if not exists reconciliation_differences_by_reconciliation
  on reconciliation_differences (tenant, reconciliation, id);
comment on column reconciliation_differences.booked is 'the gross, the fee and the net that the processor has booked, if these do not fit each other';
comment on column reconciliation_differences.status is 'open, following_up or accepted';
comment on column reconciliation_differences.changed_by is 'who has decided the status: a user or an API key, and the name at that time';
