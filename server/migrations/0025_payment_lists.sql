-- tollgate: rolling
-- tollgate: no transaction
-- What lists and statistics of payments are read by. A maintenance task fills the account of payments that were made before; payments that
-- a server of the previous version makes, or passes on to another account, are filled by it too.
alter table payments add column if not exists processor_account text collate "C";
comment on column payments.processor_account is 'that of processor, for statistics and lists; null: none, or not filled in yet';
-- What is left to fill in. It is empty as soon as that is done.
drop index concurrently if exists payments_without_processor_account;
create index concurrently payments_without_processor_account on payments (tenant, id)
  where processor->>'account' is distinct from processor_account;
-- What came after a payment that has succeeded. Payments without a refund and a dispute are not in it; a refund or a dispute writes the
-- payment's entries in all indexes anew.
drop index concurrently if exists payments_by_sequel;
create index concurrently payments_by_sequel on payments (tenant, (
  case when status = 'succeeded' then nullif(
    case when amount_refunded = amount_received then 'refunded' when amount_refunded > 0 then 'partly_refunded' else '' end ||
    case when dispute is null then '' else '+disputed' end, '') end), id)
  where case when status = 'succeeded' then nullif(
    case when amount_refunded = amount_received then 'refunded' when amount_refunded > 0 then 'partly_refunded' else '' end ||
    case when dispute is null then '' else '+disputed' end, '') end is not null;
-- Differences that somebody has to look at; those that were accepted stay for ever.
drop index concurrently if exists reconciliation_differences_unaccepted;
create index concurrently reconciliation_differences_unaccepted on reconciliation_differences (tenant, day, id)
  where status <> 'accepted';
-- Customers are found by the index of the search.
drop index concurrently if exists customers_by_email;
