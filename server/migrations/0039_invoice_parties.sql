-- tollgate: rolling
-- Seller and buyer as they were when an invoice was finalized. Bookkeeping law asks for them after the customer is deleted, too.
alter table invoices add column if not exists seller json;
alter table invoices add column if not exists buyer json;
alter table invoices add column if not exists finalized_at int8;
comment on column invoices.seller is 'null: it was not finalized, or before there was this column';
