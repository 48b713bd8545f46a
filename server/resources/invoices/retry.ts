import type { Write } from '../../base/commit/index.ts';
import type { Context, Part } from '../operation.ts';
import { alone, retried, saved, untried } from './bill.ts';
import type { Invoice, SubscriptionId } from './invoice.ts';
import { findOpenOf } from './kind.ts';

/** In one commit: as many as a daily subscription makes in two years. Further ones are tried in their own time. */
export const retriedMax = 800;
const retriedBytesMax = 4 * 2 ** 20; // half of what a commit may have

/** Invoices whose method has changed are tried again at once. */
export function retryAll({ now }: Pick<Context, 'now'>, invoices: readonly Invoice[], at: number): Part {
  const waiting = invoices.filter(
    ({ is_charging, failed_at, closing }) => !is_charging && failed_at !== null && closing === null,
  );
  const parts = withinBytes(waiting).map((invoice) => saved(retried(alone(invoice), at, now), at));
  return { writes: parts.flatMap(({ writes }) => writes), events: parts.flatMap(({ events }) => events) };
}

/** The open invoices of a subscription are not tried again. They can still be paid. */
export async function stopRetries(context: Context, id: SubscriptionId): Promise<Write[]> {
  const open = await findOpenOf(context, id, retriedMax);
  const tried = open.filter(
    ({ due_at, clock_due_at, closing }) => (due_at ?? clock_due_at) !== null && closing === null,
  );
  return withinBytes(tried).flatMap((invoice) => saved(untried(alone(invoice)), 0).writes);
}

/** The first of the invoices that one commit can hold. Metadata can make them large. */
function withinBytes(invoices: readonly Invoice[]): readonly Invoice[] {
  let bytes = 0;
  const end = invoices.findIndex(({ lines, metadata }) => {
    bytes += JSON.stringify([lines, metadata]).length;
    return bytes > retriedBytesMax;
  });
  return end === -1 ? invoices : invoices.slice(0, end);
}
