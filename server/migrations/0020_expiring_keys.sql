-- tollgate: rolling
-- tollgate: no transaction

-- Expired keys are deleted every minute. An index of whole pages (BRIN) no longer told where they were once the freed pages were used
-- again: each sweep read the table from one end to the other. A B-tree costs the same for each expired key at any size. It adds 2 µs and
-- 66 bytes of write-ahead log to a key. Daily partitions are not possible, because a key must be unique on all days.
create index concurrently if not exists idempotency_expiring on idempotency (expires_at);
create index concurrently if not exists used_signatures_expiring on used_signatures (expires_at);
drop index concurrently if exists idempotency_by_expiry;
