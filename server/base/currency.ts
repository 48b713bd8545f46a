import type { Money } from './money.ts';

/** Every currency in use by ISO 4217, November 2026: no funds, precious metals, test codes or replaced currencies. */
const codes = `aed afn all amd aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp cny cop crc cup
   cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr iqd irr isk jmd jod
   jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn
   nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl
   thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ved ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg`;
const inUse: ReadonlySet<string> = new Set(codes.split(/\s+/));

/** How many digits an amount has behind the point. */
export function fractionDigits(currency: string): number {
  return inCode(currency).resolvedOptions().maximumFractionDigits!;
}

/** The currencies whose amounts have this many digits behind the point. */
export function currenciesWith(digits: number): string[] {
  return [...inUse].filter((code) => fractionDigits(code) === digits);
}

/** An amount in the smallest unit as people write it: `EUR 20.00`. */
export function moneyText({ amount, currency }: Money): string {
  return inCode(currency)
    .format(amount / 10 ** fractionDigits(currency))
    .replace('\u00a0', ' ');
}

function inCode(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'code' });
}

/** The code in lower case, as it is stored and shown; undefined when it is no currency in use. */
export function currencyOf(text: string): string | undefined {
  if (!/^[A-Za-z]{3}$/.test(text)) return undefined; // letters of other alphabets may become ASCII in lower case
  const code = text.toLowerCase();
  return inUse.has(code) ? code : undefined;
}
