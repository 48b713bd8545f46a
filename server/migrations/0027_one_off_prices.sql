-- tollgate: rolling
-- A price can be paid once: then it has no period. A server of the previous version refuses to subscribe to it only by the constraint of
-- subscriptions, with an error 500.
alter table prices alter column interval drop not null, alter column interval_count drop not null;
alter table prices drop constraint if exists prices_whole_period,
  add constraint prices_whole_period check ((interval is null) = (interval_count is null)) not valid;
comment on column prices.interval is 'null: it is paid once';
