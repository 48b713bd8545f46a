-- tollgate: rolling

-- A dispute whose money does not fit the payment waits for a person. One in another currency is not posted until then.
alter table disputes add column review text check (review in ('amount', 'currency'));
create index disputes_to_review on disputes (tenant, id) where review is not null;
