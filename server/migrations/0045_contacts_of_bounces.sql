-- tollgate: rolling
-- tollgate: no transaction
-- Whose address it is that was refused. Mails are kept for a time, and refused addresses for as long as their contacts: those of a contact
-- that is deleted are found without its mails.
alter table mail_bounces add column if not exists contact text collate "C";
comment on column mail_bounces.contact is 'the customer or the checkout session whose address it is';
drop index concurrently if exists mail_bounces_by_contact;
create index concurrently mail_bounces_by_contact on mail_bounces (tenant, contact) where contact is not null;
