-- tollgate: rolling
-- tollgate: no transaction

-- How often the payment of an invoice that is being closed was canceled or refunded in vain, since when, and since when it waits for a
-- person.
alter table invoices
  add column if not exists closing_tries int4 not null default 0,
  add column if not exists closing_since timestamptz,
  add column if not exists flagged_at timestamptz;
create index concurrently if not exists invoices_flagged on invoices (tenant, flagged_at, id)
  where flagged_at is not null and closing is not null;
