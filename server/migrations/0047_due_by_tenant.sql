-- tollgate: rolling
-- tollgate: no transaction

-- Due work is leased fairly: when much is due, tenants are visited one after the other, and the due rows of one hide nobody else's.
create index concurrently if not exists payments_due_by_tenant on payments (tenant, due_at) where due_at is not null;
create index concurrently if not exists refunds_due_by_tenant on refunds (tenant, due_at) where due_at is not null;
create index concurrently if not exists disputes_due_by_tenant on disputes (tenant, due_at) where due_at is not null;
create index concurrently if not exists subscriptions_due_by_tenant on subscriptions (tenant, due_at) where due_at is not null;
create index concurrently if not exists invoices_due_by_tenant on invoices (tenant, due_at) where due_at is not null;
create index concurrently if not exists payment_methods_due_by_tenant on payment_methods (tenant, due_at) where due_at is not null;
create index concurrently if not exists deleted_customers_due_by_tenant on deleted_customers (tenant, due_at) where due_at is not null;
create index concurrently if not exists processor_accounts_due_by_tenant on processor_accounts (tenant, due_at) where due_at is not null;
create index concurrently if not exists notices_due_by_tenant on notices (tenant, due_at) where due_at is not null;
create index concurrently if not exists test_clocks_due_by_tenant on test_clocks (tenant, due_at) where due_at is not null;
create index concurrently if not exists deleted_test_clocks_due_by_tenant on deleted_test_clocks (tenant, due_at) where due_at is not null;
