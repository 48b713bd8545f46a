-- Nothing ever wrote these.
alter table customers drop column clock;
alter table payment_methods drop column clock;
alter table payments drop column clock;
