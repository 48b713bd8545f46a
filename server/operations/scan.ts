import type { ColumnType, Table } from '../base/commit/index.ts';
import { Unavailable } from '../base/errors.ts';
import type { Reads, RowReads, Tenant } from '../base/reads.ts';
import type { Range } from './range.ts';

/** So many rows are compared by one statement, which holds a connection that everybody's reads share. */
const stepRowsMax = 10_000;
/** The first step is short, because most rows may match. Each is longer than the one before by this factor. */
const firstStepRows = 100;
const stepGrowth = 4;

/** Adds a value, and returns its name. A statement for many pages has to know the type, which is text if it is not given. */
export type Bind = (value: unknown, type?: ColumnType) => string;

/** The values of a statement of an owner, who is $1, and what adds one. */
export function bindings<Owner>(owner: Owner): { values: [Owner, ...unknown[]]; bind: Bind } {
  const values: [Owner, ...unknown[]] = [owner];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/** The rows of a range, compared with conditions that no index meets. $1 is the owner. */
export type FilteredScan = {
  /** Select the first rows of a range, in its order: their ids, and the columns that the conditions name. Each reads a part of the rows. */
  rows(range: Range, bind: Bind): readonly string[];
  /** The id in the API of a row, where `rows` calls it by another text that sorts alike. */
  idOf?: (text: string) => string;
  /** How many parts are read, each up to the limit of the range. */
  parts: number;
  conditions(bind: Bind): readonly string[];
  /** How many rows the first step compares for each that the page shows. */
  firstStepFactor?: number;
  /** What is read of the rows that match: columns of `found`, and of what is joined by `found.id`. Their ids, if not given. */
  shown?: { columns: string; join: string };
};

/** Whose rows are scanned: those of a tenant, or in the directory those of an account in both modes. */
type ScannedRows = { reads: Pick<Reads, 'rows'>; owner: Tenant } | { reads: RowReads; owner: string };

/** The rows of a table that match, each by its primary key: the limit keeps the planner from joining the whole table. */
export function rowsFound<Row>({
  name,
  columns,
}: Pick<Table<Row>, 'name' | 'columns'>): NonNullable<FilteredScan['shown']> {
  return {
    columns: columns.map((column) => `shown.${column}`).join(', '),
    join: `left join lateral (
      select ${columns.join(', ')} from ${name} t where t.tenant = $1 and t.id = found.id limit 1) as shown on true`,
  };
}

export type ScanLimits = {
  /** The scan stops when it has compared so many rows. */
  rowsMax?: number;
  stepRows?: number;
  /** Whether the answer would come too late. */
  isLate?: (() => boolean) | undefined;
};

/** Rows that match, in the order of the range. `searchedTo`: the scan stopped at this id, before the page was full. */
export type ScanResult<Row> = { rows: Row[]; searchedTo?: string };

/**
 * Reads along a range in steps, until there is one row more than its limit or the range ends. A page that needs many steps takes longer,
 * but no statement does: between two of them others get the connection.
 */
export async function scan<Row extends { id: unknown }>(
  { reads, owner }: ScannedRows,
  range: Range,
  walked: FilteredScan,
  { rowsMax = Number.POSITIVE_INFINITY, stepRows = stepRowsMax, isLate = () => false }: ScanLimits = {},
): Promise<ScanResult<Row>> {
  const rows: Row[] = [];
  const { idOf = String, firstStepFactor = stepGrowth } = walked;
  let wish = Math.max(firstStepRows, Math.ceil(firstStepFactor * range.limit));
  for (let compared = 0, rest = range; ; wish *= stepGrowth) {
    const size = Math.min(wish, stepRows, rowsMax - compared);
    const stepLimit = Math.ceil(size / walked.parts);
    const { values, bind } = bindings(owner);
    const limits = { wanted: range.limit + 1 - rows.length, stepLimit };
    const found = await (reads as RowReads).rows<Row & StepEnd>(stepOf(rest, walked, limits, bind), values);
    const { step_end } = found[0]!;
    for (const { step_end: _, ...row } of found) if (row.id !== null) rows.push(row as unknown as Row);
    compared += size;
    if (step_end === null || rows.length > range.limit) return { rows };
    if (compared >= rowsMax) return { rows, searchedTo: idOf(step_end) };
    if (isLate()) throw new Unavailable('the answer deadline passed during a walk through a list');
    rest = { ...range, bounds: [...range.bounds, [range.backwards ? '>' : '<', idOf(step_end)]] };
  }
}

/** The last row that a step has walked past; null at the end of the range. Every row that it found has this; without any there is one row. */
type StepEnd = { step_end: string | null };

/**
 * One statement, so that a row is shown as it was when it matched. A range is asked for one row less, since it reads one more. A step ends
 * where the first part that may have more rows ends: up to there, all rows of the other parts were read as well.
 */
function stepOf(
  range: Range,
  { rows, conditions, shown = { columns: 'found.id', join: '' } }: FilteredScan,
  { wanted, stepLimit }: { wanted: number; stepLimit: number },
  bind: Bind,
): string {
  const [last, first, within, direction] = range.backwards ? ['max', 'min', '<=', 'asc'] : ['min', 'max', '>=', 'desc'];
  const parts = rows({ ...range, limit: stepLimit - 1 }, bind).map(
    (part, at) => `select *, ${at} as step_part from (${part}) as part_${at}`,
  );
  return `with walked as materialized (${parts.join(' union all ')}),
     step as materialized (
       select ${first}(part_end) as step_end from (
         select ${last}(id) as part_end from walked group by step_part having count(*) = ${stepLimit}) as full_parts),
     found as materialized (
       select walked.* from walked, step where (step_end is null or id ${within} step_end) and ${conditions(bind).join(' and ')}
        order by id ${direction} limit ${wanted})
     select step_end, ${shown.columns} from step left join found on true ${shown.join} order by found.id ${direction}`;
}
