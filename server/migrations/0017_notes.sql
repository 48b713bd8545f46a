-- tollgate: rolling
-- What people and keys write down about objects.
create table if not exists notes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  subject text collate "C" not null,
  customer text collate "C",
  text text not null,
  author_user text collate "C",
  author_key text collate "C",
  author_name text not null,
  primary key (tenant, id),
  check (num_nonnulls(author_user, author_key) = 1)
);
-- The notes on an object, newest first.
create index if not exists notes_by_subject on notes (tenant, subject, id);
-- What is deleted with a customer.
create index if not exists notes_by_customer on notes (tenant, customer, id) where customer is not null;
comment on column notes.subject is 'the id of the object that it is about';
comment on column notes.customer is 'the customer whom the object is about, with whom the note is deleted';
comment on column notes.author_name is 'the email of the person, or the name of the key, when it was written';
