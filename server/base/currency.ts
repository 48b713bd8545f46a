import { getOrMake } from './get_or_make.ts';
import type { Money } from './money.ts';

/**
 * The currencies in use by ISO 4217, November 2026: no funds, precious metals, test codes or replaced currencies. Their decimals come from
 * here too. ICU, and so `Intl`, follows custom instead of the standard for 16 of them, such as HUF and IQD.
 */
const codes = `aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop crc cup
   cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr iqd irr isk jmd jod
   jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn
   nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl
   thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ved ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg`;
const withoutDecimals = new Set('bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));
const withThreeDecimals = new Set('bhd iqd jod kwd lyd omr tnd'.split(' '));

/** How many decimals an amount has, by currency: 2 means that the smallest unit is a hundredth. */
export const currencyDecimals: ReadonlyMap<string, number> = new Map(
  codes.split(/\s+/).map((code) => [code, withoutDecimals.has(code) ? 0 : withThreeDecimals.has(code) ? 3 : 2]),
);

/** A currency that has been replaced since an amount was stored had 2 decimals, as most have. */
export function decimalsOf(currency: string): number {
  return currencyDecimals.get(currency) ?? 2;
}

/** The currencies whose amounts have this many decimals. */
export function currenciesWith(decimals: number): string[] {
  return [...currencyDecimals].flatMap(([code, has]) => (has === decimals ? code : []));
}

/** An amount in the main unit of its currency: `20.00`, or `2000` of one without decimals. Its digits are split, never divided. */
export function decimalText({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${amount < 0 ? '-' : ''}${digits.slice(0, point)}${decimals === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** An amount in the smallest unit as people write it: `EUR 20.00`. */
export function moneyText({ amount, currency }: Money): string {
  const decimal = decimalText({ amount, currency });
  return formatOf(currency)
    .format(decimal as Intl.StringNumericLiteral)
    .replace('\u00a0', ' ');
}

/** Making a format takes fifty times as long as using it. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string): Intl.NumberFormat {
  const decimals = decimalsOf(currency);
  const make = () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  return getOrMake(formats, currency, make);
}

/** The code in lower case, as it is stored and shown; undefined when it is no currency in use. */
export function currencyOf(text: string): string | undefined {
  if (!/^[A-Za-z]{3}$/.test(text)) return undefined; // letters of other alphabets may become ASCII in lower case
  const code = text.toLowerCase();
  return currencyDecimals.has(code) ? code : undefined;
}
