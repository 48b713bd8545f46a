import type { Table } from '../../base/commit/index.ts';
import type { Context } from '../operation.ts';
import { extensionPoint } from '../resource.ts';

/** Objects that are counted by when they were created, and whose amounts are added up. */
export type FigureSource = {
  of: 'payments' | 'refunds' | 'disputes' | 'fees';
  prefix: string;
  table: Pick<Table, 'name'>;
  /** The column that says how an object counts, and those of its values that count. */
  countedBy: { column: 'status' | 'kind'; values: readonly string[] };
  /** The column that is added up. There is an index on (tenant, countedBy.column, id) that holds it, and the currency. */
  amount: string;
};

export const figureSources = extensionPoint<FigureSource>('statistics');

/** Objects that end well or not, such as checkout sessions: counted in the same way, all of them or those that one object has made. */
export type FunnelSource = Omit<FigureSource, 'of'> & {
  /** The column that names what has made them. The index on it, the status and the id holds the amount and the currency. */
  maker: string;
};

export const funnelSources = extensionPoint<FunnelSource>('statistics of checkout sessions');

/** What payments are broken down by. */
export const breakdowns = ['decline_code', 'processor', 'brand', 'country'] as const;
export type BreakdownName = (typeof breakdowns)[number];

/** Objects that are counted by a value that they have. Their table has `currency` and `status`. */
export type BreakdownSource = {
  prefix: string;
  table: Pick<Table, 'name'>;
  /** The column that is added up. */
  amount: string;
  /** The value, as SQL, and the only status whose objects have it, if there is one: an index on (tenant, status, id) finds these. */
  values: Readonly<Record<BreakdownName, { value: string; status?: string }>>;
};

export const breakdownSources = extensionPoint<BreakdownSource>('breakdowns of statistics');

/** From its first second to before its last, epoch seconds. */
export type TimeBucket = { start: number; end: number };

/** What is counted of subscriptions, in one currency. */
export type SubscriptionCounts = {
  /** At the end of the day. */
  mrr: number;
  active: number;
  /** In the day. */
  new: number;
  lost: number;
  recovered: number;
  recovered_amount: number;
  lost_invoices: number;
  lost_amount: number;
};

/** Some of the counts of a day, which is the first, second … of those asked for. */
export type DayCounts = { at: number; currency: string } & Partial<SubscriptionCounts>;

/** Counts of subscriptions, by days in UTC. `since`: the first day whose counts are known, where earlier ones are not. */
export type SubscriptionFigures = {
  read(
    context: Pick<Context, 'reads' | 'tenant' | 'now'>,
    days: readonly TimeBucket[],
  ): Promise<{ since?: number; counts: readonly DayCounts[] }>;
};

export const subscriptionFigureSources = extensionPoint<SubscriptionFigures>('statistics of subscriptions');
