import { hasRight, mayRead } from '../../../operations/caller.ts';
import { type Attention, needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { attentionSchemas } from './schema.ts';

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

export function attentionOperations(declared: Pick<Declared, 'extensionsOf' | 'everyOperation'>): AnyOperation[] {
  const sources = declared.extensionsOf(needsAttention);
  const { input, output } = attentionSchemas(sources);
  const list = operation({
    callers: ['person', 'operator'],
    name: 'needs_attention.list',
    summary: 'List what needs a person',
    description: `Returns up to ${shownMax} of each kind, the most urgent first, each with the one thing that helps. \`counts\` says how many there are; of a kind with more, the others appear once these are resolved. People get what their role can resolve.`,
    route: 'GET /needs_attention',
    input,
    output,
    async run({ reads, tenant, caller }, { kind: wanted }) {
      const asked = sources.filter(({ kind }) => wanted === undefined || kind === wanted);
      const rightOf = new Map(declared.everyOperation().map(({ name, right }) => [name, right]));
      const found = asked.map(async ({ kind, scope, right, find }) => {
        if (!mayRead(caller, scope)) return { kind, items: [] };
        const canHelp = ({ operation = '' }: Attention) =>
          [right, rightOf.get(operation)].some((one) => one !== undefined && hasRight(caller, one));
        return { kind, items: (await find(reads, tenant, shownMax + 1)).filter(canHelp) };
      });
      return { result: { object: 'needs_attention', ...joinedKinds(await Promise.all(found)) } };
    },
  });
  return [list];
}
