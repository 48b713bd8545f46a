import type { CurrencyBalance } from '../../../ledger/balance.ts';

/** The balance as the API shows it: each list has every currency that ever moved, in the order of the sums. */
export function serializeBalance(sums: readonly CurrencyBalance[]): object {
  const amounts = (of: 'available' | 'pending' | 'disputed') =>
    sums.map(({ currency, ...sum }) => ({ amount: rawJSON(sum[of]), currency }));
  return {
    object: 'balance',
    available: amounts('available'),
    pending: amounts('pending'),
    disputed: amounts('disputed'),
  };
}

/** Writes a number into JSON digit by digit: a double would round it from 2^53 on. Node 24 has it, and the compiler does not know it. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string): object };
