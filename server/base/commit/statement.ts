import { getOrMake } from '../get_or_make.ts';
import { arrayLiteral } from './array_literal.ts';
import { type RowSource, rowSource } from './row_source.ts';
import { SameColumns } from './same_columns.ts';
import { type AnyWrite, type Derived, isDecisive, type WriteKind } from './unit.ts';

/**
 * One SQL statement for many writes: a data-modifying CTE for each kind and table. The last select fails with a division by zero
 * unless every guarded row was at its version and every claimed key was free; the failure rolls the whole statement back.
 * One round trip, one commit.
 */
type Statement = { name: string | undefined; text: string; values: unknown[] };

type Group = { kind: WriteKind; table: AnyWrite['table']; rows: AnyWrite[] };

// Guards before claims, here and in the claim form: two servers that take locks in the same order do not deadlock.
const kindOrder: Record<WriteKind, number> = { update: 0, delete: 1, claim: 2, insert: 3, discard: 4 };

export const guardFailed = '22012'; // division_by_zero

/** A group, with the columns that are the same in all its rows and are sent as one value. */
type SentGroup = Group & { same: readonly string[] };

/** Statements of one shape share their text; there is a shape for each mix of kinds, tables and columns that are sent as one value. */
type BatchShape = { text: string; sources: RowSource[]; uses: number; name?: string };

/**
 * A named statement is prepared once per connection, and the server keeps its plan. Clients choose which mixes occur, so their number
 * must be bounded: a shape is named when it recurs, and the shape that was not used for longest is forgotten.
 */
export const shapesMax = 128;
const usesBeforeName = 3;

/** Builds the statement of a batch, with the rows that are derived from its inserts. */
export class StatementBuilder {
  /** In the order of their last use. */
  readonly #shapes = new Map<string, BatchShape>();
  readonly #derived: readonly Derived[];
  /** Called with the tenants of a batch, it keeps them at this place until the end of the transaction, or fails. */
  readonly #hold: string | undefined;
  /** By kind and table. */
  readonly #same = new Map<string, SameColumns>();
  /** The names of statements that are no longer used. The committer empties the list and drops them. */
  readonly forgotten: string[] = [];
  #names = 0;

  constructor(derived: readonly Derived[], hold?: string) {
    this.#derived = derived;
    this.#hold = hold;
  }

  /** What a transaction of several statements begins with, where tenants can move. */
  holding(writes: readonly AnyWrite[]): { text: string; values: unknown[] } | undefined {
    return this.#hold === undefined
      ? undefined
      : { text: `select ${this.#hold}($1::int4[])`, values: [tenantsIn(writes)] };
  }

  build(writes: readonly AnyWrite[]): Statement {
    const groups = groupWrites(writes).map((group) => ({ ...group, same: this.#sameIn(group) }));
    const shape = this.#shapeOf(groups);
    const values: unknown[] = [];
    for (const [at, group] of groups.entries()) values.push(...shape.sources[at]!.values(group.rows));
    for (const group of groups) if (isDecisive(group.rows[0]!)) values.push(group.rows.length);
    if (this.#hold !== undefined) values.push(tenantsIn(writes));
    return { name: shape.name, text: shape.text, values };
  }

  #sameIn(group: Group): readonly string[] {
    const { kind, table, rows } = group;
    return getOrMake(this.#same, `${kind} ${table.name}`, () => new SameColumns(sendableOnce(group))).of(rows);
  }

  #shapeOf(groups: SentGroup[]): BatchShape {
    const key = groups.map(({ kind, table, same }) => `${kind} ${table.name} ${same.join()}`).join(', ');
    const shape = this.#shapes.get(key) ?? this.#compose(groups);
    this.#shapes.delete(key);
    this.#shapes.set(key, shape);
    if (this.#shapes.size > shapesMax) this.#forgetOldest();
    shape.uses += 1;
    if (shape.uses >= usesBeforeName) shape.name ??= `commit_${++this.#names}`;
    return shape;
  }

  #forgetOldest(): void {
    const [key, { name }] = this.#shapes.entries().next().value!;
    this.#shapes.delete(key);
    if (name !== undefined) this.forgotten.push(name);
  }

  #compose(groups: SentGroup[]): BatchShape {
    let parameter = 0;
    const sources = groups.map((group) => {
      const source = rowSource(columnsOf(group), group.table.types, parameter + 1, group.same);
      parameter = source.last;
      return source;
    });
    const derived = groups.flatMap(({ kind, table }, at) =>
      this.#derived
        .filter(({ from }) => kind === 'insert' && from.name === table.name)
        .map(({ statement }, number) => ({ at, name: `w${at}_derived_${number}`, text: statement(`w${at}`) })),
    );
    const parts = groups.map((group, at) => {
      const returning = derived.some((rows) => rows.at === at) ? ' returning *' : '';
      return `w${at} as (${groupText(group, sources[at]!)}${returning})`;
    });
    parts.push(...derived.map(({ name, text }) => `${name} as (${text} returning 1)`));
    const checks = groups.flatMap((group, at) =>
      !isDecisive(group.rows[0]!) ? [] : [`(select count(*) from w${at}) = $${++parameter}::int8`],
    );
    const held = checks.length === 0 ? '1' : `1 / (case when ${checks.join(' and ')} then 1 else 0 end)`;
    const count = derived.map(({ name }) => `(select count(*) from ${name})`).join(' + ') || '0';
    const hold = this.#hold === undefined ? '' : `, ${this.#hold}($${++parameter}::int4[])`;
    return { text: `with ${parts.join(',\n')}\nselect ${held} as held, ${count} as derived${hold}`, sources, uses: 0 };
  }
}

/** A row without a tenant is sent as such: the hold refuses it. */
function tenantsIn(writes: readonly AnyWrite[]): string {
  return arrayLiteral('int4', [...new Set(writes.map(({ row }) => row.tenant))]);
}

export function groupWrites(writes: readonly AnyWrite[]): Group[] {
  return grouped(writes, ({ kind, table }) => `${kindOrder[kind]} ${table.name}`);
}

/** Updates and deletes of a table together: their rows are locked in one order. */
export function groupByTable(guards: readonly AnyWrite[]): Group[] {
  return grouped(guards, ({ table }) => table.name);
}

/** The groups in the order of their names. Rows are in key order, because every transaction locks in key order; new rows need none. */
function grouped(writes: readonly AnyWrite[], nameOf: (write: AnyWrite) => string): Group[] {
  const groups = [...Map.groupBy(writes, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([, rows]) => {
    const { kind, table } = rows[0]!;
    return { kind, table, rows: kind === 'insert' ? rows : rows.sort(byKey) };
  });
}

function byKey(a: AnyWrite, b: AnyWrite): number {
  for (const column of a.table.key) {
    const [left, right] = [a.row[column] as string, b.row[column] as string];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/**
 * The plain form runs a table's updates first and its deletes after them, each in key order. A batch with both would lock in another
 * order than other batches, so it takes the claim form, which locks before it writes.
 */
export function crossesLocks(writes: readonly AnyWrite[]): boolean {
  const kinds = new Map<string, WriteKind>();
  for (const { kind, table } of writes) {
    if (kind !== 'update' && kind !== 'delete') continue;
    const earlier = kinds.get(table.name);
    if (earlier !== undefined && earlier !== kind) return true;
    kinds.set(table.name, kind);
  }
  return false;
}

/** The columns that a group of writes sends. */
function columnsOf({ kind, table }: Group): readonly string[] {
  if (kind === 'delete') return [...table.key, 'version'];
  return kind === 'discard' ? table.key : table.columns;
}

/** Not the last column of the key, since rows have to differ in some, nor the version, which a guard compares. */
function sendableOnce(group: Group): string[] {
  const own = [group.table.key.at(-1), 'version'];
  return columnsOf(group).filter((column) => !own.includes(column));
}

function groupText(group: Group, source: RowSource): string {
  const { name, columns, key } = group.table;
  const matches = key.map((column) => `t.${column} = ${source.expression(column)}`).join(' and ');
  switch (group.kind) {
    case 'insert':
      return `insert into ${name} (${columns.join(', ')}) select ${columns.map(source.expression).join(', ')} from ${source.from}`;
    case 'claim':
      return `${claimText(group.table, source)} returning 1`;
    case 'update': {
      const changing = columns.filter((column) => !key.includes(column));
      const assignments = changing.map((column) => `${column} = ${source.expression(column)}`).join(', ');
      return `update ${name} t set ${assignments} from ${source.from} where ${matches} and t.version = x.version - 1 returning 1`;
    }
    case 'delete':
      return `delete from ${name} t using ${source.from} where ${matches} and t.version = x.version returning 1`;
    case 'discard':
      return `delete from ${name} t using ${source.from} where ${matches}`;
  }
}

/** Claims keys. An expired claim is replaced, by the database's clock. */
export function claimText(table: AnyWrite['table'], source: RowSource): string {
  const { name, columns, key, expiry, filled } = table;
  const into = `insert into ${name} as t (${columns.join(', ')}) select ${columns.map(source.expression).join(', ')} from ${source.from}`;
  if (expiry === undefined) return `${into} on conflict (${key.join(', ')}) do nothing`;
  const renewed = [...columns.filter((column) => !key.includes(column)), ...filled];
  const set = renewed.map((column) => `${column} = excluded.${column}`).join(', ');
  return `${into} on conflict (${key.join(', ')}) do update set ${set} where t.${expiry} <= now()`;
}
