import type { Reads, Tenant } from '../../../base/reads.ts';
import {
  type Attention,
  type AttentionSource,
  needsAttention,
} from '../../../operations/extension_points/needs_attention.ts';
import type { Declared } from '../../../operations/resource.ts';
import type { Right } from '../../../operations/role.ts';
import type { Scope } from '../../../operations/scope.ts';

/** How many of a kind are shown. */
export const shownMax = 100;

/** How many items of a source are read, at most, for those that a role can resolve. */
export const readMax = 10_000;

export type FoundKind = { kind: string; count: number; has_more: boolean };

/** `isCut`: there may be more, which were not read. */
type FoundItems = { kind: string; items: readonly Attention[]; isCut?: boolean };

/** One list of what was found of each kind, the most urgent first, and how many there are. */
export function joinedKinds(found: readonly FoundItems[]) {
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  const kinds = [...byKind].map(([kind, parts]) => {
    const all = parts.flatMap(({ items }) => items).toSorted((one, other) => urgency(one) - urgency(other));
    const shown = all.slice(0, shownMax);
    return { kind, shown, has_more: all.length > shown.length || parts.some(({ isCut }) => isCut) };
  });
  const counts = kinds.map(({ kind, shown, has_more }): FoundKind => ({ kind, count: shown.length, has_more }));
  const data = kinds.flatMap(({ kind, shown }) =>
    shown.map(({ id, object, name, ...rest }) => ({ id, object, ...(name !== undefined && { name }), kind, ...rest })),
  );
  return { counts, data };
}

/**
 * The most urgent items that somebody can resolve. A role that can resolve some of a kind is not to miss them because of more urgent ones
 * that it cannot resolve: then more are read, ten times as many with each step.
 */
export async function findResolvable(
  find: (limit: number) => ReturnType<AttentionSource['find']>,
  canResolve: (item: Attention) => boolean,
): Promise<{ items: Attention[]; isCut: boolean }> {
  for (let limit = shownMax + 1; ; limit = Math.min(limit * 10, readMax)) {
    const read = await find(limit);
    const items = read.filter(canResolve);
    const isAll = read.length < limit;
    if (isAll || items.length > shownMax || limit === readMax) return { items, isCut: !isAll };
  }
}

export const urgency = ({ due_by, since }: Pick<Attention, 'due_by' | 'since'>) => due_by ?? since;

/** Whose list it is: what they may read, and do. */
export type PermittedToSee = { mayRead(scope: Scope): boolean; hasRight(right: Right): boolean };

type WantedAttention = { reads: Reads; tenant: Tenant; kind?: string | undefined };

/** What waits, of what somebody can resolve. */
export async function findAttention(
  declared: Pick<Declared, 'extensionsOf' | 'everyOperation'>,
  { reads, tenant, kind: wanted }: WantedAttention,
  { mayRead, hasRight }: PermittedToSee,
) {
  const sources = declared.extensionsOf(needsAttention);
  const asked = sources.filter(({ kind }) => wanted === undefined || kind === wanted);
  const rightOf = new Map(declared.everyOperation().map(({ name, right }) => [name, right]));
  const found = asked.map(async ({ kind, scope, right, operations = [], find }) => {
    const canDo = (operation: string) => hasRight(rightOf.get(operation)!);
    const canResolveAll = hasRight(right);
    if (!mayRead(scope) || !(canResolveAll || operations.some(canDo))) return { kind, items: [] };
    const canResolve = ({ operation }: Attention) => canResolveAll || (operation !== undefined && canDo(operation));
    return { kind, ...(await findResolvable((limit) => find(reads, tenant, limit), canResolve)) };
  });
  return joinedKinds(await Promise.all(found));
}
