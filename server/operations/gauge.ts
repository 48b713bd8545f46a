import type { Pool } from '../base/sql.ts';

/** A number about stored rows. It is read each time that the metrics are, so it must be cheap however many rows there are. */
export type ResourceGauge = {
  /** Of the metric. Gauges of the same name differ in their labels. */
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  read(pool: Pool): Promise<number>;
};
