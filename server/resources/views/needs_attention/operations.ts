import { hasRight, mayRead } from '../../../operations/caller.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import type { Declared } from '../../../operations/resource.ts';
import { findAttention, shownMax } from './find.ts';
import { mailChoiceOperations } from './mail_choice.ts';
import { attentionSchemas } from './schema.ts';

export function attentionOperations(declared: Pick<Declared, 'extensionsOf' | 'everyOperation'>): AnyOperation[] {
  const { input, output } = attentionSchemas(declared.extensionsOf(needsAttention));
  const list = operation({
    callers: ['person', 'operator'],
    name: 'needs_attention.list',
    summary: 'List what needs attention',
    description: `Returns up to ${shownMax} of each kind, the most urgent first, each with the one thing that helps. \`counts\` says how many there are; of a kind with more, the others appear once these are resolved. People get what their role can resolve.`,
    route: 'GET /needs_attention',
    answersByCaller: true,
    input,
    output,
    async run({ reads, tenant, caller }, { kind }) {
      const found = await findAttention(
        declared,
        { reads, tenant, kind },
        { mayRead: (scope) => mayRead(caller, scope), hasRight: (right) => hasRight(caller, right) },
      );
      return { result: { object: 'needs_attention', ...found } };
    },
  });
  return [list, ...mailChoiceOperations];
}
