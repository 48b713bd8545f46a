-- tollgate: rolling
-- tollgate: no transaction
-- What customers have typed is erased after 90 days. Without an index, each look for what is left would read every session that there ever was.
drop index concurrently if exists checkout_sessions_with_details;
create index concurrently checkout_sessions_with_details on checkout_sessions (tenant, id) where customer_details is not null;
