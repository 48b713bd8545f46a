-- tollgate: rolling
-- What objects are found by. A server follows the events about them and writes it in the background (resources/views/search): nothing that
-- is changed pays for it. All of it can be made again from the objects, by `tollgate search rebuild`.

-- An object in the index, by a short number: it stands in every row of search_terms.
create table if not exists search_objects (
  number int8 generated always as identity,
  tenant int4 not null,
  object text collate "C" not null,
  words text collate "C" not null,
  primary key (tenant, number)
);
create unique index if not exists search_objects_by_id on search_objects (tenant, object);
comment on column search_objects.number is 'in the order of indexing, which is nearly that of creation: the newest of a frequent word are read first';
comment on column search_objects.words is 'its terms, with spaces between: what is removed when they change, and what a frequent word is compared with';

-- The columns are in this order because it needs no padding.
create table if not exists search_terms (
  number int8 not null,
  tenant int4 not null,
  kind text collate "C" not null,
  term text collate "C" not null,
  primary key (tenant, kind, term, number)
);
comment on column search_terms.kind is 'how the id of the object begins';

-- How far the events have been followed: a place in the order of commits (base/position.ts). No row: the index was never filled.
create table if not exists search_position (
  one bool primary key default true check (one),
  xact int8 not null,
  id text collate "C" not null,
  since int8 not null,
  seen_top int8,
  seen_at int8
);

-- Objects that are gone through, tenant by tenant: all that existed before the index, and all again when it is rebuilt.
create table if not exists search_walks (
  tenant int4 not null,
  kind text collate "C" not null,
  after text collate "C" not null,
  primary key (tenant, kind)
);
comment on column search_walks.kind is 'how the ids of the objects begin; terms: the rows of search_terms themselves';
comment on column search_walks.after is 'everything up to it has been gone through';
