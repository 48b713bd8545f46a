-- tollgate: rolling
-- tollgate: no transaction

-- Statistics add up amounts by currency and status. The index by status already changes whenever the amount received does, so it holds
-- both at no further write, and a million payments are added up without a look at the table.
create index concurrently if not exists payments_by_status_with_amount on payments (tenant, status, id) include (currency, amount_received);
create index concurrently if not exists refunds_by_status_with_amount on refunds (tenant, status, id) include (currency, amount);
drop index concurrently if exists payments_by_status;
drop index concurrently if exists refunds_by_status;

-- What needs a person is listed for each tenant: a few rows among millions.
create index concurrently if not exists payments_flagged_by_tenant on payments (tenant, flagged_at, id) where flagged_at is not null;
create index concurrently if not exists refunds_flagged_by_tenant on refunds (tenant, flagged_at, id) where flagged_at is not null;
create index concurrently if not exists disputes_flagged_by_tenant on disputes (tenant, flagged_at, id) where flagged_at is not null;
create index concurrently if not exists notices_flagged_by_tenant on notices (tenant, flagged_at, id) where flagged_at is not null;
drop index concurrently if exists payments_flagged;
drop index concurrently if exists refunds_flagged;
drop index concurrently if exists disputes_flagged;
drop index concurrently if exists notices_flagged;
create index concurrently if not exists disputes_waiting on disputes (tenant, due_by, id) where status = 'needs_response';
create index concurrently if not exists invoices_in_dunning on invoices (tenant, failed_at, id) where status = 'open' and failed_at is not null;
