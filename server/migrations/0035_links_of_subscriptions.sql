-- tollgate: rolling
-- What the subscriptions of a payment link get, and the code of a coupon that a customer has typed.
alter table payment_links add column if not exists subscription_data json;
alter table checkout_sessions add column if not exists coupon_code text;
comment on column checkout_sessions.coupon_code is 'of the coupon, if the customer has typed it';
-- A view keeps the columns that its table had: it is made anew.
drop view payment_links_with_sales;
create view payment_links_with_sales as
  select l.*, c.completed from payment_links l join payment_link_counts c on c.tenant = l.tenant and c.id = l.id;
