-- tollgate: rolling
-- Deliveries of an endpoint are listed by state: a page of one state does not read past a million of another. A list of all states reads
-- a page of each. One index takes the place of two, so that a delivery costs no more entries than before.
create index if not exists deliveries_by_state on deliveries (tenant, endpoint, state, id);
drop index if exists deliveries_by_endpoint;
drop index if exists deliveries_undelivered;
-- A look for due deliveries walks from endpoint to endpoint within ten minutes, and stops at the present: what is due later is not seen.
create index if not exists deliveries_due_soon
  on deliveries (date_bin('10 minutes', due_at, timestamptz '2000-01-01 00:00:00+00'), tenant, endpoint) where due_at is not null;
