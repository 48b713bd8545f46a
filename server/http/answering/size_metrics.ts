import type { Registry } from 'prom-client';
import Gauge from 'prom-client/lib/gauge.js';
import { type Pool, query } from '../../base/sql.ts';

/** A table with its indexes and TOAST data; partitions are summed. The database includes free space and what other programs keep there. */
const sizesSql = `select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes,
                         min(pg_database_size(current_database()))::float8 as database_bytes
  from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid
  left join pg_class parent on parent.oid = i.inhparent
 where c.relkind in ('r', 'p') and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
 group by 1`;

type Size = { name: string; bytes: number; database_bytes: number };

/** How large the database and each table are. Returns what refreshes the numbers. */
export function watchSizes(registers: Registry[]): { clear(): void; refresh(pool: Pool): Promise<void> } {
  const database = new Gauge({
    name: 'tollgate_database_bytes',
    help: 'The size of the database on disk.',
    registers,
    aggregator: 'max',
  });
  const tables = new Gauge({
    name: 'tollgate_table_bytes',
    help: 'The size of a table with its indexes on disk.',
    labelNames: ['table'],
    registers,
    aggregator: 'max',
  });
  return {
    clear() {
      database.remove();
      tables.reset();
    },
    async refresh(pool) {
      const sizes = await query<Size>(pool, sizesSql, [], 'table_sizes');
      database.set(sizes[0]?.database_bytes ?? 0);
      for (const { name, bytes } of sizes) tables.set({ table: name }, bytes);
    },
  };
}
