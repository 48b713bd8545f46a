import type { BalanceParts } from '@tollgate/node';
import { formatMoney } from '../../kit/money.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Money becomes available on days of UTC. */
export function shownDay(seconds: number): string {
  return dayFormat.format(new Date(seconds * 1_000));
}

/** What has moved the balance, as a statement has it: names and signed amounts. What is zero is left out. */
export function movementsOf(parts: BalanceParts, since: number): readonly (readonly [name: string, amount: number])[] {
  const { opening, payments, fees, refunds, disputes } = parts;
  const moved = [
    ['Payments that became available', payments],
    ['Fees', fees],
    ['Refunds', refunds],
    ['Disputes', disputes],
  ] as const;
  return [[`Available on ${shownDay(since)}`, opening], ...moved.filter(([, amount]) => amount !== 0)];
}

const positive = (amount: number, currency: string) => formatMoney(Math.abs(amount), currency);

/** Why less than nothing is available, and until when. */
export function belowZeroWords(parts: BalanceParts): { title: string; sentences: string[] } {
  const { currency, available, refunds, disputes, pending, upcoming, covered_on } = parts;
  const code = currency.toUpperCase();
  const taken = [
    ...(refunds < 0 ? [`${positive(refunds, currency)} in refunds`] : []),
    ...(disputes < 0 ? [`${positive(disputes, currency)} in disputes`] : []),
  ];
  const deducted =
    taken.length === 0
      ? 'It was below zero 30 days ago, and has not recovered since.'
      : `In the last 30 days, ${taken.join(' and ')} ${taken.length > 1 || refunds < 0 ? 'were' : 'was'} deducted.`;
  const why = 'Refunds and disputes are deducted immediately; payments are added when they become available.';
  if (covered_on === undefined) {
    const left = upcoming.at(-1)?.available_after ?? available;
    const waiting =
      pending > 0
        ? `${positive(pending, currency)} is pending, and does not cover it: ${positive(left, currency)} would still be missing.`
        : 'No payment is pending that would cover it.';
    return { title: `${code}: refunds and disputes exceed your payments`, sentences: [why, deducted, waiting] };
  }
  const then = upcoming.find(({ available_on }) => available_on === covered_on)!;
  return {
    title: `${code} is below zero until ${shownDay(covered_on)}`,
    sentences: [
      why,
      deducted,
      `${positive(pending, currency)} is pending. On ${shownDay(covered_on)}, ${formatMoney(then.available_after, currency)} will be available if nothing else happens.`,
    ],
  };
}
