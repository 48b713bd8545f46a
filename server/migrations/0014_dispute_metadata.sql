alter table disputes add column metadata json;
comment on column disputes.metadata is 'the merchant''s own; null before the first key';
