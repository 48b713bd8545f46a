alter table payments
  add column amount_refunded int8,
  add column dispute text collate "C",
  add constraint payments_refunded check (amount_refunded between 0 and amount_received);
comment on column payments.amount_refunded is 'refunds that are pending or succeeded; null before the first one';
comment on column payments.dispute is 'the latest dispute about it';

-- Refunds of one payment may be under way side by side: they have no part in the slot of the payment.
drop index attempts_open;
create unique index attempts_open on attempts (tenant, payment)
  where state in ('open', 'unknown', 'pending') and verb in ('authorize', 'capture', 'cancel', 'reverse');
alter table attempts
  add column refund text collate "C",
  add column dispute text collate "C",
  drop constraint attempts_verb_check,
  add constraint attempts_verb_check check (verb in ('authorize', 'capture', 'cancel', 'reverse', 'refund', 'contest', 'concede'));
comment on column attempts.refund is 'the refund that it is made for';
comment on column attempts.dispute is 'the dispute that it is about';

create table refunds (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment text collate "C" not null,
  amount int8 not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  metadata json,
  failure_reason text,
  attempt text collate "C" not null,
  inquiries int4 not null,
  flagged_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((status = 'failed') = (failure_reason is not null))
);
create index refunds_by_payment on refunds (tenant, payment, id);
create index refunds_by_status on refunds (tenant, status, id);
create index refunds_due on refunds (due_at) where due_at is not null;
comment on column refunds.due_at is 'when the processor is asked what became of it';
comment on column refunds.flagged_at is 'three days without an answer: a person should see to it';
