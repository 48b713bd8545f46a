import type { Tollgate } from '@tollgate/node';

/** A page of payments with who paid, by which card, for which invoice: one statement more for each, whatever the number of rows. */
export function listPayments(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }) {
  return api.payments.list({ ...params, expand: ['customer', 'payment_method', 'invoice'] }, options);
}
