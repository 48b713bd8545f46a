import { describe, expect, test } from 'vitest';
import { unitSize } from '../base/commit/index.ts';
import { newId } from '../base/id.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import type { Part } from '../operations/operation.ts';
import { type EventDraft, eventWrites } from '../outbox/event.ts';
import type { InvoiceItem } from '../resources/billing/invoice_items/invoice_item.ts';
import { itemsOfCustomers } from '../resources/billing/invoice_items/operations.ts';
import { takeItem } from '../resources/billing/invoice_items/waiting.ts';
import {
  beginCharge,
  draftBill,
  finalizeBill,
  saveBill,
  settleCharge,
  standaloneBill,
} from '../resources/billing/invoices/bill.ts';
import { newInvoice } from '../resources/billing/invoices/invoice.ts';
import type { Line } from '../resources/billing/invoices/line.ts';
import type { Subscription } from '../resources/billing/subscription_state/subscription.ts';
import { subscriptionsOfCustomers } from '../resources/billing/subscriptions/dependents.ts';
import { itemsForInvoice, waitingLinesMax } from '../resources/billing/subscriptions/sources.ts';
import { takeWaitingLine } from '../resources/billing/subscriptions/store.ts';
import { type ReleaseContext, releaseAll } from '../resources/payments/customers/operations.ts';
import { methodsOfCustomers } from '../resources/payments/payment_methods/index.ts';
import type { PaymentMethod } from '../resources/payments/payment_methods/payment_method.ts';
import type { Payment } from '../resources/payments/payments/payment.ts';

const bytesMax = 8 * 2 ** 20; // of a unit
const tenant = 1 as Tenant;
const now = Date.UTC(2026, 0, 1);
const at = now / 1_000;
const widest = '𝒳'; // four bytes, and one character

function bytesOf({ writes, events }: Part): number {
  return unitSize({ writes: [...writes, ...eventWrites(tenant, null, now, events as EventDraft[])] }, []).bytes;
}

const many = <Made>(count: number, make: () => Made): Made[] => Array.from({ length: count }, make);
const customer = newId('cus', now);
const subscriptionId = newId('sub', now);

const line = (description: string): Line => ({
  id: newId('il', now),
  ...{ amount: 1_000_000, discount: 0, description, period: { start: at, end: at + 1 }, proration: true },
  ...{ price: newId('price', now), quantity: 1_000 },
});

describe('the renewal with the most and longest lines fits into one commit', () => {
  const declined = { status: 'failed', failure_message: 'Declined.', advice: 'authenticate' } as const;
  const outcomes: [string, Partial<Payment>][] = [
    ['paid', { status: 'succeeded' }],
    ['declined until the cardholder acts', declined],
  ];
  test.each(outcomes)('%s', (_, outcome) => {
    const waiting = many(waitingLinesMax, () => ({
      ...{ tenant, id: newId('wl', now), version: 1, subscription: subscriptionId },
      line: line(`Remaining time of 1000 × ${widest.repeat(256)}`),
    }));
    const items = itemsForInvoice(
      many(250, () => {
        const facts = { tenant, id: newId('ii', now), version: 1, customer, subscription: null, currency: 'eur' };
        return { ...facts, amount: 1, description: widest.repeat(1_000), invoice: null } as InvoiceItem;
      }),
    );
    expect(items.length).toBeGreaterThan(100);
    const invoice = newInvoice({
      ...{ tenant, id: newId('in', now), customer, subscription: subscriptionId, billing_reason: 'subscription_cycle' },
      ...{ currency: 'eur', test_clock: null, created: at, period: { start: at, end: at + 1 } },
      lines: [...waiting.map((one) => one.line), ...items.map((item) => line(item.description))],
    });
    const writes = [...waiting.map(takeWaitingLine), ...items.map((item) => takeItem(item, invoice.id))];
    const payment = { id: newId('py', now), failure_code: null, failure_decline_code: null, ...outcome } as Payment;
    const open = finalizeBill(draftBill({ ...standaloneBill(invoice), writes }), 1, at, now);
    const part = saveBill(settleCharge(beginCharge(open, payment, at), payment, at, now), at, now);
    expect(bytesOf(part)).toBeLessThan(bytesMax);
  });
});

describe('a step of the deletion of a customer with the most metadata fits into one commit', () => {
  const metadata = Object.fromEntries(
    many(50, () => widest.repeat(500)).map((value, n) => [`key ${n}`.padEnd(40), value]),
  );
  const subscription = (status: 'active' | 'canceled') => {
    const item = () => ({ id: newId('si', now), price: newId('price', now), quantity: 1, charged: null });
    const facts = { tenant, id: newId('sub', now), version: 3, customer, status, metadata, items: many(20, item) };
    return { ...facts, currency: 'eur', open_invoices: 1, test_clock: null, created: at } as unknown as Subscription;
  };
  const living = many(20, () => subscription('active'));
  const ended = many(50, () => subscription('canceled'));
  const invoices = ended.map(({ id }) => ({
    ...newInvoice({
      ...{ tenant, id: newId('in', now), customer, subscription: id, billing_reason: 'subscription_cycle' },
      ...{ currency: 'eur', test_clock: null, created: at, period: { start: at, end: at + 1 } },
      lines: many(100, () => line(widest.repeat(100))),
    }),
    ...{ version: 3, status: 'open' },
  }));
  const methods = many(100, () => {
    const facts = { tenant, id: newId('pm', now), version: 2, customer: null, detached: true, metadata, billing: null };
    return { ...facts, brand: 'visa', detached_from: customer, test_clock: null } as unknown as PaymentMethod;
  });
  const stored: [RegExp, object[]][] = [
    [/from subscriptions/, living],
    [/from invoices/, invoices],
    [/from payment_methods/, methods],
  ];
  const reads = {
    rows: async (text: string) => stored.find(([from]) => from.test(text))?.[1] ?? [],
    one: async (_table: unknown, _tenant: Tenant, id: string) => ended.find((one) => one.id === id),
  } as unknown as Reads;
  const vault = {
    destroyCvc: () => takeItem({} as InvoiceItem, newId('in', now)),
  } as unknown as ReleaseContext['vault'];
  const context = { reads, vault, tenant, now } as ReleaseContext;

  const kinds: [string, Parameters<typeof releaseAll>[0]][] = [
    ['of everything', [methodsOfCustomers, itemsOfCustomers, subscriptionsOfCustomers]],
    ['of subscriptions and invoices', [subscriptionsOfCustomers]],
    ['of methods', [methodsOfCustomers]],
  ];
  test.each(kinds)('%s', async (_, others) => {
    const released = await releaseAll(others, context, customer);
    expect(released.writes).not.toEqual([]);
    expect(released.isLast).toBe(false);
    expect(bytesOf(released)).toBeLessThan(bytesMax);
  });
});
