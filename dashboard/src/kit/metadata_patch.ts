import type { Metadata } from '@tollgate/node';

export type MetadataRow = { key: number; name: string; value: string };

export function rowsOf(metadata: Metadata): MetadataRow[] {
  return Object.entries(metadata).map(([name, value], key) => ({ key, name, value: String(value) }));
}

/** Why the rows cannot be sent; undefined if they can. */
export function rowsProblem(rows: readonly MetadataRow[]): string | undefined {
  const filled = rows.filter(({ name, value }) => name.trim() !== '' || value !== '');
  if (filled.some(({ name }) => name.trim() === '')) return 'A value needs a key.';
  const names = filled.map(({ name }) => name.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `The key ${twice} is there twice.`;
}

/** What an update sends: the keys that have changed, and null for those to remove. Undefined if nothing has changed. */
export function metadataPatch(
  before: Metadata,
  rows: readonly MetadataRow[],
): Record<string, string | null> | undefined {
  const after = new Map(
    rows.filter(({ name, value }) => name.trim() !== '' && value !== '').map(({ name, value }) => [name.trim(), value]),
  );
  const removed = Object.keys(before).filter((name) => !after.has(name));
  const changed = [...after].filter(([name, value]) => !(name in before) || String(before[name]) !== value);
  const patch = { ...Object.fromEntries(removed.map((name) => [name, null])), ...Object.fromEntries(changed) };
  return Object.keys(patch).length === 0 ? undefined : patch;
}
