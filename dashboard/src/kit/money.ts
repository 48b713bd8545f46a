import { currencyDecimals } from '../generated/catalog.ts';

const decimals: Readonly<Record<string, number>> = currencyDecimals;

/** The codes of all currencies that the gateway takes, in upper case. */
export const currencies: readonly string[] = Object.keys(decimals).map((code) => code.toUpperCase());

/** Amounts are whole numbers of the smallest unit. How many digits it has comes from ISO 4217: browsers differ from it for some. */
export function digitsOf(currency: string): number {
  return decimals[currency.toLowerCase()] ?? 2; // a currency that has been replaced had 2, as most have
}

/** `€20.00`, `¥2,000`. */
export function formatMoney(amount: number, currency: string, locale?: string): string {
  const digits = digitsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalOf(amount, currency) as never);
}

/** `20.00` for 2000: as text, so that no digit of a large amount is lost. */
export function decimalOf(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const [whole, rest] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  return `${amount < 0 ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** `20`, `20.5` and `20,50` in the smallest unit; undefined if it is no amount of the currency. */
export function amountOf(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const [, whole, rest = ''] = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || rest.length > digits) return undefined;
  const amount = Number(whole + rest.padEnd(digits, '0'));
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/** `EUR 1,020.00, draft` becomes `€1,020.00, draft`: an amount at the beginning, as the API writes it in texts. */
export function withSymbol(text: string): string {
  const amountFirst = /^([A-Z]{3}) (\d+(?:,\d{3})*(?:\.\d+)?)(?=$|, | a )/;
  return text.replace(amountFirst, (written, currency: string, decimal: string) => {
    const amount = currencies.includes(currency) ? amountOf(decimal.replaceAll(',', ''), currency) : undefined;
    return amount === undefined ? written : formatMoney(amount, currency);
  });
}

/** An amount as it stands in a form. */
export type MoneyText = { text: string; currency: string };

/** In the smallest unit; undefined if it is no amount of the currency. */
export function moneyOf({ text, currency }: MoneyText): number | undefined {
  return amountOf(text, currency);
}
