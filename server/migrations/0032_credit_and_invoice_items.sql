-- Credit of customers: what their next invoices use before anything is charged.
alter table customers add column credit_balance json;
comment on column customers.credit_balance is 'by currency, each above 0; null when there is none';

-- Every change of a customer's credit. Rows are only ever added.
create table credit_transactions (
  tenant int4 not null,
  id text collate "C" not null,
  customer text collate "C" not null,
  amount int8 not null check (amount <> 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  invoice text collate "C",
  created timestamptz,
  primary key (tenant, id)
);
create index credit_transactions_by_customer on credit_transactions (tenant, customer, id);
comment on column credit_transactions.amount is 'above 0 was added, below 0 was taken away';
comment on column credit_transactions.invoice is 'the invoice that added or used it; null: the customer was deleted';
comment on column credit_transactions.created is 'the time of the test clock that the customer lives in; null: the time in the id';

-- Credit is posted too. It belongs to no payment: of the kinds of postings, these alone have none.
alter table postings
  alter column payment drop not null,
  drop constraint postings_debit_check,
  drop constraint postings_credit_check,
  add constraint postings_debit_check check (debit in
    ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees', 'credit_granted', 'customer_credit')),
  add constraint postings_credit_check check (credit in
    ('processor', 'balance', 'refunds_in_flight', 'disputed', 'fees', 'credit_granted', 'customer_credit')),
  add constraint postings_payment_check check
    ((payment is null) = (kind in ('credit_granted', 'credit_used', 'credit_forfeited')));
comment on column postings.source is 'what moved the money: a payment, a refund, a dispute or a credit transaction';
comment on column postings.payment is 'null for credit, which belongs to no payment';

-- Amounts that wait for the next invoice of a customer.
create table invoice_items (
  tenant int4 not null,
  id text collate "C" not null,
  version int4 not null,
  customer text collate "C" not null,
  amount int8 not null check (amount <> 0 and abs(amount) <= 999999999999),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  description text not null,
  subscription text collate "C",
  invoice text collate "C",
  created timestamptz,
  primary key (tenant, id)
);
create index invoice_items_by_customer on invoice_items (tenant, customer, id);
-- Few wait at a time, however many were invoiced.
create index invoice_items_waiting on invoice_items (tenant, customer, id) where invoice is null;
comment on column invoice_items.subscription is 'whose invoice it waits for; null: any next one of the customer';
comment on column invoice_items.invoice is 'the invoice that has taken it; null while it waits';
comment on column invoice_items.created is 'the time of the test clock that the customer lives in; null: the time in the id';
