-- tollgate: rolling
-- tollgate: no transaction
-- The tries of a checkout session, for lists and its timeline. Payments and setups that are tries of none are not in it.
drop index concurrently if exists payments_by_checkout_session;
create index concurrently payments_by_checkout_session on payments (tenant, checkout_session, id) where checkout_session is not null;
drop index concurrently if exists setups_by_checkout_session;
create index concurrently setups_by_checkout_session on setups (tenant, checkout_session, id) where checkout_session is not null;
