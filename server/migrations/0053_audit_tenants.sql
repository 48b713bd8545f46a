-- tollgate: rolling
-- Entries about what is a tenant's own are committed with it, at the place of the tenant; all others are in the directory.
alter table audit add column if not exists tenant int4;
comment on column audit.tenant is 'whose change it was; null: a change in the directory, or one from before this was recorded';
