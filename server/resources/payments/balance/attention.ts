import type { Attention, AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { differenceWords, findDifferences, type StoredDifference } from './differences.ts';

export const reconciliationDifferences: AttentionSource = {
  kind: 'reconciliation_difference',
  about: 'a comparison of the ledger with the statement of a processor has found a difference',
  scope: 'balance:read',
  right: 'books',
  objects: ['payment', 'reconciliation_difference'],
  async find(reads, tenant, limit) {
    return (await findDifferences(reads, tenant, limit)).map(attentionTo);
  },
};

/** A day is compared by the operator, and so is one that was put right. */
function attentionTo(difference: StoredDifference): Attention {
  const { id, day, connector, processor_account, what, kind, reference, payment, ledger, processor } = difference;
  const date = new Date(day * 1_000).toISOString().slice(0, 10);
  const source = processor_account === null ? `--connector ${connector}` : `--processor-account ${processor_account}`;
  return {
    ...(payment === null ? { id, object: 'reconciliation_difference' } : { id: payment, object: 'payment' }),
    since: day,
    ...(processor ?? ledger ?? {}),
    reason: `In the books of ${date}, the ${kind} ${reference} of ${connector} is a difference: ${differenceWords[what]}.`,
    action: `Compare it with the statement of the processor. Once it is put right, the operator compares the day again, with --record. Once it is explained, the operator accepts it: tollgate reconcile ${source} --date ${date} --accept ${quoted(reference)}`,
  };
}

/** The processor has chosen the reference, and an operator pastes the command into a shell. */
function quoted(reference: string): string {
  return /^[\w.:-]+$/.test(reference) ? reference : `'${reference.replaceAll("'", "'\\''")}'`;
}
