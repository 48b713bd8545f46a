-- The simulator is a processor like any other, so its data is separate from the gateway's: tests compare the two.
create schema simulator;

-- What the processor did. Rows are only ever added. The key means: at most one effect per attempt, however often it is requested. The
-- simulator has accounts, as a processor has: what was made through one account is not found through another.
create table simulator.entries (
  tenant int4 not null,
  attempt text collate "C" not null,
  account text collate "C",
  verb text not null check (verb in
    ('authorize', 'decide', 'capture', 'cancel', 'refund', 'dispute', 'contest', 'concede', 'close')),
  authorization_attempt text collate "C" not null,
  sequence int4 not null check (sequence >= 0),
  payment text collate "C",
  amount int8 not null check (amount >= 0),
  currency text,
  captures bool not null,
  result text not null check (result in ('approved', 'declined', 'challenged')),
  code text,
  decline_code text,
  verdict text check (verdict in ('won', 'lost')),
  reference text collate "C" not null,
  last4 text,
  card text,
  checks text,
  scenario text,
  at timestamptz not null,
  primary key (tenant, attempt),
  check ((result = 'declined') = (code is not null)),
  check (verb <> 'authorize' or (attempt = authorization_attempt and sequence = 0)),
  constraint entries_verdict check ((verb = 'close') = (verdict is not null))
);
-- An action on an authorization takes the next number after those it has read: of two that race, one conflicts with the other's number.
-- Authorizations themselves are left out, they are unique by their attempt; a plain payment then costs one index, not two.
create unique index entries_by_authorization on simulator.entries (tenant, authorization_attempt, sequence) where sequence > 0;
-- A dispute ends once: by a verdict, by its deadline, or because the merchant gave it up.
create unique index entries_ends_of_disputes on simulator.entries (tenant, authorization_attempt)
  where verb = 'close' or (verb = 'concede' and result = 'approved');
-- For the statement, which is read in the order of time. Rows are stored in that order, so an index of block ranges is enough, which costs
-- a payment nothing.
create index entries_by_time on simulator.entries using brin (at) with (pages_per_range = 32, autosummarize = on);
-- A card is challenged until its cardholder has approved: its approvals are looked up by each later payment.
create index entries_by_card on simulator.entries (tenant, card) where card is not null;
comment on column simulator.entries.account is 'the processor account that it was made through; null: none';
comment on column simulator.entries.amount is
  'asked for by the verb; for a cancel, what it released or gave back; for a dispute, what it took; for a close, what that was about';
comment on column simulator.entries.captures is 'an authorization that takes the money at once';
comment on column simulator.entries.result is 'what is true in the end; a scenario may have told the caller something else at first';
comment on column simulator.entries.verdict is 'how the processor closed a dispute; one that the merchant conceded is lost without it';
comment on column simulator.entries.card is
  'a hash that tells one card from another; only for the number whose cardholder has to authenticate once';
comment on column simulator.entries.checks is 'the results for address and CVC, one character each';
comment on column simulator.entries.scenario is
  'what the number of the test card, or the text of the evidence, asks for beside the result';

-- The page on which a cardholder decides. There may be several for one attempt; the decision is an entry.
create table simulator.challenges (
  tenant int4 not null,
  attempt text collate "C" not null,
  hash bytea not null,
  account text collate "C",
  payment text collate "C" not null,
  amount int8 not null,
  currency text not null,
  return_url text,
  at timestamptz not null,
  primary key (tenant, attempt, hash)
);
create index challenges_by_hash on simulator.challenges (hash);
comment on column simulator.challenges.hash is 'SHA-256 of the token in the address of the page; the simulator does not keep the token itself';

-- What the processor does by itself, after it has answered the call that led to it, and reports as a notice.
create table simulator.news (
  tenant int4 not null,
  id text collate "C" not null,
  account text collate "C",
  kind text not null check (kind in ('dispute', 'deadline', 'verdict', 'bounce', 'settle', 'elsewhere')),
  attempt text collate "C" not null,
  authorization_attempt text collate "C" not null,
  at timestamptz not null,
  told_at timestamptz,
  primary key (tenant, id)
);
create index news_untold on simulator.news (at, id) where told_at is null;
-- An account is polled by the time of its news, reported or not.
create index news_of_accounts on simulator.news (tenant, account, at, id) where account is not null;
-- A notice about an attempt leads to the news of its authorization.
create index news_by_authorization on simulator.news (tenant, authorization_attempt) where account is not null;
comment on column simulator.news.attempt is 'what led to it: an authorization, a refund, or evidence';
comment on column simulator.news.authorization_attempt is 'the authorization on whose entries it depends what happens';
comment on column simulator.news.at is 'when it happens';
comment on column simulator.news.told_at is 'when the gateway said that it has taken note, or when there turned out to be nothing to tell';

-- Faults, scripted from outside. Only a simulator that behaves like a remote processor has any.
create table simulator.faults (
  id int8 generated always as identity primary key,
  tenant int4,
  verb text check (verb in ('authorize', 'capture', 'cancel', 'refund', 'contest', 'concede', 'find')),
  kind text not null check (kind in ('delay', 'lose_request', 'lose_reply', 'hang', 'hang_before', 'late_effect', 'wrong_attempt',
    'malformed', 'twice', 'down', 'not_sent', 'contradict')),
  milliseconds int4 not null default 0 check (milliseconds >= 0),
  remaining int4 not null default 1 check (remaining >= 0)
);
comment on column simulator.faults.tenant is 'null: any';
comment on column simulator.faults.verb is 'null: any';
comment on column simulator.faults.remaining is 'how many calls it still befalls';

-- Was this card charged, and how often? `net` is what the cardholder has paid by now; `disputed` is what a dispute has taken back,
-- for as long as it is open, and for good when it is lost.
create view simulator.charges as
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
    ) as sums;
