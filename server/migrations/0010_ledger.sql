-- What an account pays for a payment, and when its money becomes available.
alter table accounts
  add column fee_ppm int4 not null default 0 check (fee_ppm between 0 and 1000000),
  add column fee_fixed json not null default '{}',
  add column settlement_days int2 not null default 2 check (settlement_days between 0 and 90),
  add column test_settlement text not null default 'delayed' check (test_settlement in ('delayed', 'immediate'));
comment on column accounts.fee_ppm is 'of the amount received, in millionths: 29000 is 2.9%';
comment on column accounts.fee_fixed is 'per payment, by currency, in its smallest unit';

-- Every movement of money: one account is debited, one is credited, by one amount, so that it is balanced by what it is. Rows are only
-- ever added.
create table postings (
  tenant int4 not null,
  id text collate "C" not null,
  kind text not null,
  debit text not null check (debit in ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees')),
  credit text not null check (credit in ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees')),
  amount int8 not null check (amount > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  source text collate "C" not null,
  payment text collate "C" not null,
  reference text collate "C",
  available_on date not null,
  position int8 not null default (pg_current_xact_id()::text::int8),
  primary key (tenant, id),
  check (debit <> credit)
);
-- The same thing does not happen twice to a payment, a refund or a dispute, whatever the program believes.
create unique index postings_once on postings (tenant, source, kind);
create index postings_by_payment on postings (tenant, payment, id) where source <> payment;
-- Most are payments: whoever asks for the others does not read past those, and payments pay nothing for it.
create index postings_by_kind on postings (tenant, kind, id) where kind <> 'payment';
create index postings_by_position on postings (position);
comment on column postings.source is 'what moved the money: a payment, a refund or a dispute';
comment on column postings.reference is 'by what the processor knows it: an attempt, or its own name of a dispute; null for what it does not know';
comment on column postings.available_on is 'from this day on (UTC) it counts as available';
comment on column postings.position is 'the transaction that committed it: everything below the oldest one that still runs is there for good';

-- What was received before there was a ledger. Its money is as available as it was.
insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, reference, available_on)
  select p.tenant, 'txn_' || substr(p.id, 4), 'payment', 'processor', 'balance', p.amount_received, p.currency, p.id, p.id,
         coalesce((select a.id from attempts a where a.tenant = p.tenant and a.payment = p.id and a.verb = 'capture' and a.state = 'approved'),
                  p.authorization_attempt),
         (now() at time zone 'utc')::date
    from payments p where p.amount_received > 0;

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

-- How far the chain has come. Whoever holds this row seals.
create table ledger_sealer (
  one bool primary key default true check (one),
  sealed_to int8 not null,
  offset_by int8 not null default 0
);
insert into ledger_sealer (sealed_to) values (0);
comment on column ledger_sealer.sealed_to is 'postings below this position are sealed, and in the balances';
comment on column ledger_sealer.offset_by is 'added to transaction ids to make positions: a database that is restored elsewhere begins to count anew';
