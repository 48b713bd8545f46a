import type { StatisticsCheckoutTotal } from '@tollgate/node';
import { counted } from '../kit/counted.ts';
import { formatMoney } from '../kit/money.ts';

/** `12 sessions, 8 completed for €96.00, 3 expired. 72.7% of those that are over were completed.`; undefined without any. */
export function conversionWords(totals: readonly StatisticsCheckoutTotal[]): string | undefined {
  const sum = (of: 'created' | 'completed' | 'expired') => totals.reduce((all, one) => all + one[of], 0);
  const [created, completed, expired] = [sum('created'), sum('completed'), sum('expired')];
  if (created === 0) return undefined;
  const over = completed + expired;
  const rate = over === 0 ? '' : ` ${((completed / over) * 100).toFixed(1)}% of those that are over were completed.`;
  const amounts = totals.flatMap(({ currency, amount }) =>
    currency === undefined || amount === 0 ? [] : formatMoney(amount, currency),
  );
  const money = amounts.length === 0 ? '' : ` for ${amounts.join(' + ')}`;
  const ends = `${completed.toLocaleString()} completed${money}, ${expired.toLocaleString()} expired`;
  return `${counted(created, 'session')}, ${ends}.${rate}`;
}
