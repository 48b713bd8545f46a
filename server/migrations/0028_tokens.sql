-- tollgate: no transaction

-- A payment method may stand for a card that a processor keeps. Its token is in vault_secrets, under the id of the method.
alter table payment_methods
  add column if not exists processor_account text collate "C",
  add column if not exists processor_customer text,
  add column if not exists token_attempt text collate "C";
comment on column payment_methods.processor_account is 'the processor account that keeps the card; null: the number is in vault_cards';
comment on column payment_methods.processor_customer is 'the processor''s own name for the customer that the card is attached to there; without one it can be charged once';
comment on column payment_methods.token_attempt is 'the attempt that has used a token which can be charged once';

-- For whoever deletes a processor account: whether it keeps a card.
create index concurrently if not exists payment_methods_by_processor_account
  on payment_methods (tenant, processor_account) where processor_account is not null;
