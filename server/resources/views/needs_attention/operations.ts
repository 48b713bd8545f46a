import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { joinedKinds, shownMax } from './kinds.ts';
import { attentionSchemas } from './schema.ts';

export function attentionOperations(declared: Pick<Declared, 'extensionsOf'>): AnyOperation[] {
  const sources = declared.extensionsOf(needsAttention);
  const { input, output } = attentionSchemas(sources);
  const list = operation({
    callers: ['person', 'operator'],
    name: 'needs_attention.list',
    summary: 'List what needs a person',
    description: `Returns up to ${shownMax} of each kind, the most urgent first, each with the one thing that helps. \`counts\` says how many there are; of a kind with more, the others appear once these are seen to.`,
    route: 'GET /needs_attention',
    input,
    output,
    async run({ reads, tenant }, { kind: wanted }) {
      const asked = sources.filter(({ kind }) => wanted === undefined || kind === wanted);
      const found = asked.map(async ({ kind, find }) => ({ kind, items: await find(reads, tenant, shownMax + 1) }));
      return { result: { object: 'needs_attention', ...joinedKinds(await Promise.all(found)) } };
    },
  });
  return [list];
}
