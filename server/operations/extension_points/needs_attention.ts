import type { Reads, Tenant } from '../../base/reads.ts';
import { extensionPoint } from '../resource.ts';

/** Something that waits for a person. */
export type Attention = {
  /** The object that it is about, and its kind. */
  id: string;
  object: string;
  /** Epoch seconds. */
  since: number;
  /** When it is too late, epoch seconds. */
  due_by?: number;
  amount?: number;
  currency?: string;
  /** What has happened: a sentence. */
  reason: string;
  /** What helps: a sentence. */
  action: string;
  /** The operation of the API that does it. Absent where only the operator of the gateway can help. */
  operation?: string;
};

/** What a resource knows that waits for a person. Several resources may know things of the same kind. */
export type AttentionSource = {
  kind: string;
  /** What the kind means: a sentence without its full stop. */
  about: string;
  /** The kinds of objects that it names. */
  objects: readonly string[];
  /** The most urgent ones, at most `limit`. The statement reads no more than that, however many rows there are. */
  find(reads: Reads, tenant: Tenant, limit: number): Promise<Attention[]>;
};

export const needsAttention = extensionPoint<AttentionSource>('needs_attention');

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
