-- A code is for one authorization. Two at the same moment could both use it: whoever removes it now must still find it.
alter table vault_cvcs add column version int4 not null default 1;
