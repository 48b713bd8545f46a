import { currencyOf } from '../base/currency.ts';
import { equals } from './compared_filter.ts';
import { apiError } from './errors.ts';

/** The largest amount that a parameter can be, in the smallest unit of any currency. */
export const amountMax = 999_999_999_999;

/** Refuses an amount that nobody can pay. `param` names the parameter that it came in. */
export function checkAmount(amount: number, param = 'amount'): void {
  if (amount < 1) throw apiError('amount_too_small', { param });
  if (amount > amountMax) throw apiError('amount_too_large', { param });
}

/** For a list with the parameter `currency`, which no index helps to find. */
export const comparesCurrency = {
  compared: [equals('currency')],
  errors: apiError.codes('currency_unknown'),
  check({ currency }: { currency?: string | undefined }): void {
    if (currency !== undefined) checkCurrency(currency);
  },
} as const;

export function checkCurrency(currency: string): void {
  if (currencyOf(currency) === undefined) throw apiError('currency_unknown', { param: 'currency' });
}
