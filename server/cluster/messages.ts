import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { AddressCounts } from '../http/admission/address_limit.ts';

/** Metrics as prom-client writes them for another process. */
export type CollectedMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** What the supervisor sends to a server process. */
export type ProcessOrder =
  /** `isReplaced`: another process has taken its place, so the server as a whole stays ready. */
  | { order: 'stop'; isReplaced: boolean }
  | { order: 'collect metrics' }
  /** What other processes have counted. */
  | { order: 'count'; counts: AddressCounts };

/** What a server process sends to the supervisor. */
export type ProcessReport =
  | { report: 'serving'; host: string; port: number }
  | { report: 'metrics'; metrics: CollectedMetrics }
  | { report: 'counted'; counts: AddressCounts };
