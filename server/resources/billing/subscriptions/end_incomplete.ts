import type { Write } from '../../../base/commit/index.ts';
import type { Context, Outcome } from '../../../operations/operation.ts';
import { closing, type InvoiceOwner, saved, voided } from '../invoices/bill.ts';
import type { Room } from '../invoices/deps.ts';
import { findOpenOf } from '../invoices/descriptor.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { answerWith } from './carry_out.ts';
import { ownerOf, type SubscriptionOwner } from './owner.ts';
import { canceled, type Subscription } from './subscription.ts';

/**
 * Ends a subscription whose first invoice is not paid, and the invoice with it: otherwise its payment could still succeed, for a
 * subscription that never begins.
 */
export async function endIncomplete(
  context: Context,
  room: Room,
  stored: Subscription,
  at: number,
  writes: readonly Write[] = [],
): Promise<Outcome> {
  const ended = ownerOf(stored, canceled(stored, at));
  const [invoice] = await findOpenOf(context, stored.id, 1);
  const part = invoice === undefined ? ended.saved() : await endInvoice(context, room, invoice, ended, at);
  const { subscription } = part.owner as SubscriptionOwner;
  return { ...answerWith(subscription), writes: [...part.writes, ...writes], events: part.events, due: context.now };
}

/** Voids the invoice: at once, or when its payment is over. A payment that succeeds after all is refunded. */
async function endInvoice(context: Context, room: Room, invoice: Invoice, owner: InvoiceOwner, at: number) {
  const bill = { ...(await room.billOf(context, invoice)), owner };
  const after = invoice.is_charging ? closing(bill, context.now) : voided(bill, at, context.now);
  const { writes, events, bill: stored } = saved(after, at);
  return { writes, events, owner: stored.owner };
}
