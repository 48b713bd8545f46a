-- tollgate: rolling
-- tollgate: no transaction
-- For the mails about cards that expire, which are looked for by their month. Only attached cards are in it.
create index concurrently if not exists payment_methods_expiring
  on payment_methods (tenant, exp_year, exp_month, id) where customer is not null;
