-- tollgate: rolling
-- tollgate: no transaction

-- The payments of an invoice are listed. Other payments are not in the index, so it costs them nothing.
create index concurrently if not exists payments_by_invoice on payments (tenant, invoice, id) where invoice is not null;
