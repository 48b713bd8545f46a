create table disputes (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  payment text collate "C" not null,
  amount int8 not null check (amount > 0),
  currency text not null,
  reason text not null,
  status text not null check (status in ('needs_response', 'under_review', 'won', 'lost')),
  evidence json not null,
  due_by timestamptz not null,
  submission_count int4 not null check (submission_count >= 0),
  connector text not null,
  reference text collate "C" not null,
  open_attempt text collate "C",
  inquiries int4 not null,
  flagged_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  primary key (tenant, id),
  check ((open_attempt is null) = (due_at is null))
);
-- A processor may tell of a dispute more than once.
create unique index disputes_by_reference on disputes (tenant, connector, reference);
create index disputes_by_payment on disputes (tenant, payment, id);
create index disputes_by_status on disputes (tenant, status, id);
create index disputes_due on disputes (due_at) where due_at is not null;
-- One thing at a time is said in a dispute.
create unique index attempts_open_in_dispute on attempts (tenant, dispute)
  where dispute is not null and state in ('open', 'unknown', 'pending');
comment on column disputes.evidence is 'what the merchant has gathered; all of it goes to the processor when it is submitted';
comment on column disputes.reference is 'the name that the processor has for it';
comment on column disputes.due_by is 'evidence is taken until then';
comment on column disputes.open_attempt is 'evidence, or that the merchant gives up, whose outcome is not known yet';
comment on column disputes.due_at is 'when the processor is asked what became of the open attempt';
comment on column disputes.flagged_at is 'three days without an answer: a person should see to it';
