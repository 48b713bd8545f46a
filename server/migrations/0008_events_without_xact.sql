-- Nothing reads the transaction of an event: whoever follows events reads the last minute again by id, and passes over what it has seen.
alter table events drop column xact;
comment on table events is 'rows commit out of id order, by a moment: whoever follows them reads the last minute again';
