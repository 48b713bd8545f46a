import { shellWord } from '../../../base/shell.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import {
  type Attention,
  type AttentionSource,
  needsAttention,
} from '../../../operations/extension_points/needs_attention.ts';
import { resource } from '../../../operations/resource.ts';
import { differenceOperations, reconciliationDescriptor, reconciliationOperations } from './operations.ts';
import { differenceWords, type ReconciliationDifference } from './reconciliation.ts';
import { findOpenDifferences } from './store.ts';

const openDifferences: AttentionSource = {
  kind: 'reconciliation_difference',
  about: 'a comparison of the ledger with the statement of a processor has found a difference',
  scope: 'balance:read',
  right: 'books',
  operations: ['reconciliation_differences.accept'],
  objects: ['reconciliation_difference'],
  async find(reads, tenant, limit) {
    return (await findOpenDifferences(reads, tenant, limit)).map(attentionTo);
  },
};

/** A day is compared by the operator, and so is one that was put right. */
function attentionTo(difference: ReconciliationDifference): Attention {
  const { id, day, connector, processor_account, what, kind, reference, ledger, processor } = difference;
  const { status, changed_by } = difference;
  const source = processor_account === null ? `--connector ${connector}` : `--processor-account ${processor_account}`;
  const followed = status === 'following_up' ? ` ${changed_by!.name} is following up.` : '';
  return {
    id,
    object: 'reconciliation_difference',
    since: Date.parse(day) / 1_000,
    ...(processor ?? ledger ?? {}),
    reason: `In the books of ${day}, the ${kind} ${reference} of ${connector} is a difference: ${differenceWords[what]}.${followed}`,
    action: `Compare it with the statement of the processor. Once it is put right, the operator compares the day again, with --record. Once it is explained, accept it on the page Reconciliation of the dashboard, or with the command: tollgate reconcile ${source} --date ${day} --accept ${shellWord(reference)}`,
    operation: 'reconciliation_differences.accept',
  };
}

export const reconciliations = resource({
  name: 'reconciliations',
  about: 'Days of the ledger that were compared with the statement of a processor.',
  place: { group: 'Payments', position: 72 },
  operations: reconciliationOperations,
  extensions: [needsAttention.with(openDifferences), expandables.with(expandable(reconciliationDescriptor))],
});

export const reconciliationDifferences = resource({
  name: 'reconciliation_differences',
  about: 'Lines that differ between the ledger and the statement of a processor.',
  place: { group: 'Payments', position: 74 },
  operations: differenceOperations,
});
