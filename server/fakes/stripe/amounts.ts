import { invalid } from './errors.ts';

/** The smallest amounts that Stripe charges, in its own units. Written down here again, so that a connector's table is compared with it. */
// biome-ignore format: a table
const smallest: Readonly<Record<string, number>> = {
  usd: 50, aed: 200, ars: 50, aud: 50, brl: 50, cad: 50, chf: 50, cop: 50, czk: 1_500, dkk: 250, eur: 50,
  gbp: 30, hkd: 400, huf: 17_500, idr: 50, ils: 50, inr: 50, jpy: 50, krw: 50, mxn: 1_000, myr: 200, nok: 300,
  nzd: 50, php: 50, pln: 200, ron: 200, rub: 50, sek: 300, sgd: 50, thb: 1_000, zar: 50,
};

/** Twelve digits, for most cards. */
const largest = 999_999_999_999;
/** Stripe takes three-decimal currencies only in multiples of ten. */
const threeDecimals: readonly string[] = ['bhd', 'jod', 'kwd', 'omr', 'tnd'];
/** And these, which it keeps with two decimals, only in whole units. */
const wholeUnits: readonly string[] = ['isk', 'ugx'];

export function checkAmount(amount: number, currency: string): void {
  if (amount < 1)
    throw invalid('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  if (amount < (smallest[currency] ?? 1))
    throw invalid(`Amount must be at least ${smallest[currency]} ${currency}`, {
      code: 'amount_too_small',
      param: 'amount',
    });
  if (amount > largest)
    throw invalid(`Amount must be no more than ${largest} ${currency}`, { code: 'amount_too_large', param: 'amount' });
  if (threeDecimals.includes(currency) && amount % 10 !== 0)
    throw invalid(`Invalid amount: ${currency} amounts must be divisible by 10.`, {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  if (wholeUnits.includes(currency) && amount % 100 !== 0)
    throw invalid(
      `Invalid amount. Currency ${currency.toUpperCase()} has become effectively zero-decimal and charged amounts must be evenly divisible by 100.`,
      { code: 'invalid_charge_amount_no_decimal_compatible', param: 'amount' },
    );
}
