-- The simulator has accounts, as a processor has. What was made through one account is not found through another.
alter table simulator.entries
  add column account text collate "C",
  add column card text;
alter table simulator.challenges add column account text collate "C";
alter table simulator.news add column account text collate "C";
comment on column simulator.entries.account is 'the processor account that it was made through; null: none';
comment on column simulator.entries.card is
  'a hash that tells one card from another; only for the number whose cardholder has to authenticate once';

-- A card is challenged until its cardholder has approved: its approvals are looked up by each later payment.
create index entries_by_card on simulator.entries (tenant, card) where card is not null;
-- An account is polled by the time of its news, reported or not.
create index news_of_accounts on simulator.news (tenant, account, at, id) where account is not null;
-- A notice about an attempt leads to the news of its authorization.
create index news_by_authorization on simulator.news (tenant, authorization_attempt) where account is not null;

alter table simulator.faults
  drop constraint faults_kind_check,
  add constraint faults_kind_check check (kind in ('delay', 'lose_request', 'lose_reply', 'hang', 'hang_before', 'late_effect',
    'wrong_attempt', 'malformed', 'twice', 'down', 'not_sent', 'contradict'));
