-- tollgate: rolling
-- tollgate: no transaction

-- What was captured or refunded at the processor without the gateway.
alter table payments add column if not exists captured_elsewhere bool;
comment on column payments.captured_elsewhere is 'captured at the processor without the gateway; null: no';
alter table refunds add column if not exists processor_reference text collate "C";
comment on column refunds.processor_reference is 'the processor''s own name, for a refund that was made there without the gateway';
-- Such a refund is recorded once, however often it is reported.
create unique index concurrently if not exists refunds_made_at_processor on refunds (tenant, payment, processor_reference)
  where processor_reference is not null;

-- The simulator is used without the gateway, too, so that tests can do it.
alter table simulator.news drop constraint if exists news_kind_check;
alter table simulator.news add constraint news_kind_check
  check (kind in ('dispute', 'deadline', 'verdict', 'bounce', 'settle', 'elsewhere')) not valid;
alter table simulator.news validate constraint news_kind_check;
