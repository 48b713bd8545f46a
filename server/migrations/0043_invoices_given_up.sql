-- tollgate: rolling

-- An uncollectible invoice that is paid, and whose payment turns out to have failed, is uncollectible again and not collected anew.
alter table invoices add column was_given_up bool not null default false;
