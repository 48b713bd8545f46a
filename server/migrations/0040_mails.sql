-- tollgate: rolling
-- Mails to customers, and which kinds of them an account has switched on.
alter table accounts add column if not exists mail json not null default '{}';
comment on column accounts.mail is 'the kinds of mails to customers that the account has switched on or off; all others are off';
create table if not exists mails (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  kind text collate "C" not null,
  cause text collate "C" not null,
  address text,
  contact text collate "C",
  status text collate "C" not null check (status in ('queued', 'sent', 'failed', 'bounced', 'suppressed')),
  subject text not null,
  message json,
  language text not null,
  customer text collate "C",
  invoice text collate "C",
  payment text collate "C",
  attempts int4 not null,
  failure text,
  suppressed_reason text,
  sent_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((status = 'queued') = (due_at is not null)),
  check ((status = 'suppressed') = (suppressed_reason is not null))
) with (fillfactor = 80);
comment on table mails is 'a mail is a row in the transaction of its cause';
comment on column mails.cause is 'the event or whatever else it is about: an address gets one mail of a kind for it';
comment on column mails.address is 'null: erased with the contact';
comment on column mails.contact is 'the customer or the checkout session whose address it is';
comment on column mails.message is 'what it says, taken at its cause; null: erased with the contact';
comment on column mails.attempts is 'how many were made to send it';
create unique index if not exists mails_once on mails (tenant, cause, kind, address);
create index if not exists mails_due on mails (due_at) where due_at is not null;
create index if not exists mails_due_of_tenant on mails (tenant, due_at) where due_at is not null;
-- For lists.
create index if not exists mails_by_status on mails (tenant, status, id);
create index if not exists mails_by_kind_and_status on mails (tenant, kind, status, id);
create index if not exists mails_by_customer on mails (tenant, customer, id) where customer is not null;
create index if not exists mails_by_invoice on mails (tenant, invoice, id) where invoice is not null;
create index if not exists mails_by_payment on mails (tenant, payment, id) where payment is not null;
-- For the erasure of a contact.
create index if not exists mails_by_contact on mails (tenant, contact) where address is not null;

create table if not exists mail_bounces (
  tenant int4 not null,
  address text not null,
  mail text collate "C" not null,
  primary key (tenant, address, mail)
);
comment on table mail_bounces is 'addresses that a mail server has refused: nothing more goes there until the email of the customer changes';
comment on column mail_bounces.address is 'in lower case';

create table if not exists mail_minutes (
  minute timestamptz primary key,
  used int4 not null
);
comment on table mail_minutes is 'how many mails all servers together were about to send in a minute, where a limit is set';

create table if not exists person_mails (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  kind text collate "C" not null,
  cause text collate "C" not null,
  address text not null,
  status text collate "C" not null check (status in ('queued', 'sent', 'failed', 'bounced')),
  message bytea,
  attempts int4 not null,
  failure text,
  sent_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((status = 'queued') = (due_at is not null)),
  check ((status = 'queued') = (message is not null))
) with (fillfactor = 80);
comment on table person_mails is 'mails to people who work with the gateway: no list shows them';
comment on column person_mails.tenant is 'that of the caller; of what belongs to no account, that of the installation';
comment on column person_mails.message is 'sealed, because it may have a link that signs in; destroyed once nothing more becomes of the mail';
create unique index if not exists person_mails_once on person_mails (tenant, cause, kind, address);
create index if not exists person_mails_due on person_mails (due_at) where due_at is not null;
create index if not exists person_mails_due_of_tenant on person_mails (tenant, due_at) where due_at is not null;
