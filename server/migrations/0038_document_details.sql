-- tollgate: rolling
-- What invoices and receipts say about the seller and the buyer.
alter table branding add column if not exists legal_name text;
alter table branding add column if not exists legal_address text;
alter table branding add column if not exists tax_id text;
alter table branding add column if not exists document_footer text;
alter table customers add column if not exists address json;
alter table customers add column if not exists tax_id text;
alter table customers add column if not exists locale text;
