create table payment_methods (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C",
  detached bool not null,
  detached_from text collate "C",
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month int2 not null check (exp_month between 1 and 12),
  exp_year int2 not null,
  billing json not null,
  metadata json,
  clock text collate "C",
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check (not detached or customer is null)
);
create index payment_methods_by_customer on payment_methods (tenant, customer, id) where customer is not null;
create index payment_methods_by_former_customer on payment_methods (tenant, detached_from) where detached_from is not null;
create index payment_methods_due on payment_methods (due_at) where due_at is not null;
comment on column payment_methods.billing is 'name, email and address as supplied; the number is in vault_cards';
comment on column payment_methods.detached_from is 'whose it was: what is known of the cardholder goes with that customer';
comment on column payment_methods.due_at is 'detached: when to see whether its number can be destroyed';

alter table customers add column default_payment_method text collate "C";

create table payments (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  amount int8 not null check (amount > 0),
  amount_received int8 not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  customer text collate "C",
  description text,
  payment_method text collate "C" not null,
  status text not null check (status in
    ('requires_action', 'requires_capture', 'processing', 'succeeded', 'failed', 'canceled')),
  capture_method text check (capture_method in ('automatic', 'manual')),
  return_url text,
  metadata json,
  next_action text,
  failure_code text,
  failure_decline_code text,
  failure_message text,
  canceled_at timestamptz,
  cancellation_reason text,
  authorization_attempt text collate "C",
  open_attempt text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  expires_at timestamptz,
  clock text collate "C",
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check (amount_received between 0 and amount),
  check (status in ('succeeded') or amount_received = 0)
) with (fillfactor = 90);
create index payments_by_customer on payments (tenant, customer, id) where customer is not null;
create index payments_by_status on payments (tenant, status, id);
create index payments_unfinished_by_method on payments (tenant, payment_method)
  where status in ('requires_action', 'requires_capture', 'processing');
create index payments_due on payments (due_at) where due_at is not null;
comment on column payments.capture_method is 'null: not supplied, which is automatic';
comment on column payments.authorization_attempt is 'the attempt that holds or took the money';
comment on column payments.open_attempt is 'the attempt whose outcome is not known yet: while it stands, no other verb may go to the processor';
comment on column payments.due_at is 'when the worker looks at this payment: to ask what became of an attempt, or to let it expire';
comment on column payments.flagged_at is 'three days without an answer, or a refusal to give back: a person should see to it';
comment on column payments.expires_at is 'when it is canceled, unless the cardholder or the merchant acts before';

-- Each time that a processor was asked for something.
create table attempts (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment text collate "C" not null,
  verb text not null check (verb in ('authorize', 'capture', 'cancel', 'reverse', 'refund')),
  state text not null check (state in ('open', 'unknown', 'pending', 'challenged', 'approved', 'declined', 'reversed', 'lost')),
  amount int8,
  connector text not null,
  deadline_at timestamptz not null,
  reference text,
  network_transaction_id text,
  authorization_code text,
  avs_result text,
  cvc_result text,
  decline_code text,
  exchange json,
  request_id text collate "C",
  primary key (tenant, id)
);
create index attempts_by_payment on attempts (tenant, payment, id);
-- The slot: of one payment, one attempt at most is on its way, whatever the program believes.
create unique index attempts_open on attempts (tenant, payment) where state in ('open', 'unknown', 'pending');
comment on column attempts.state is 'reversed: an authorization that was given back; lost: the processor says that it never received it';
comment on column attempts.exchange is 'what went to and fro, without card number, CVC or key';

-- A request that goes over the network to a processor claims its key first and learns its answer later.
alter table idempotency alter column status drop not null, alter column body drop not null;
alter table idempotency add column version int4 not null default 1, add column resume_by text collate "C";
comment on column idempotency.status is 'null: the request has begun to execute and is not finished';
comment on column idempotency.resume_by is 'by what a retry of an unfinished request finds out how it ended';
