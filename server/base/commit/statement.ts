import { guardedVersion, type Write, type WriteKind } from './unit.ts';

/**
 * One SQL statement for many writes: a data-modifying CTE for each kind and table, each fed by one array per column.
 * The last select fails with a division by zero unless every guarded row was at its version and every claimed key was free;
 * the failure takes the whole statement back. One round trip, one commit.
 */
export type Statement = { name: string; text: string; values: unknown[] };

type Group = { kind: WriteKind; table: Write['table']; rows: Write[] };

// Guards before claims, here and in the claim form: two servers that take locks in the same order do not deadlock.
const kindOrder: Record<WriteKind, number> = { update: 0, delete: 1, claim: 2, insert: 3 };

export const guardFailed = '22012'; // division_by_zero

export function buildStatement(writes: readonly Write[]): Statement {
  const groups = groupWrites(writes);
  const shape = groups.map((group) => `${group.kind} ${group.table.name}`).join(', ');
  const values: unknown[] = groups.flatMap(columnArrays);
  for (const group of groups) if (group.kind !== 'insert') values.push(group.rows.length);
  return { name: statementName(shape), text: statementText(shape, groups), values };
}

export function groupWrites(writes: readonly Write[]): Group[] {
  const groups = new Map<string, Group>();
  for (const write of writes) {
    const name = `${kindOrder[write.kind]} ${write.table.name}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { kind: write.kind, table: write.table, rows: [write] });
    else group.rows.push(write);
  }
  const ordered = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
  for (const group of ordered) if (group.kind !== 'insert') sortByKey(group);
  return ordered;
}

/** Locks are taken in key order by everybody. */
function sortByKey(group: Group): void {
  const keys = group.table.key as readonly string[];
  group.rows.sort((a, b) => {
    for (const column of keys) {
      const [left, right] = [a.row[column] as string, b.row[column] as string];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
}

function columnArrays(group: Group): unknown[][] {
  const columns = columnsOf(group);
  return columns.map((column) =>
    group.rows.map((write) =>
      group.kind === 'delete' && column === 'version' ? guardedVersion(write) : (write.row[column] ?? null),
    ),
  );
}

function columnsOf(group: Group): readonly string[] {
  return group.kind === 'delete' ? [...group.table.key, 'version'] : group.table.columns;
}

function typeOf(group: Group, column: string): string {
  return group.table.types[(group.table.columns as readonly string[]).indexOf(column)]!;
}

const texts = new Map<string, string>();
const names = new Map<string, string>();

/** Statements are prepared once per connection: their number is that of the shapes a batch can have. */
function statementName(shape: string): string {
  let name = names.get(shape);
  if (name === undefined) {
    name = `commit_${names.size + 1}`;
    names.set(shape, name);
  }
  return name;
}

function statementText(shape: string, groups: Group[]): string {
  let text = texts.get(shape);
  if (text === undefined) {
    text = composeText(groups);
    texts.set(shape, text);
  }
  return text;
}

function composeText(groups: Group[]): string {
  let parameter = 0;
  const parts = groups.map((group, at) => {
    const columns = columnsOf(group);
    const arrays = columns.map((column) => `$${++parameter}::${typeOf(group, column)}[]`).join(', ');
    return `w${at} as (${groupText(group, `unnest(${arrays}) as x (${columns.join(', ')})`, columns)})`;
  });
  const checks = groups.flatMap((group, at) =>
    group.kind === 'insert' ? [] : [`(select count(*) from w${at}) = $${++parameter}::int8`],
  );
  const verdict = checks.length === 0 ? 'select 1' : `select 1 / (case when ${checks.join(' and ')} then 1 else 0 end)`;
  return `with ${parts.join(',\n')}\n${verdict}`;
}

function groupText(group: Group, source: string, columns: readonly string[]): string {
  const { name } = group.table;
  const matches = group.table.key.map((column: string) => `t.${column} = x.${column}`).join(' and ');
  switch (group.kind) {
    case 'insert':
      return `insert into ${name} (${columns.join(', ')}) select * from ${source}`;
    case 'claim':
      return `${claimText(group.table, source)} returning 1`;
    case 'update': {
      const set = columns.filter((column) => !(group.table.key as readonly string[]).includes(column));
      const assignments = set.map((column) => `${column} = x.${column}`).join(', ');
      return `update ${name} t set ${assignments} from ${source} where ${matches} and t.version = x.version - 1 returning 1`;
    }
    case 'delete':
      return `delete from ${name} t using ${source} where ${matches} and t.version = x.version returning 1`;
  }
}

/** The statement that claims a key also replaces an expired one, by the database's clock. */
export function claimText(table: Write['table'], source: string): string {
  const columns: readonly string[] = table.columns;
  const key: readonly string[] = table.key;
  const into = `insert into ${table.name} as t (${columns.join(', ')}) select ${columns.map((c) => `x.${c}`).join(', ')} from ${source}`;
  if (table.expiry === undefined) return `${into} on conflict (${key.join(', ')}) do nothing`;
  const renewed = [...columns.filter((column) => !key.includes(column)), table.expiry];
  const set = renewed.map((column) => `${column} = excluded.${column}`).join(', ');
  return `${into} on conflict (${key.join(', ')}) do update set ${set} where t.${table.expiry} <= now()`;
}
