import type { Reconciliation, ReconciliationDifference } from '@tollgate/node';
import { counted } from '../../kit/counted.ts';
import { formatMoney } from '../../kit/money.ts';

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of UTC, whatever the zone of the browser is: `17 Nov 2026`. */
export function shownDate(date: string): string {
  return dayFormat.format(new Date(`${date}T00:00:00Z`));
}

/** What differs, for people. */
export const differenceWords: Record<ReconciliationDifference['what'], string> = {
  missing_in_ledger: 'Missing in the ledger',
  missing_at_processor: 'Missing at the processor',
  amount_differs: 'Amounts differ',
  currency_differs: 'Currencies differ',
  doubled_in_ledger: 'Twice in the ledger',
  doubled_at_processor: 'Twice at the processor',
  gross_differs: 'Booked with another amount or direction',
  net_differs: 'Net is not gross less fee',
};

/** What the comparison says, in sentences. */
export function storyOf({ matched, matched_on_another_day, differences, open_differences }: Reconciliation): string {
  const late = matched_on_another_day === 0 ? '' : `, ${matched_on_another_day} of them on another day`;
  const agreed = `${counted(matched, 'line agrees', 'lines agree')}${late}.`;
  if (differences === 0) return `${agreed} There are no differences.`;
  const found = counted(differences, 'difference was found', 'differences were found');
  const left =
    open_differences === 0 ? 'all are accepted' : `${counted(open_differences, 'is', 'are')} not accepted yet`;
  return `${agreed} ${found}: ${left}.`;
}

/** What was paid out in each currency; undefined if nothing was. */
export function paidOut({ totals }: Pick<Reconciliation, 'totals'>): string | undefined {
  const paid = totals.filter(({ paid_out }) => paid_out !== 0);
  if (paid.length === 0) return undefined;
  return paid.map(({ paid_out, currency }) => formatMoney(paid_out, currency)).join(', ');
}
