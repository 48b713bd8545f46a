-- tollgate: rolling
-- Links that were mailed, and shown to nobody: whoever has one reads the mails of its address.
alter table invitations add column if not exists mailed bool not null default false;
comment on column invitations.mailed is 'the link went to the email and was shown to nobody: accepting it verifies the email';
alter table sign_in_links add column if not exists mailed bool not null default false;
comment on column sign_in_links.mailed is 'the link went to the email and was shown to nobody: using it verifies the email';
