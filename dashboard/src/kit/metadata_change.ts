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

/** An edit of an object: what has changed is sent and named. `params` is undefined while nothing can be sent. */
export function describeUpdate<Changes extends object>(
  changes: Changes,
  metadata: Metadata | undefined,
  pairs: readonly Pair[],
) {
  const changed = metadataChange(metadata ?? {}, pairs);
  const params = { ...changes, ...(Object.keys(changed).length > 0 && { metadata: changed }) };
  const isReady = Object.keys(params).length > 0 && pairsProblem(pairs) === undefined;
  return { params: isReady ? params : undefined, sentences: sentencesOf([...leavesOf(changes), ...leavesOf(changed)]) };
}

type Leaf = readonly [name: string, value: unknown];

function leavesOf(changes: object): Leaf[] {
  return Object.entries(changes).flatMap(([name, value]): Leaf[] =>
    typeof value === 'object' && value !== null ? leavesOf(value) : [[name, value]],
  );
}

function sentencesOf(changes: readonly Leaf[]): string[] {
  if (changes.length === 0) return ['No changes yet.'];
  return changes.map(([name, value]) => (value === null ? `“${name}” is removed.` : `“${name}” becomes “${value}”.`));
}
