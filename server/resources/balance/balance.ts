import type { CurrencyBalance } from '../../ledger/balance.ts';

/** The balance as the API shows it: each list has every currency that ever moved, in the order of the sums. */
export function presentBalance(sums: readonly CurrencyBalance[]): object {
  const amounts = (of: 'available' | 'pending' | 'disputed') =>
    sums.map(({ currency, ...sum }) => ({ amount: exactly(sum[of]), currency }));
  return {
    object: 'balance',
    available: amounts('available'),
    pending: amounts('pending'),
    disputed: amounts('disputed'),
  };
}

// Known to Node 24, and not yet to the compiler.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A number in JSON, digit by digit: a double would round it from 2^53 on. */
function exactly(digits: string): object {
  return rawJSON(digits);
}
