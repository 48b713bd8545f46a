-- tollgate: rolling
-- tollgate: no transaction
-- The codes of coupons, which customers type in place of names. An index has only the coupons with one.
alter table coupons add column if not exists code text;
alter table coupons add column if not exists code_key text collate "C";
drop index concurrently if exists coupons_by_code;
create unique index concurrently coupons_by_code on coupons (tenant, code_key) where code_key is not null;
drop index concurrently if exists coupons_by_name;
comment on column coupons.code is 'what a customer types, as it was supplied';
comment on column coupons.code_key is 'the code as it is compared, in any case; a deleted coupon gives it up';
