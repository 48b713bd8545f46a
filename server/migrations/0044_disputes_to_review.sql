-- tollgate: rolling
-- tollgate: no transaction

-- A dispute whose money does not fit the payment waits for a person. One in another currency is not posted until then.
alter table disputes add column if not exists review text check (review in ('amount', 'currency'));
create index concurrently if not exists disputes_to_review on disputes (tenant, id) where review is not null;
