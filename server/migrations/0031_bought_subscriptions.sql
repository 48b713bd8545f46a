-- tollgate: rolling
-- What a payment gets with its approval, such as the invoice of the subscription that it starts: it is made in the same commit.
alter table payments add column if not exists on_approval json;
comment on column payments.on_approval is 'the customer and the invoice that it gets when it is approved; null: none';
