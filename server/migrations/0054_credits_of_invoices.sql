-- tollgate: rolling

-- How much of the invoices of a subscription's current period was credited, so that no more is credited than what is left of them.
alter table subscriptions add column credits jsonb;
