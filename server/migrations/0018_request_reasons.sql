-- tollgate: rolling
-- Why a request was refused.
alter table requests add column if not exists param text, add column if not exists message text;
comment on column requests.param is 'the parameter that the refusal is about';
comment on column requests.message is 'the message of the refusal, without secrets';
