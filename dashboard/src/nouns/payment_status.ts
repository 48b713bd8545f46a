import type { Payment } from '@tollgate/node';

/** Money that went back is worth knowing at a glance. */
export function shownStatus({ status, amount_refunded = 0, amount_received }: Payment) {
  if (status !== 'succeeded' || amount_refunded === 0) return { status };
  return { status: amount_refunded < amount_received ? 'partly_refunded' : 'refunded', tone: 'quiet' as const };
}
