-- tollgate: rolling
-- tollgate: no transaction

-- A detached card that a processor keeps is to be deleted there too, with the customer that was made for it.
alter table payment_methods
  add column if not exists forget_since timestamptz,
  add column if not exists left_since timestamptz;
comment on column payment_methods.forget_since is 'since when the processor is asked to delete the customer of a detached card';
comment on column payment_methods.left_since is 'since when a person has to see to what is left at the processor';

create index concurrently if not exists payment_methods_left on payment_methods (tenant, left_since, id)
  where left_since is not null;
