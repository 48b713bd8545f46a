-- tollgate: rolling
-- tollgate: no transaction

-- The metrics count the calls whose outcome is unknown at each scrape. A call to a local processor is stored with its outcome, and is
-- never in this index.
create index concurrently if not exists attempts_unknown on attempts (deadline_at) where state in ('open', 'unknown');
