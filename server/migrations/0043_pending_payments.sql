-- tollgate: rolling
-- tollgate: no transaction
-- A payment that its processor has and has not decided can be canceled: the pending authorization and the cancel are unfinished side by
-- side. All other unfinished attempts of a payment exclude each other as before, and so do pending authorizations.
drop index concurrently if exists attempts_open_once;
create unique index concurrently attempts_open_once on attempts (tenant, payment, (state = 'pending' and verb = 'authorize'))
  where state in ('open', 'unknown', 'pending') and verb in ('authorize', 'capture', 'cancel', 'reverse');
drop index concurrently if exists attempts_open;
-- Statistics count checkout sessions by their status, and those of a payment link. The indexes hold what is counted, so that no session is read.
drop index concurrently if exists checkout_sessions_by_status_with_amount;
create index concurrently checkout_sessions_by_status_with_amount on checkout_sessions (tenant, status, id) include (currency, amount_total);
drop index concurrently if exists checkout_sessions_by_status;
drop index concurrently if exists checkout_sessions_by_link_with_amount;
create index concurrently checkout_sessions_by_link_with_amount on checkout_sessions (tenant, payment_link, status, id)
  include (currency, amount_total) where payment_link is not null;
drop index concurrently if exists checkout_sessions_by_link;
