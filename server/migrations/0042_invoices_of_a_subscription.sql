-- tollgate: rolling
-- tollgate: no transaction

-- All invoices of a subscription have its customer, so a list of both is a list of the subscription. An index on both was one more to keep,
-- and the planner did not take it for a table that was not analyzed yet.
drop index concurrently if exists invoices_by_customer_and_subscription;
