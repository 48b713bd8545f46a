-- The ledger: postings, the chain that seals them, their sums, and what a comparison with processors found.

-- Every movement of money: one account is debited, one is credited, by one amount, so each row is balanced by itself. Rows are only ever
-- added.
create table postings (
  tenant int4 not null,
  id text collate "C" not null,
  kind text not null,
  debit text not null check (debit in
    ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees', 'credit_granted', 'customer_credit')),
  credit text not null check (credit in
    ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees', 'credit_granted', 'customer_credit')),
  amount int8 not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  source text collate "C" not null,
  payment text collate "C",
  reference text collate "C",
  available_on date not null,
  position int8 not null default (pg_current_xact_id()::text::int8),
  primary key (tenant, id),
  check (debit <> credit),
  constraint postings_payment_check
    check ((payment is null) = (kind in ('credit_granted', 'credit_used', 'credit_forfeited')))
);
-- The same thing does not happen twice to a payment, a refund or a dispute, whatever the program believes.
create unique index postings_once on postings (tenant, source, kind);
create index postings_by_position on postings (position);
create index postings_by_payment_and_kind on postings (tenant, payment, kind, id) where source <> payment;
create index postings_of_kind on postings (tenant, kind, id);
comment on column postings.source is 'what moved the money: a payment, a refund, a dispute or a credit transaction';
comment on column postings.payment is 'null for credit, which belongs to no payment';
comment on column postings.reference is 'by what the processor knows it: an attempt, or its own name of a dispute; null for what it does not know';
comment on column postings.available_on is 'from this day on (UTC) it counts as available';
comment on column postings.position is 'the transaction that committed it: everything below the oldest one that still runs is there for good';

-- The chain. A block seals the postings of a tenant in a range of positions, in the order (position, id).
create table ledger_blocks (
  tenant int4 not null,
  number int8 not null check (number > 0),
  from_position int8 not null,
  to_position int8 not null,
  leaves bytea not null check (length(leaves) > 0 and length(leaves) % 16 = 0),
  seal bytea not null check (length(seal) = 32),
  sealed_at timestamptz not null default now(),
  primary key (tenant, number),
  check (from_position < to_position)
);
comment on column ledger_blocks.leaves is 'the first 16 bytes of the SHA-256 of each posting, one after the other';
comment on column ledger_blocks.seal is 'HMAC over the seal before it and this block, with a key that is not in the database';

-- Sums of all sealed postings: credits less debits.
create table ledger_balances (
  tenant int4 not null,
  account text not null,
  currency text not null,
  available_on date not null,
  amount numeric not null,
  primary key (tenant, account, currency, available_on)
);

-- How far the chain has come. The process that holds the lock on this row seals.
create table ledger_sealer (
  one bool primary key default true check (one),
  sealed_to int8 not null,
  offset_by int8 not null default 0
);
insert into ledger_sealer (sealed_to) values (0);
comment on column ledger_sealer.sealed_to is 'postings below this position are sealed, and in the balances';
comment on column ledger_sealer.offset_by is 'added to transaction ids to make positions: a database that is restored elsewhere begins to count anew';

-- What a comparison of the ledger with the statement of a processor has found, by the day and the processor. The next comparison of the
-- same day replaces it.
create table reconciliation_differences (
  tenant int4 not null,
  id text collate "C" not null,
  day date not null,
  connector text not null,
  processor_account text collate "C",
  what text not null,
  kind text not null,
  reference text not null,
  payment text collate "C",
  ledger json,
  processor json,
  primary key (tenant, id)
);
create index reconciliation_differences_by_day on reconciliation_differences (connector, processor_account, day);
