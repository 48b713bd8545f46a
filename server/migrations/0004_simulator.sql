-- The simulator is a processor like any other, so what it knows lies apart from what the gateway knows: tests compare the two.
create schema simulator;

-- What the processor did. Rows are only ever added. The key means: at most one effect per attempt, however often it is asked for.
create table simulator.entries (
  tenant int4 not null,
  attempt text collate "C" not null,
  verb text not null check (verb in ('authorize', 'decide', 'capture', 'cancel', 'refund')),
  authorization_attempt text collate "C" not null,
  sequence int4 not null check (sequence >= 0),
  payment text collate "C",
  amount int8 not null check (amount >= 0),
  currency text,
  captures bool not null,
  result text not null check (result in ('approved', 'declined', 'challenged')),
  code text,
  decline_code text,
  reference text collate "C" not null,
  last4 text,
  checks text,
  scenario text,
  at timestamptz not null,
  primary key (tenant, attempt),
  check ((result = 'declined') = (code is not null)),
  check (verb <> 'authorize' or (attempt = authorization_attempt and sequence = 0))
);
-- Whoever acts on an authorization takes the next number after those it has read: of two that race, one meets the other's number.
-- Authorizations themselves are left out, they are unique by their attempt; a plain payment then costs one index, not two.
create unique index entries_by_authorization on simulator.entries (tenant, authorization_attempt, sequence) where sequence > 0;
comment on column simulator.entries.result is 'what is true in the end; a scenario may have told the caller something else at first';
comment on column simulator.entries.amount is 'asked for by the verb; for a cancel, what it released or gave back';
comment on column simulator.entries.captures is 'an authorization that takes the money at once';
comment on column simulator.entries.checks is 'the results for address and CVC, one character each';
comment on column simulator.entries.scenario is 'what the number of the test card asks for beside the result';

-- The page on which a cardholder decides. There may be several for one attempt; the decision is an entry of the ledger.
create table simulator.challenges (
  tenant int4 not null,
  attempt text collate "C" not null,
  hash bytea not null,
  payment text collate "C" not null,
  amount int8 not null,
  currency text not null,
  return_url text,
  at timestamptz not null,
  primary key (tenant, attempt, hash)
);
create index challenges_by_hash on simulator.challenges (hash);
comment on column simulator.challenges.hash is 'SHA-256 of the token in the address of the page; the simulator does not keep the token itself';

-- Faults, scripted from outside. Only a simulator that behaves like a remote processor has any.
create table simulator.faults (
  id int8 generated always as identity primary key,
  tenant int4,
  verb text check (verb in ('authorize', 'capture', 'cancel', 'refund', 'find')),
  kind text not null check (kind in ('delay', 'lose_request', 'lose_reply', 'hang', 'hang_before', 'late_effect', 'wrong_attempt',
    'malformed', 'twice', 'down')),
  milliseconds int4 not null default 0 check (milliseconds >= 0),
  remaining int4 not null default 1 check (remaining >= 0)
);
comment on column simulator.faults.tenant is 'null: any';
comment on column simulator.faults.verb is 'null: any';
comment on column simulator.faults.remaining is 'how many calls it still befalls';

-- Was this card charged, and how often? `net` is what the cardholder has paid by now.
create view simulator.charges as
  select *, case when canceled then 0 else captured - refunded end as net
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
             bool_or(result = 'approved' and verb = 'cancel') as canceled
        from simulator.entries
       group by tenant, authorization_attempt
    ) as sums;
