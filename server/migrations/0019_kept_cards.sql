-- tollgate: rolling
-- The customers that processors have for card numbers that they keep. Detach no card that was set up or charged since while servers of
-- the previous version still run: they do not have its customer deleted.
create table if not exists kept_cards (
  tenant int4 not null,
  payment_method text collate "C" not null,
  processor_account text collate "C" not null,
  customer text collate "C" not null,
  attempt text collate "C" not null,
  primary key (tenant, payment_method, processor_account, customer)
);
comment on table kept_cards is 'the customers at processors that were made for a card number, so that it can be charged without the cardholder';
comment on column kept_cards.customer is 'the processor''s own name for the customer';
comment on column kept_cards.attempt is 'the attempt that was committed with it: the first that could attach the card';
