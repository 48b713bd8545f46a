import { invalid } from './refusal.ts';

/** The smallest amounts that Stripe charges, in its own units. Written down here again, so that a connector's table is compared with it. */
const smallest: Readonly<Record<string, number>> = {
  ...{ usd: 50, aed: 200, aud: 50, brl: 50, cad: 50, chf: 50, czk: 1_500, dkk: 250, eur: 50, gbp: 30, hkd: 400 },
  ...{ huf: 17_500, inr: 50, jpy: 50, mxn: 1_000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300 },
  ...{ sgd: 50, thb: 1_000 },
};

const largest = 99_999_999;
/** Stripe takes three-decimal currencies only in multiples of ten, and these with two decimals only in whole units. */
const multiples: Readonly<Record<string, number>> = {
  ...{ bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 },
  ...{ isk: 100, ugx: 100 },
};

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
  if (amount % (multiples[currency] ?? 1) !== 0)
    throw invalid(`Invalid amount: ${currency} amounts must be divisible by ${multiples[currency]}.`, {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
}
