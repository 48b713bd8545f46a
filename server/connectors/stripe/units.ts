import { decimalsOf } from '../../base/currency.ts';
import type { Money } from '../../base/money.ts';
import type { Capabilities } from '../contract.ts';

/**
 * How many of Stripe's units are one of ours (ISO 4217, `base/currency.ts`), where they differ. Stripe keeps ISK and UGX with two decimals that are always 0,
 * although neither currency has decimals today, and treats MGA as a currency without decimals, which has two. HUF and TWD are charged
 * with two decimals, as in ISO 4217: only a payout of them has to be whole.
 * Source of this file: "Supported currencies" in the documentation of Stripe, as of July 2026.
 */
const stripeUnits: Readonly<Record<string, number>> = { isk: 100, ugx: 100, mga: 1 / 100 };

/**
 * The smallest amounts that Stripe publishes, in our units. They hold for an account that settles in the currency. Where Stripe converts,
 * the equivalent of the minimum of the other currency applies, which only Stripe knows: it refuses with `amount_too_small`.
 */
// biome-ignore format: a table
const smallest: Readonly<Record<string, number>> = {
  usd: 50, aed: 200, ars: 50, aud: 50, brl: 50, cad: 50, chf: 50, cop: 50, czk: 1_500, dkk: 250, eur: 50,
  gbp: 30, hkd: 400, huf: 17_500, idr: 50, ils: 50, inr: 50, jpy: 50, krw: 50, mxn: 1_000, myr: 200, nok: 300,
  nzd: 50, php: 50, pln: 200, ron: 200, rub: 50, sek: 300, sgd: 50, thb: 1_000, zar: 50,
};

/** Every currency of ISO 4217 in which Stripe charges cards, whatever the account's country. */
export const currencies: readonly string[] = `
  aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop
  dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak
  lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd
  rub rwf sar sbd scr sek sgd shp sle sos srd svc szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xcg xof xpf
  yer zar zmw`
  .trim()
  .split(/\s+/);

/** By currency: the smallest amount, and the amounts that Stripe can express. */
export const amounts: NonNullable<Capabilities['amounts']> = Object.fromEntries(
  currencies.flatMap((currency) => {
    const multipleOf = multiple(currency);
    const least = smallest[currency];
    if (multipleOf === 1 && least === undefined) return [];
    return [
      [currency, { ...(least === undefined ? {} : { smallest: least }), ...(multipleOf === 1 ? {} : { multipleOf }) }],
    ];
  }),
);

/** Of an amount with three decimals Stripe takes only one whose last digit is 0: in payments, refunds and disputes. */
function multiple(currency: string): number {
  if (decimalsOf(currency) === 3) return 10;
  return stripeUnits[currency] === 1 / 100 ? 100 : 1;
}

/** The amount in Stripe's units; undefined when Stripe cannot express it. */
export function toStripe({ amount, currency }: Money): number | undefined {
  if (amount % multiple(currency) !== 0) return undefined;
  const factor = stripeUnits[currency] ?? 1;
  return factor < 1 ? amount / Math.round(1 / factor) : amount * factor;
}

/** Money from an amount in Stripe's units. */
export function fromStripe(amount: number, currency: string): Money {
  const factor = stripeUnits[currency] ?? 1;
  return { amount: factor < 1 ? amount * Math.round(1 / factor) : Math.round(amount / factor), currency };
}
