-- tollgate: rolling
-- Idempotency keys are stored as keyed hashes. Servers of the previous version store keys in clear, and find only those. This version
-- therefore does the same for a day after this migration, and for another day it looks for both forms. A database without accounts has
-- no servers of the previous version: there the table stays empty, and all keys are hashed from the start.
create table idempotency_upgrade (migrated_at timestamptz not null);
insert into idempotency_upgrade select now() where exists (select 1 from accounts);
comment on column idempotency.key is 'a keyed hash; in clear in rows of the previous version, and of the day after the migration from it';
