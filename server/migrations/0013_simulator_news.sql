-- What the processor does by itself, after the call that led to it has been answered, and tells as a notice.
alter table simulator.entries
  add column verdict text check (verdict in ('won', 'lost')),
  drop constraint entries_verb_check,
  add constraint entries_verb_check
    check (verb in ('authorize', 'decide', 'capture', 'cancel', 'refund', 'dispute', 'contest', 'concede', 'close')),
  add constraint entries_verdict check ((verb = 'close') = (verdict is not null));
-- A dispute ends once: by a verdict, by its deadline, or because the merchant gave it up.
create unique index entries_ends_of_disputes on simulator.entries (tenant, authorization_attempt)
  where verb = 'close' or (verb = 'concede' and result = 'approved');
-- For the statement, which is read in the order of time. Rows lie in that order: their blocks are summed up, which costs a payment nothing.
create index entries_by_time on simulator.entries using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on column simulator.entries.amount is
  'asked for by the verb; for a cancel, what it released or gave back; for a dispute, what it took; for a close, what that was about';
comment on column simulator.entries.scenario is
  'what the number of the test card, or the text of the evidence, asks for beside the result';
comment on column simulator.entries.verdict is 'how the processor closed a dispute; one that the merchant conceded is lost without it';

create table simulator.news (
  tenant int4 not null,
  id text collate "C" not null,
  kind text not null check (kind in ('dispute', 'deadline', 'verdict', 'bounce', 'settle')),
  attempt text collate "C" not null,
  authorization_attempt text collate "C" not null,
  at timestamptz not null,
  told_at timestamptz,
  primary key (tenant, id)
);
create index news_untold on simulator.news (at, id) where told_at is null;
comment on column simulator.news.attempt is 'what led to it: an authorization, a refund, or evidence';
comment on column simulator.news.authorization_attempt is 'the authorization on whose entries it depends what happens';
comment on column simulator.news.at is 'when it happens';
comment on column simulator.news.told_at is 'when the gateway said that it has taken note, or when there turned out to be nothing to tell';

alter table simulator.faults
  drop constraint faults_verb_check,
  add constraint faults_verb_check check (verb in ('authorize', 'capture', 'cancel', 'refund', 'contest', 'concede', 'find'));

-- Was this card charged, and how often? `net` is what the cardholder has paid by now; `disputed` is what a dispute has taken back,
-- for as long as it is open, and for good when it is lost.
drop view simulator.charges;
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
