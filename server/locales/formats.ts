import { decimalsOf, decimalText } from '../base/currency.ts';
import { getOrMake } from '../base/get_or_make.ts';
import type { Money } from '../base/money.ts';
import { countries } from './countries.ts';
import { type Locale, localeOf } from './index.ts';

/** Making a format takes fifty times as long as using it. Regions come from headers, so that there can be any number of them. */
const formatsMax = 2_000;
const formats = new Map<string, unknown>();

function formatFor<Format>(name: string, make: () => Format): Format {
  if (formats.size >= formatsMax && !formats.has(name)) formats.clear();
  return getOrMake(formats as Map<string, Format>, name, make);
}

/** Mails to people who work with the gateway are in English, with dates that nobody reads in another way. */
export const forPeople = localeOf('en-GB');

/** `€20.00`, `¥2,000`, `20,000 د.ك.‏`: with the decimals of ISO 4217, and exact. */
export function moneyIn({ region }: Locale, { amount, currency }: Money): string {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = formatFor(
    `money ${region} ${currency}`,
    () => new Intl.NumberFormat(region, { style: 'currency', currency, ...digits }),
  );
  return format.format(decimalText({ amount, currency }) as Intl.StringNumericLiteral);
}

/** A whole number, such as a quantity. */
export function numberIn({ region }: Locale, value: number): string {
  return formatFor(`number ${region}`, () => new Intl.NumberFormat(region)).format(value);
}

/** A day: `2 Dec 2026`. Times are in UTC: the server does not know where the customer is. */
export function dateIn({ region }: Locale, epochMs: number): string {
  const make = () => new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeZone: 'UTC' });
  return formatFor(`date ${region}`, make).format(epochMs);
}

/** `2 Dec 2026, 14:05 UTC`. */
export function momentIn({ region }: Locale, epochMs: number): string {
  const parts = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
  const make = () => new Intl.DateTimeFormat(region, { ...parts, timeZone: 'UTC', timeZoneName: 'short' });
  return formatFor(`moment ${region}`, make).format(epochMs);
}

/** `12/2026`: until when a card is good. */
export function monthIn({ region }: Locale, { year, month }: { year: number; month: number }): string {
  const make = () => new Intl.DateTimeFormat(region, { month: '2-digit', year: 'numeric', timeZone: 'UTC' });
  return formatFor(`month ${region}`, make).format(Date.UTC(year, month - 1));
}

/** `in 2 minutes`, `in 40 seconds`. From a minute on, whole minutes, rounded up. */
export function laterIn({ tag, region }: Locale, seconds: number): string {
  const format = formatFor(`later ${tag} ${region}`, () => new Intl.RelativeTimeFormat(tag));
  if (seconds < 60) return format.format(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? format.format(minutes, 'minute') : format.format(Math.ceil(minutes / 60), 'hour');
}

export type Recurrence = { interval: 'day' | 'week' | 'month' | 'year'; count: number };

/** `month`, `3 months`: what an amount is for, after a slash. */
export function periodIn({ tag }: Locale, { interval, count }: Recurrence): string {
  if (count === 1)
    return (
      formatFor(`field ${tag}`, () => new Intl.DisplayNames(tag, { type: 'dateTimeField' })).of(interval) ?? interval
    );
  const make = () => new Intl.NumberFormat(tag, { style: 'unit', unit: interval, unitDisplay: 'long' });
  return formatFor(`unit ${tag} ${interval}`, make).format(count);
}

/** The countries by their names, in the order of the alphabet of the locale. */
export function countriesIn({ tag }: Locale): readonly { code: string; name: string }[] {
  return formatFor(`countries ${tag}`, () => {
    const names = new Intl.DisplayNames(tag, { type: 'region' });
    const { compare } = new Intl.Collator(tag);
    const named = countries.map((code) => ({ code, name: names.of(code) ?? code }));
    return named.toSorted((one, other) => compare(one.name, other.name));
  });
}
