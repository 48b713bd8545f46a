-- tollgate: rolling
-- Limits against the testing of stolen cards at the checkout. Addresses and cards are keyed hashes.
alter table accounts add column if not exists card_testing json not null default '{}';
comment on column accounts.card_testing is 'the limits that the account has changed; all others have their default';
create table if not exists card_testing_tries (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  session text collate "C" not null,
  link text collate "C",
  network bytea not null,
  card bytea,
  state text not null,
  at timestamptz not null,
  declined_at timestamptz,
  primary key (tenant, id)
);
comment on table card_testing_tries is 'tries to pay at the checkout, for 25 hours: as long as a page of a processor can stay open';
comment on column card_testing_tries.id is 'chosen by the checkout: the payment or setup of the try';
comment on column card_testing_tries.network is 'of an IPv4 address or an IPv6 /64';
comment on column card_testing_tries.state is 'open: without an outcome; passed; declined';
create index if not exists card_testing_by_time on card_testing_tries (tenant, at);
create index if not exists card_testing_by_network on card_testing_tries (tenant, network, at);
create index if not exists card_testing_declines on card_testing_tries (tenant, network, declined_at) where declined_at is not null;
create index if not exists card_testing_by_card on card_testing_tries (tenant, card, at) where card is not null;
create table if not exists card_testing_alarms (
  tenant int4 primary key,
  since timestamptz not null,
  until timestamptz not null,
  tries int4 not null,
  declined int4 not null
);
comment on table card_testing_alarms is 'most tries to pay were declined: until then every card is to be authenticated';
