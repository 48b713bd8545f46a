-- tollgate: rolling
-- tollgate: no transaction

-- A look for due deliveries walks from endpoint to endpoint within ten minutes, and stops at the present: what is due later is not seen.
create index concurrently if not exists deliveries_due_soon
  on deliveries (date_bin('10 minutes', due_at, timestamptz '2000-01-01 00:00:00+00'), tenant, endpoint) where due_at is not null;
