import { directorySchema, nodeTables, placeTables } from './homes.ts';
import { literal } from './names.ts';
import { anchorTable, placePrefix, shardsBeside } from './shards.ts';

/**
 * SQL for a connection of a place: the names of its tables, and how many bytes their shards take; partitions are summed. Without the table of
 * security codes, which all places of a server share.
 */
export const placeSizes = `
  select coalesce(parent.relname, c.relname) as name,
         sum(pg_total_relation_size(to_regclass(format('public.%I', c.relname || '_' || s.shardid))))::float8 as bytes
    from ${shardsBeside}
    join pg_class c on c.oid = p.logicalrelid
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class parent on parent.oid = i.inhparent
   where anchor.logicalrelid = '${anchorTable}'::regclass
     and anchor.shardid = ltrim(current_schema(), '${placePrefix}')::int8
   group by 1
  union all
  select c.relname, pg_total_relation_size(c.oid)::float8
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname = current_schema()`;

const ofPlaces = [...nodeTables.map(({ name }) => name), ...placeTables].map(literal).join(', ');

/** The same for a connection of the directory, which has the tables of places too, without rows. */
export const directorySizes = `
  select c.relname as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind = 'r' and n.nspname in ('${directorySchema}', 'public') and c.relname not in (${ofPlaces})
     and not exists (select from pg_catalog.pg_dist_partition d where d.logicalrelid = c.oid)
   group by 1`;
