-- tollgate: rolling
-- tollgate: no transaction

-- Transactions can be listed by type. Payments had no index: whoever asked for them read past all other postings, which a day of refunds
-- makes a million. An index on all kinds replaces the one on the others. It adds one index entry and 140 bytes of write-ahead log to a
-- payment; its fee, refunds and disputes cost what they did.
create index concurrently if not exists postings_of_kind on postings (tenant, kind, id);
drop index concurrently if exists postings_by_kind;
