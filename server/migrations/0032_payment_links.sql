-- tollgate: rolling
-- Payment links, the sessions that they have sold, and the places that customers hold of limited ones.
create table if not exists payment_links (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  active bool not null,
  url text not null,
  mode text not null,
  amount int8,
  currency text,
  description text,
  line_items json,
  adjustable_quantity json,
  amount_choice json,
  sales_limit int4,
  inactive_message text,
  capture_method text,
  allow_coupons bool,
  collect json,
  success_url text,
  cancel_url text,
  locale text,
  metadata json,
  primary key (tenant, id)
);
create index if not exists payment_links_by_active on payment_links (tenant, active, id);
create table if not exists payment_link_counts (
  tenant int4 not null,
  id text collate "C" not null,
  completed int4 not null,
  primary key (tenant, id)
);
comment on table payment_link_counts is 'how many sessions of a link were completed; counted with payment_link_sales';
create table if not exists payment_link_sales (
  tenant int4 not null,
  id text collate "C" not null,
  link text collate "C" not null,
  primary key (tenant, id)
);
comment on column payment_link_sales.id is 'the checkout session';
create table if not exists payment_link_places (
  tenant int4 not null,
  id text collate "C" not null,
  link text collate "C" not null,
  held_at timestamptz not null,
  primary key (tenant, id)
);
comment on table payment_link_places is 'places of limited links that sessions hold while a try to pay has no outcome';
create index if not exists payment_link_places_by_link on payment_link_places (tenant, link);
create index if not exists payment_link_places_by_time on payment_link_places (tenant, held_at);
create or replace view payment_links_with_sales as
  select l.*, c.completed from payment_links l join payment_link_counts c on c.tenant = l.tenant and c.id = l.id;
