import type { Account } from '@tollgate/node';

/** What becomes of a subscription after the last try. */
export function endWords(end: Account['dunning_end']): string {
  return {
    canceled: 'the subscription is canceled, and its open invoices become uncollectible',
    unpaid: 'the subscription is unpaid, and is not billed any more',
    past_due: 'the subscription stays past due, and is billed as ever',
  }[end];
}
