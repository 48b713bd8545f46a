-- tollgate: rolling
-- Setups as tries of checkout sessions, and what payment links ask about the payment method.
alter table setups add column if not exists new_customer text collate "C", add column if not exists cancellation_reason text;
comment on column setups.new_customer is 'the customer that is made for it when it succeeds; null: none';
comment on column setups.cancellation_reason is 'why it was canceled, where that was said';
alter table payment_links add column if not exists save_payment_method text;
comment on column payment_links.save_payment_method is 'whether the payment method is kept for later charges; null: no';
-- `*` is what it was when a view was created.
drop view if exists payment_links_with_sales;
create view payment_links_with_sales as
  select l.*, c.completed from payment_links l join payment_link_counts c on c.tenant = l.tenant and c.id = l.id;
