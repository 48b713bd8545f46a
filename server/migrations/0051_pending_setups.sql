-- tollgate: rolling
-- tollgate: no transaction
-- A setup that its processor has and has not decided can be canceled, as a payment can (0043): the pending attempt and the cancel are
-- unfinished side by side. All other unfinished attempts of a setup exclude each other as before.
drop index concurrently if exists attempts_open_once_in_setup;
create unique index concurrently attempts_open_once_in_setup on attempts (tenant, setup, (state = 'pending' and verb = 'setup'))
  where setup is not null and state in ('open', 'unknown', 'pending');
drop index concurrently if exists attempts_open_in_setup;
