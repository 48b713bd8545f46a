-- tollgate: rolling
-- tollgate: no transaction
-- The session of an invoice expires when the invoice is paid without it.
alter table checkout_sessions
  drop constraint if exists checkout_sessions_expired_reason_check,
  drop constraint if exists checkout_sessions_expired_reason,
  add constraint checkout_sessions_expired_reason
    check (expired_reason in ('time', 'requested', 'too_many_attempts', 'invoice_paid')) not valid;
alter table checkout_sessions validate constraint checkout_sessions_expired_reason;
