import type { Write } from '../../../base/commit/index.ts';
import type { Context, Part } from '../../../operations/operation.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import type { SubscriptionId } from '../subscription_state/subscription.ts';
import { retryNow, saveBill, standaloneBill, stopRetrying } from './bill.ts';
import { findOpenOf } from './descriptor.ts';
import { type Invoice, largeParts } from './invoice.ts';

/** In one commit: as many as a daily subscription makes in two years. Further ones are tried in their own time. */
export const retriedMax = 800;
const retriedBytesMax = 4 * 2 ** 20;

/** Immediately retries invoices whose payment method has changed. */
export function retryAll({ now }: Pick<Context, 'now'>, invoices: readonly Invoice[], at: number): Part {
  const waiting = invoices.filter(
    ({ is_charging, failed_at, closing }) => !is_charging && failed_at !== null && closing === null,
  );
  const parts = takeForCommit(waiting).map((invoice) => saveBill(retryNow(standaloneBill(invoice), at, now), at, now));
  return { writes: parts.flatMap(({ writes }) => writes), events: parts.flatMap(({ events }) => events) };
}

/** The open invoices of a subscription are not tried again. They can still be paid. */
export async function stopRetries(context: Context, id: SubscriptionId): Promise<Write[]> {
  const open = await findOpenOf(context, id, retriedMax);
  const tried = open.filter(
    ({ due_at, clock_due_at, closing }) => (due_at ?? clock_due_at) !== null && closing === null,
  );
  return takeForCommit(tried).flatMap(
    (invoice) => saveBill(stopRetrying(standaloneBill(invoice)), 0, context.now).writes,
  );
}

/** As many as fit into half a commit; the other half is left to others. They have no events. */
function takeForCommit(invoices: readonly Invoice[]): readonly Invoice[] {
  return takeWithinBytes(invoices, largeParts, retriedBytesMax);
}
