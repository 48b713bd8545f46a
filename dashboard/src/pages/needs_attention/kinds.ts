import type { AttentionItem } from '@tollgate/node';
import { wordsOf } from '../../kit/tones.ts';

/** What waits, one and many of a kind, in the order of the page. */
export const kinds: Record<AttentionItem['kind'], { one: string; many: string }> = {
  dispute: { one: 'Dispute to answer', many: 'Disputes to answer' },
  unknown_outcome: { one: 'Unknown outcome', many: 'Unknown outcomes' },
  dispute_to_review: { one: 'Dispute to review', many: 'Disputes to review' },
  card_testing: { one: 'Wave of declines', many: 'Waves of declines' },
  late_checkout_session: { one: 'Checkout paid late', many: 'Checkouts paid late' },
  invoice: { one: 'Unpaid invoice', many: 'Unpaid invoices' },
  void_invoice: { one: 'Payment for a void invoice', many: 'Payments for void invoices' },
  webhook_endpoint: { one: 'Failing endpoint', many: 'Failing endpoints' },
  reconciliation_difference: { one: 'Reconciliation difference', many: 'Reconciliation differences' },
  notice: { one: 'Unrecorded notice', many: 'Unrecorded notices' },
  card_at_processor: { one: 'Payment method left at a processor', many: 'Payment methods left at processors' },
};

/** An object can wait for several reasons. */
export function keyOf({ kind, id, reason }: AttentionItem): string {
  return `${kind} ${id} ${reason}`;
}

/** What is new in the reason of an item whose kind is known: of a dispute, what the cardholder says. */
export function shortReason({ kind, reason }: Pick<AttentionItem, 'kind' | 'reason'>): string {
  const said = kind === 'dispute' ? /: (\w.*)$/.exec(reason)?.[1] : undefined;
  return said === undefined ? reason : wordsOf(said);
}
