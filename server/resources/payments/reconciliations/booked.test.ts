import { expect, test } from 'vitest';
import type { Tenant } from '../../../base/reads.ts';
import type { StatementLine } from '../../../connectors/contract.ts';
import { bookingDifferences } from './reconcile.ts';

type Kind = StatementLine['kind'];
type Numbers = [gross: number | undefined, fee: number | undefined, net: number | undefined];

function line(kind: Kind, [gross, fee, net]: Numbers): StatementLine {
  const booked = Object.fromEntries(Object.entries({ gross, fee, net }).filter(([, amount]) => amount !== undefined));
  const facts = { tenant: 1 as Tenant, reference: 'x', money: { amount: 1_000, currency: 'eur' }, at: new Date(0) };
  return { ...facts, kind, ...booked };
}

const both = ['gross_differs', 'net_differs'];

test.each<[string, Kind, Numbers, string[]]>([
  ['as it should be', 'payment', [1_000, 59, 941], []],
  ['captured in part, and booked in full', 'payment', [2_500, 59, 2_441], []],
  ['of too little', 'payment', [999, 59, 940], ['gross_differs']],
  ['in the wrong direction', 'payment', [-1_000, 59, -1_059], ['gross_differs']],
  ['of which more was kept than the fee', 'payment', [1_000, 59, 940], ['net_differs']],
  ['whose fee was added', 'payment', [1_000, 59, 1_059], ['net_differs']],
  ['as it should be', 'refund', [-1_000, 0, -1_000], []],
  ['that gives a fee back', 'refund', [-1_000, -20, -980], []],
  ['in the wrong direction', 'refund', [1_000, 0, 1_000], ['gross_differs']],
  ['of another amount', 'refund', [-900, 0, -900], ['gross_differs']],
  ['with a net in the wrong direction', 'refund', [-1_000, 0, 1_000], ['net_differs']],
  ['as it should be', 'dispute', [-1_000, 1_500, -2_500], []],
  ['in the wrong direction', 'dispute', [1_000, 1_500, -500], ['gross_differs']],
  ['with a fee that is not in the net', 'dispute', [-1_000, 1_500, -1_000], ['net_differs']],
  ['with nothing right', 'dispute', [1_000, 1_500, 2_500], both],
  ['as it should be', 'dispute_reversal', [1_000, 0, 1_000], []],
  ['in the wrong direction', 'dispute_reversal', [-1_000, 0, -1_000], ['gross_differs']],
  ['of a part', 'dispute_reversal', [400, 0, 400], ['gross_differs']],
  ['as it should be', 'release', [-1_000, -29, -971], []],
  ['in the wrong direction', 'release', [1_000, 29, 971], ['gross_differs']],
  ['as it should be', 'payout', [-1_000, 10, -1_010], []],
  ['that came back', 'payout', [1_000, 0, 1_000], []],
  ['of another amount', 'payout', [-999, 0, -999], ['gross_differs']],
  ['without a fee, of which nothing is known', 'payment', [1_000, undefined, 5], []],
  ['in another currency, of which nothing is known', 'refund', [undefined, undefined, undefined], []],
])('a line %s: %s %j', (_, kind, numbers, expected) => {
  const one = line(kind, numbers);
  const found = bookingDifferences(one);
  expect(found.map(({ what }) => what)).toEqual(expected);
  const [gross, fee, net] = numbers;
  for (const difference of found)
    expect(difference).toMatchObject({ booked: { gross, fee, net }, ledger: undefined, processor: one });
});
