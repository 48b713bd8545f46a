import { isoTime, table } from '../print.ts';

type Shown = Record<string, unknown>;

const times = /(^created|_at|_by|_on|_start|_end|_time|_date|_until|_anchor)$/;
const firstColumns = ['id', 'status', 'type', 'amount', 'total', 'unit_amount', 'currency', 'name', 'email', 'url'];
const lastColumns = ['created'];
const usualWidth = 100;

/** An answer of the API for people: a table for a list, names and values for an object. */
export function inWords(answer: Shown, width = process.stdout.columns ?? usualWidth): string {
  return Array.isArray(answer.data) && answer.object === 'list' ? listTable(answer.data, width) : members(answer);
}

function members(object: Shown): string {
  const lines = flat(object, '').filter(([name]) => name !== 'object');
  const wide = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, value]) => `${name.padEnd(wide)}  ${value}`.trimEnd()).join('\n');
}

/** `card.last4`, `items.data.0.price`: every value on a separate line. */
function flat(value: unknown, path: string): [name: string, value: string][] {
  if (value === null || typeof value !== 'object') return [[path, cell(path, value)]];
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== 'object'))
    return [[path, value.join(', ')]];
  return Object.entries(value).flatMap(([name, one]) => flat(one, path === '' ? name : `${path}.${name}`));
}

function cell(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'number' && times.test(name) ? isoTime(value).replace('.000Z', 'Z') : String(value);
}

/** As many columns as fit. What does not fit is in the object itself, and in the JSON. */
function listTable(rows: readonly Shown[], width: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))];
  const rank = (name: string) => {
    if (lastColumns.includes(name)) return 1_000;
    const at = firstColumns.indexOf(name);
    return at < 0 ? 100 + names.indexOf(name) : at;
  };
  const columns: string[] = [];
  let used = 0;
  const wanted = names.filter((name) => name !== 'object').sort((a, b) => rank(a) - rank(b));
  const reserved = wanted.includes('created') ? 'created'.length + 'T00:00:00Z'.length + 5 : 0;
  for (const name of wanted) {
    const wide = Math.max(name.length, ...rows.map((row) => cell(name, row[name]).length)) + 2;
    const room = name === 'created' ? width : width - reserved;
    if (columns.length > 0 && used + wide > room) continue;
    columns.push(name);
    used += wide;
  }
  return table(
    columns,
    rows.map((row) => columns.map((name) => cell(name, row[name]))),
  );
}

function isPlain(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}
