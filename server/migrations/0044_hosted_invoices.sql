-- tollgate: rolling
-- The address of the page of an invoice, which it has from when it is finalized.
alter table invoices add column if not exists hosted_url text;
comment on column invoices.hosted_url is 'null: it was not finalized, or before there was this column';
