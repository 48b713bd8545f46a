import type { Metadata } from '@tollgate/node';

/** A key and its value, as they stand in a form. */
export type Pair = { id: string; key: string; value: string };

/** What an update sends: keys with another value, and null for those that are gone or empty. */
export function metadataChange(before: Metadata, pairs: readonly Pair[]): Record<string, string | null> {
  const wanted = new Map(
    pairs.filter(({ key, value }) => key !== '' && value !== '').map(({ key, value }) => [key, value]),
  );
  const changed: Record<string, string | null> = {};
  for (const key of Object.keys(before)) if (!wanted.has(key)) changed[key] = null;
  for (const [key, value] of wanted)
    if (!Object.hasOwn(before, key) || String(before[key]) !== value) changed[key] = value;
  return changed;
}

/** Why the pairs cannot be sent; undefined if they can. */
export function pairsProblem(pairs: readonly Pair[]): string | undefined {
  const filled = pairs.filter(({ key, value }) => key !== '' || value !== '').map(({ key }) => key);
  if (filled.includes('')) return 'Enter a key for each value.';
  const twice = filled.find((key, index) => filled.indexOf(key) !== index);
  return twice === undefined ? undefined : `The key ${twice} is used twice.`;
}
