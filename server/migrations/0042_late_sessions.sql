-- tollgate: rolling
-- tollgate: no transaction
-- Payments that came after the expiry of their checkout session wait for a person. An index has those that nobody has dealt with.
alter table checkout_sessions add column if not exists reviewed_at timestamptz;
comment on column checkout_sessions.reviewed_at is 'when a person has dealt with its late payment; null: it is not late, or it waits';
drop index concurrently if exists checkout_sessions_late;
create index concurrently checkout_sessions_late on checkout_sessions (tenant, completed_at, id) where late and reviewed_at is null;
-- The places of payment links that are held for long, of all tenants, the oldest first: looking for them visits no tenant without one.
drop index concurrently if exists payment_link_places_oldest;
create index concurrently payment_link_places_oldest on payment_link_places (held_at, tenant, id);
drop index concurrently if exists payment_link_places_by_time;
