import { query, type Sql } from '../base/sql.ts';
import { directoryTables, nodeTables, placeTables } from './homes.ts';

/** A table that goes to the places, and what of it a cluster cannot have. */
export type TenantTable = {
  name: string;
  isDistributed: boolean;
  /** Null tenants are not stored anywhere. */
  isNullable: boolean;
  /** Unique without the tenant: no server sees the rows of the others. */
  looseKeys: { name: string; isPrimary: boolean; isConstraint: boolean; columns: string[] }[];
  /** Foreign keys to what is not distributed, and from there to this table. */
  crossing: { table: string; name: string }[];
  /** Tables of places that its foreign keys name, which have to be distributed first. */
  needs: string[];
};

export async function hasTable(sql: Sql, name: string): Promise<boolean> {
  return (await query(sql, 'select where to_regclass($1) is not null', [name])).length > 0;
}

/** All tables with a tenant but those of the directory, each after those that it refers to. */
export async function tenantTables(sql: Sql): Promise<TenantTable[]> {
  const others = [...directoryTables, ...placeTables, ...nodeTables.map(({ name }) => name)];
  const found = await query<TenantTable>(
    sql,
    `with own as (
       select c.oid, c.relname as name, a.attnum as tenant, not a.attnotnull as nullable
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and c.relname <> all ($1))
     select o.name, o.nullable as "isNullable",
            exists (select from pg_catalog.pg_dist_partition where logicalrelid = o.oid) as "isDistributed",
            (select coalesce(json_agg(json_build_object('name', n.relname, 'isPrimary', i.indisprimary, 'isConstraint', k.oid is not null,
                       'columns', (select json_agg(a.attname order by u.at) from unnest(i.indkey::int2[]) with ordinality u (number, at)
                                     join pg_attribute a on a.attrelid = o.oid and a.attnum = u.number))), '[]')
               from pg_index i join pg_class n on n.oid = i.indexrelid
               left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
              where i.indrelid = o.oid and i.indisunique and o.tenant <> all (i.indkey::int2[])) as "looseKeys",
            (select coalesce(json_agg(json_build_object('table', c.relname, 'name', k.conname)), '[]')
               from pg_constraint k join pg_class c on c.oid = k.conrelid
              where k.contype = 'f' and o.oid in (k.conrelid, k.confrelid) and k.conparentid = 0
                and not (k.conrelid in (select oid from own) and k.confrelid in (select oid from own))) as crossing,
            array(select f.name::text from pg_constraint k join own f on f.oid = k.confrelid
                   where k.conrelid = o.oid and k.contype = 'f' and k.confrelid <> o.oid) as needs
       from own o order by o.name`,
    [others],
  );
  return inOrder(found);
}

function inOrder(tables: readonly TenantTable[]): TenantTable[] {
  const sorted: TenantTable[] = [];
  const add = (table: TenantTable) => {
    if (sorted.includes(table)) return;
    for (const name of table.needs) add(tables.find((other) => other.name === name)!);
    sorted.push(table);
  };
  for (const table of tables) add(table);
  return sorted;
}
