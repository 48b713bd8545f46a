-- tollgate: rolling
-- Rows whose ids were made long before they committed are looked for in a second pass, so that each step of the search index has less to
-- look at again. A server of the previous version leaves these columns alone; it looks at everything again, so nothing is missed.
alter table search_position
  add column if not exists late_xact int8,
  add column if not exists late_id text collate "C",
  add column if not exists late_since int8,
  add column if not exists step_xacts int8[] not null default '{}',
  add column if not exists step_since int8[] not null default '{}';
comment on column search_position.late_xact is 'up to here, late rows too have been followed; null: up to xact';
comment on column search_position.step_xacts is 'the last transactions of the steps since then';
comment on column search_position.step_since is 'of each step: the time of the oldest ids that it looked at, in epoch milliseconds';
