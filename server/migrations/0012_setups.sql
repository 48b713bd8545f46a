-- tollgate: rolling
-- tollgate: no transaction
-- Setups: a payment method is verified, and its cardholder agrees to later charges, without a charge. As a payment, but without money.
create table if not exists setups (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment_method text collate "C" not null,
  customer text collate "C",
  subscription text collate "C",
  status text not null check (status in ('requires_action', 'processing', 'succeeded', 'failed', 'canceled')),
  declines_challenge bool,
  return_url text,
  metadata json,
  next_action text,
  failure_code text,
  failure_decline_code text,
  failure_message text,
  setup_attempt text collate "C",
  open_attempt text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  expires_at timestamptz,
  test_clock text collate "C",
  created_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id)
);
create index if not exists setups_due on setups (due_at) where due_at is not null;
create index if not exists setups_due_by_tenant on setups (tenant, due_at) where due_at is not null;
create index if not exists setups_by_status on setups (tenant, status, id);
create index if not exists setups_by_customer_and_status on setups (tenant, customer, status, id) where customer is not null;
-- Every charge without the cardholder looks for the latest one of its method that succeeded.
create index if not exists setups_by_method_and_status on setups (tenant, payment_method, status, id);
create index if not exists setups_flagged_by_tenant on setups (tenant, flagged_at, id) where flagged_at is not null;
comment on column setups.subscription is 'the subscription that it was made for, which waits for its end';
comment on column setups.declines_challenge is 'a cardholder who would have to authenticate is a decline; null: no';
comment on column setups.setup_attempt is 'the attempt that the cardholder has agreed by, or may still agree by';
comment on column setups.open_attempt is 'the attempt whose outcome is not known yet: while it stands, no other verb may go to the processor';
comment on column setups.flagged_at is 'three days without an answer: a person should see to it';
comment on column setups.expires_at is 'when it is canceled, unless the cardholder acts before';
comment on column setups.test_clock is 'the clock of its customer; null: real time';
comment on column setups.created_at is 'when it was created by its test clock; null: the time in the id';
comment on column setups.due_at is 'when the worker looks at it: to ask what became of an attempt, or to let it expire';

-- An attempt is made for a payment or for a setup.
alter table attempts
  add column if not exists setup text collate "C",
  alter column payment drop not null,
  drop constraint if exists attempts_verb_check,
  add constraint attempts_verb_check
    check (verb in ('authorize', 'capture', 'cancel', 'reverse', 'refund', 'contest', 'concede', 'setup')) not valid,
  drop constraint if exists attempts_subject,
  add constraint attempts_subject check ((payment is null) <> (setup is null)) not valid;
alter table attempts validate constraint attempts_verb_check;
alter table attempts validate constraint attempts_subject;
drop index concurrently if exists attempts_open_in_setup;
create unique index concurrently attempts_open_in_setup on attempts (tenant, setup)
  where setup is not null and state in ('open', 'unknown', 'pending');
drop index concurrently if exists attempts_by_setup;
create index concurrently attempts_by_setup on attempts (tenant, setup, id) where setup is not null;
comment on column attempts.setup is 'the setup that it is made for';

alter table payments add column if not exists setup text collate "C";
comment on column payments.setup is 'the setup by which the cardholder has agreed to it; null: another payment, or the cardholder was there';

alter table subscriptions add column if not exists pending_setup text collate "C";
comment on column subscriptions.pending_setup is 'the setup of its payment method that has not ended yet';

-- The simulator sets cards up. Its entry has no money.
alter table simulator.entries
  drop constraint if exists entries_verb_check,
  add constraint entries_verb_check check (verb in
    ('authorize', 'decide', 'capture', 'cancel', 'refund', 'dispute', 'contest', 'concede', 'close', 'setup')) not valid,
  drop constraint if exists entries_setup,
  add constraint entries_setup
    check (verb <> 'setup' or (attempt = authorization_attempt and sequence = 0 and amount = 0 and not captures)) not valid;
alter table simulator.entries validate constraint entries_verb_check;
alter table simulator.entries validate constraint entries_setup;
alter table simulator.challenges alter column currency drop not null;
comment on column simulator.challenges.payment is 'the payment, or the setup';
comment on column simulator.challenges.currency is 'null: a setup, which has no money';
alter table simulator.faults
  drop constraint if exists faults_verb_check,
  add constraint faults_verb_check
    check (verb in ('authorize', 'capture', 'cancel', 'refund', 'contest', 'concede', 'setup', 'find')) not valid;
alter table simulator.faults validate constraint faults_verb_check;

-- As before, without setups: nothing is charged by them.
create or replace view simulator.charges as
  select *, case when canceled then 0 else captured - refunded - disputed end as net
    from (
      select tenant,
             authorization_attempt as attempt,
             max(payment) as payment,
             max(currency) as currency,
             max(last4) as last4,
             coalesce(sum(amount) filter (where result = 'approved' and verb in ('authorize', 'decide')), 0)::int8 as authorized,
             coalesce(sum(amount) filter (where result = 'approved'
               and (verb = 'capture' or (verb in ('authorize', 'decide') and captures))), 0)::int8 as captured,
             coalesce(sum(amount) filter (where result = 'approved' and verb = 'refund'), 0)::int8 as refunded,
             (coalesce(sum(amount) filter (where verb = 'dispute'), 0)
               - coalesce(sum(amount) filter (where verb = 'close' and verdict = 'won'), 0))::int8 as disputed,
             bool_or(result = 'approved' and verb = 'cancel') as canceled
        from simulator.entries
       group by tenant, authorization_attempt
      having not bool_or(verb = 'setup')
    ) as sums;
