import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import type { SqlAt } from '../../base/places/sql_at.ts';
import { readPlaces } from '../../base/places/turns.ts';
import { type Pool, query } from '../../base/sql.ts';
import { directorySizes, placeSizes } from '../../citus/sizes.ts';

/** A table with its indexes and TOAST data; partitions are summed. */
const allSizes = `
  select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class parent on parent.oid = i.inhparent
   where c.relkind in ('r', 'p') and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
   group by 1`;

type Size = { name: string; bytes: number; database_bytes: number };
type PlacedSize = Size & { place?: string };

/** The database includes free space and what other programs keep there. */
async function sizesOf(sql: Pool, sizes: string): Promise<Size[]> {
  const text = `select name, bytes, pg_database_size(current_database())::float8 as database_bytes from (${sizes}) found`;
  return query<Size>(sql, text, [], 'table_sizes');
}

/** On a cluster, of each place that answers. */
async function sizesAt(relaxed: SqlAt, isCluster: boolean): Promise<readonly PlacedSize[]> {
  if (!isCluster) return sizesOf(relaxed.directory, allSizes);
  const named = (sizes: Size[], place: string) => sizes.map((size) => ({ ...size, place }));
  return [
    ...named(await sizesOf(relaxed.directory, directorySizes), 'directory'),
    ...(await readPlaces(relaxed.places('tenant'), async (sql, place) => named(await sizesOf(sql, placeSizes), place))),
  ];
}

/** How large databases and tables are. Returns what refreshes the numbers. */
export function watchSizes(
  registers: Registry[],
  isCluster: boolean,
): { clear(): void; refresh(relaxed: SqlAt): Promise<void> } {
  const database = new Gauge({
    name: 'tollgate_database_bytes',
    help: 'The size of the database on disk; of a place, the size of the database of its server.',
    labelNames: ['place'],
    registers,
    aggregator: 'max',
  });
  const tables = new Gauge({
    name: 'tollgate_table_bytes',
    help: 'The size of a table with its indexes on disk.',
    labelNames: ['place', 'table'],
    registers,
    aggregator: 'max',
  });
  return {
    clear() {
      database.reset();
      tables.reset();
    },
    async refresh(relaxed) {
      for (const { name: table, bytes, database_bytes, ...place } of await sizesAt(relaxed, isCluster)) {
        database.set(place, database_bytes);
        tables.set({ ...place, table }, bytes);
      }
    },
  };
}
