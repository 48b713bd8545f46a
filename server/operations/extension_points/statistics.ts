import type { Table } from '../../base/commit/index.ts';
import { extensionPoint } from '../resource.ts';

/** Objects that are counted by when they were created, and whose amounts are added up. */
export type FigureSource = {
  of: 'payments' | 'refunds' | 'disputes';
  prefix: string;
  table: Pick<Table, 'name'>;
  /** All of its statuses. */
  statuses: readonly string[];
  /** The column that is added up. There is an index on (tenant, status, id) that holds it, and the currency. */
  amount: string;
};

export const figureSources = extensionPoint<FigureSource>('statistics');
