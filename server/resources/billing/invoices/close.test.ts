import { expect, test } from 'vitest';
import { closeByHand, flagInvoice, isRefundHopeless, recordFailedRefund, refundPause, requestCancel } from './close.ts';
import { type Invoice, notClosing } from './invoice.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const closing = { ...notClosing, closing: 'void', closing_since: new Date(0), version: 3 } as unknown as Invoice;

test('a cancel that is refused is repeated with pauses that grow to an hour, and flagged after three days', () => {
  let invoice = closing;
  const pauses: number[] = [];
  let now = 0;
  while (invoice.flagged_at === null) {
    invoice = requestCancel(invoice, now);
    pauses.push(invoice.due_at!.getTime() - now);
    now = invoice.due_at!.getTime();
  }
  expect(pauses.slice(0, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  expect(Math.max(...pauses)).toBe(hourMs);
  expect(invoice.flagged_at.getTime()).toBeGreaterThanOrEqual(72 * hourMs);
  expect(invoice.flagged_at.getTime()).toBeLessThan(73 * hourMs);
  expect(requestCancel(invoice, now).flagged_at).toBe(invoice.flagged_at);
});

test('the pauses between refunds double, up to a day', () => {
  expect([1, 2, 3, 20].map((tries) => refundPause(tries) / minuteMs)).toEqual([15, 30, 60, 24 * 60]);
});

test.each([
  [3, 71, false],
  [3, 72, true],
  [2, 720, false], // the first one may have been pending for weeks
])('%s failed refunds within %s hours are enough for a person: %s', (closing_tries, hours, expected) => {
  expect(isRefundHopeless({ ...closing, closing: 'refund', closing_tries }, hours * hourMs)).toBe(expected);
});

test('a refund that comes back after a person has given the rest back is left to a person, however early', () => {
  const disputed = flagInvoice({ ...closing, closing: 'refund' }, hourMs); // before any refund has failed
  expect(isRefundHopeless(disputed, 2 * hourMs)).toBe(false);
  const returned = recordFailedRefund(closeByHand(disputed), 3 * hourMs);
  expect(returned).toMatchObject({ closing: 'refund', flagged_at: disputed.flagged_at });
  expect(isRefundHopeless(returned, returned.due_at!.getTime())).toBe(true);
});
