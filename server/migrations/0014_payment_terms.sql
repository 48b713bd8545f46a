-- tollgate: rolling
alter table payments add column if not exists off_session bool, add column if not exists advice text;
comment on column payments.off_session is 'true: the merchant has charged it without the cardholder; null: no';
comment on column payments.advice is 'what to do about the decline by which it failed; null: nobody has said';
