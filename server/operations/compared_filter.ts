import type { Bind } from './scan.ts';

/** A filter that rows are compared with, because no index has it. */
export type ComparedFilter = {
  /** Of the filter. */
  name: string;
  /** What the condition reads of a row. */
  columns: readonly string[];
  condition(value: unknown, bind: Bind): string;
};

/** Several values stand for any of them. */
export const equals = (column: string): ComparedFilter => ({
  name: column,
  columns: [column],
  condition: (value, bind) => (Array.isArray(value) ? `${column} = any(${bind(value)})` : `${column} = ${bind(value)}`),
});

const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type BoundName = keyof typeof operators;

/** The conditions of bounds that are given. `limitOf` makes the text that a column is compared with. */
export function boundConditions<Limit>(
  column: string,
  bounds: Partial<Record<BoundName, Limit>>,
  limitOf: (limit: Limit) => string,
): string {
  const given = Object.entries(bounds) as [BoundName, Limit][];
  const conditions = given.map(([name, limit]) => `${column} ${operators[name]} ${limitOf(limit)}`);
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}
