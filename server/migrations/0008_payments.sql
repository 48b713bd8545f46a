-- Payments, refunds and disputes, and the attempts to carry them out at a processor.
--
-- A list can be filtered by an owner and a status together: one index has both. It also serves the owner alone, as a page of each status,
-- merged. The indexes by status include currency and amount, so that statistics add up a million rows without reading the table.

create table payments (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  amount int8 not null check (amount > 0),
  amount_received int8 not null,
  amount_refunded int8,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  customer text collate "C",
  invoice text collate "C",
  description text,
  payment_method text collate "C" not null,
  last4 text,
  status text not null check (status in
    ('requires_action', 'requires_capture', 'processing', 'succeeded', 'failed', 'canceled')),
  capture_method text check (capture_method in ('automatic', 'manual')),
  captured_elsewhere bool,
  return_url text,
  metadata json,
  next_action text,
  failure_code text,
  failure_decline_code text,
  failure_message text,
  canceled_at timestamptz,
  cancellation_reason text,
  dispute text collate "C",
  processor json,
  authorization_attempt text collate "C",
  open_attempt text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  expires_at timestamptz,
  test_clock text collate "C",
  created_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check (amount_received between 0 and amount),
  check (status in ('succeeded') or amount_received = 0),
  constraint payments_refunded check (amount_refunded between 0 and amount_received)
) with (fillfactor = 90);
create index payments_unfinished_by_method on payments (tenant, payment_method)
  where status in ('requires_action', 'requires_capture', 'processing');
create index payments_due on payments (due_at) where due_at is not null;
create index payments_by_customer_and_status on payments (tenant, customer, status, id) where customer is not null;
create index payments_by_status_with_amount on payments (tenant, status, id) include (currency, amount_received);
create index payments_flagged_by_tenant on payments (tenant, flagged_at, id) where flagged_at is not null;
-- People look for a payment by the amount and the last four digits of the card. A new payment pays one index entry, 143 bytes of
-- write-ahead log; its updates pay nothing, since neither ever changes.
create index payments_by_card on payments (tenant, amount, last4, id) where last4 is not null;
create index payments_by_invoice on payments (tenant, invoice, id) where invoice is not null;
create index payments_due_by_tenant on payments (tenant, due_at) where due_at is not null;
comment on column payments.amount_refunded is 'refunds that are pending or succeeded; null before the first one';
comment on column payments.last4 is 'of the card; null if the payment method was gone when the column was added';
comment on column payments.capture_method is 'null: not supplied, which is automatic';
comment on column payments.captured_elsewhere is 'captured at the processor without the gateway; null: no';
comment on column payments.dispute is 'the latest dispute about it';
comment on column payments.processor is 'the processor account that took it, its connector and its reference; null without an account';
comment on column payments.authorization_attempt is 'the attempt that holds or took the money';
comment on column payments.open_attempt is 'the attempt whose outcome is not known yet: while it stands, no other verb may go to the processor';
comment on column payments.flagged_at is 'three days without an answer, or a refusal to give back: a person should see to it';
comment on column payments.expires_at is 'when it is canceled, unless the cardholder or the merchant acts before';
comment on column payments.test_clock is 'the clock of its customer; null: real time';
comment on column payments.created_at is 'when it was created by its test clock; null: the time in the id';
comment on column payments.due_at is 'when the worker looks at this payment: to ask what became of an attempt, or to let it expire';

-- Each call of a processor. An attempt must never lose the account that alone knows its outcome, whatever is deleted at the same moment.
create table attempts (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment text collate "C" not null,
  refund text collate "C",
  dispute text collate "C",
  verb text not null check (verb in ('authorize', 'capture', 'cancel', 'reverse', 'refund', 'contest', 'concede')),
  state text not null check (state in
    ('open', 'unknown', 'pending', 'challenged', 'approved', 'declined', 'reversed', 'lost', 'not_sent')),
  amount int8,
  connector text not null,
  processor_account text collate "C",
  reason text,
  deadline_at timestamptz not null,
  finished_at timestamptz,
  reference text,
  network_transaction_id text,
  authorization_code text,
  avs_result text,
  cvc_result text,
  decline_code text,
  advice text,
  exchange json,
  request_id text collate "C",
  primary key (tenant, id),
  constraint attempts_processor_account_fkey
    foreign key (tenant, processor_account) references processor_accounts (tenant, id)
);
create index attempts_by_payment on attempts (tenant, payment, id);
-- A payment has at most one unfinished attempt, whatever the program believes. Refunds of one payment may be processed side by side.
create unique index attempts_open on attempts (tenant, payment)
  where state in ('open', 'unknown', 'pending') and verb in ('authorize', 'capture', 'cancel', 'reverse');
-- The same for a dispute.
create unique index attempts_open_in_dispute on attempts (tenant, dispute)
  where dispute is not null and state in ('open', 'unknown', 'pending');
-- The metrics count the calls whose outcome is unknown at each scrape. A call to a local processor is stored with its outcome, and is
-- never in this index.
create index attempts_unknown on attempts (deadline_at) where state in ('open', 'unknown');
-- Whether an account was ever used is one lookup. Payments without an account pay nothing for it.
create index attempts_by_processor_account on attempts (tenant, processor_account) where processor_account is not null;
-- The processor's own names. The simulator's follow from the id of the attempt, so payments without a processor account pay nothing.
create index attempts_by_reference on attempts (tenant, reference)
  where reference is not null and processor_account is not null;
create index attempts_by_refund on attempts (tenant, refund, id) where refund is not null;
create index attempts_by_dispute on attempts (tenant, dispute, id) where dispute is not null;
comment on column attempts.refund is 'the refund that it is made for';
comment on column attempts.dispute is 'the dispute that it is about';
comment on column attempts.state is 'reversed: an authorization that was undone; lost: the processor never received it; not_sent: the processor provably did not act';
comment on column attempts.reason is 'why this processor was chosen; null where there was no choice';
comment on column attempts.exchange is 'what went to and fro, without card number, CVC or key';

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
  processor_reference text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  test_clock text collate "C",
  created_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((status = 'failed') = (failure_reason is not null))
);
create index refunds_due on refunds (due_at) where due_at is not null;
create index refunds_by_payment_and_status on refunds (tenant, payment, status, id);
create index refunds_by_status_with_amount on refunds (tenant, status, id) include (currency, amount);
create index refunds_flagged_by_tenant on refunds (tenant, flagged_at, id) where flagged_at is not null;
create index refunds_due_by_tenant on refunds (tenant, due_at) where due_at is not null;
-- A refund that was made at the processor is recorded once, however often it is reported.
create unique index refunds_made_at_processor on refunds (tenant, payment, processor_reference)
  where processor_reference is not null;
comment on column refunds.processor_reference is 'the processor''s own name, for a refund that was made there without the gateway';
comment on column refunds.flagged_at is 'fourteen days without a final answer: a person should see to it';
comment on column refunds.test_clock is 'the clock of its payment';
comment on column refunds.due_at is 'when the processor is asked what became of it';

create table disputes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment text collate "C" not null,
  amount int8 not null check (amount > 0),
  currency text not null,
  reason text not null,
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost')),
  review text check (review in ('amount', 'currency')),
  evidence json not null,
  metadata json,
  due_by timestamptz not null,
  submission_count int4 not null check (submission_count >= 0),
  connector text not null,
  processor_account text collate "C",
  reference text collate "C" not null,
  open_attempt text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  test_clock text collate "C",
  created_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((open_attempt is null) = (due_at is null))
);
-- A processor may report a dispute more than once.
create unique index disputes_by_reference on disputes (tenant, connector, reference);
create index disputes_by_status on disputes (tenant, status, id);
create index disputes_due on disputes (due_at) where due_at is not null;
create index disputes_by_payment_and_status on disputes (tenant, payment, status, id);
create index disputes_flagged_by_tenant on disputes (tenant, flagged_at, id) where flagged_at is not null;
create index disputes_waiting on disputes (tenant, due_by, id) where status = 'needs_response';
-- A dispute whose money does not match the payment waits for a person. One in another currency is not posted until then.
create index disputes_to_review on disputes (tenant, id) where review is not null;
create index disputes_due_by_tenant on disputes (tenant, due_at) where due_at is not null;
comment on column disputes.evidence is 'what the merchant has gathered; all of it goes to the processor when it is submitted';
comment on column disputes.metadata is 'the merchant''s own; null before the first key';
comment on column disputes.due_by is 'evidence is taken until then';
comment on column disputes.reference is 'the name that the processor has for it';
comment on column disputes.open_attempt is 'evidence, or that the merchant gives up, whose outcome is not known yet';
comment on column disputes.flagged_at is 'fourteen days without a final answer: a person should see to it';
comment on column disputes.test_clock is 'the clock of its payment';
comment on column disputes.due_at is 'when the processor is asked what became of the open attempt';
