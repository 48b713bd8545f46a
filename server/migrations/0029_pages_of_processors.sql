-- tollgate: rolling
-- tollgate: no transaction
-- A payment on a page of its processor has no payment method before the processor names it. Those that succeed have one.
alter table payments
  add column if not exists checkout_session text collate "C",
  alter column payment_method drop not null,
  drop constraint if exists payments_method,
  add constraint payments_method check (payment_method is not null or status <> 'succeeded') not valid;
alter table payments validate constraint payments_method;
comment on column payments.payment_method is 'null: the processor has not named it yet';
comment on column payments.checkout_session is 'the checkout session that it is a try of; null: none';
alter table setups
  add column if not exists checkout_session text collate "C",
  alter column payment_method drop not null,
  drop constraint if exists setups_method,
  add constraint setups_method check (payment_method is not null or status <> 'succeeded') not valid;
alter table setups validate constraint setups_method;
comment on column setups.payment_method is 'null: the processor has not named it yet';
comment on column setups.checkout_session is 'the checkout session that it is a try of; null: none';
alter table attempts add column if not exists page json;
comment on column attempts.page is 'what a page of the processor was asked for by, until its outcome is known';

-- The simulator has such a page.
alter table simulator.entries add column if not exists page json, add column if not exists paid_with text;
comment on column simulator.entries.page is 'of an authorization or a setup: what its page shows, and until when';
comment on column simulator.entries.paid_with is 'of a decision on such a page: the name of the test card';
