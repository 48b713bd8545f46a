import type { Attention } from '../../../operations/extension_points/needs_attention.ts';

/** How many of a kind are shown. */
export const shownMax = 100;

export type FoundKind = { kind: string; count: number; has_more: boolean };

/** One list of what was found of each kind, the most urgent first, and how many there are. */
export function joinedKinds(found: readonly { kind: string; items: readonly Attention[] }[]) {
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  const kinds = [...byKind].map(([kind, parts]) => {
    const all = parts.flatMap(({ items }) => items).toSorted((one, other) => urgency(one) - urgency(other));
    return { kind, all, shown: all.slice(0, shownMax) };
  });
  const counts = kinds.map(
    ({ kind, all, shown }): FoundKind => ({ kind, count: shown.length, has_more: all.length > shown.length }),
  );
  const data = kinds.flatMap(({ kind, shown }) =>
    shown.map(({ id, object, ...rest }) => ({ id, object, kind, ...rest })),
  );
  return { counts, data };
}

const urgency = ({ due_by, since }: Attention) => due_by ?? since;
