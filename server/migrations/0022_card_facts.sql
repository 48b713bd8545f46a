-- tollgate: rolling
-- tollgate: no transaction
-- What statistics need of payments and postings. A maintenance task fills the columns of payments that were made before; payments that
-- a server of the previous version makes are filled by it too.
alter table payments add column if not exists brand text, add column if not exists country text;
comment on column payments.brand is 'of the card; null: not filled in yet';
comment on column payments.country is 'of the billing address when it was made; null: not known';
-- What is left to fill in. It is empty as soon as that is done, and no payment is in it later.
drop index concurrently if exists payments_without_brand;
create index concurrently payments_without_brand on payments (tenant, id) where brand is null;
-- It takes the place of postings_of_kind: statistics add up fees without reading the table. An entry is 16 bytes longer.
drop index concurrently if exists postings_of_kind_with_amount;
create index concurrently postings_of_kind_with_amount on postings (tenant, kind, id) include (currency, amount);
drop index concurrently if exists postings_of_kind;
