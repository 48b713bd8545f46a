import type { Home } from '../base/commit/index.ts';
import type { SqlAt } from '../base/places/sql_at.ts';
import { readPlaces } from '../base/places/turns.ts';
import type { Pool } from '../base/sql.ts';

/** A number about stored rows. It is read each time that the metrics are, so it must be cheap however many rows there are. */
export type ResourceGauge = {
  /** Of the metric. Those of the same name and labels are counted together; of durations in seconds, the longest counts. */
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  /** Of the rows: it is read at each place that has such tables. Those of tenants when not given. */
  home?: Home;
  read(sql: Pool): Promise<number>;
};

/**
 * The number over all places that answer. Without those that do not, the alerts on the others would end; whether a place is up is another
 * metric.
 */
export async function readGauge(relaxed: SqlAt, { name, home = 'tenant', read }: ResourceGauge): Promise<number> {
  return combined(name, await readPlaces(relaxed.places(home), async (sql) => [await read(sql)]));
}

/** How values of one metric become one: the age of the oldest row of all, or the sum. */
export function combined(name: string, values: readonly number[]): number {
  return name.endsWith('_seconds') ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0);
}
