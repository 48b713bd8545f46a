import { brandNames } from '../generated/catalog.ts';
import { wordsOf } from '../kit/tones.ts';

/** A payment method of any kind. What may be shown of it is in the member that is named like its type. */
type AnyMethod = { type: string };

/** What the pages know of kinds: each kind shows some of it, and what else it shows is listed as it is. */
type KnownFacts = { brand?: string; last4?: string; exp_month?: number; exp_year?: number };

export function factsOfKind(method: AnyMethod): KnownFacts {
  return (method as unknown as Record<string, KnownFacts | undefined>)[method.type] ?? {};
}

/** One that is not known is shown in words. */
export function brandName(brand: string): string {
  return (brandNames as Readonly<Record<string, string>>)[brand] ?? wordsOf(brand);
}

/** `Visa •••• 4242`; of a kind without brands, its name: `Gift voucher •••• 0042`. */
export function methodWords(method: AnyMethod): string {
  const { brand = method.type, last4 } = factsOfKind(method);
  return last4 === undefined ? brandName(brand) : `${brandName(brand)} •••• ${last4}`;
}

/** `12/2034`; undefined where it does not expire. */
export function expiryOf(method: AnyMethod): string | undefined {
  const { exp_month, exp_year } = factsOfKind(method);
  return exp_month === undefined ? undefined : `${String(exp_month).padStart(2, '0')}/${exp_year}`;
}

/** What a kind shows beyond that, by name. */
export function otherFacts(method: AnyMethod): [name: string, value: string][] {
  const { brand, last4, exp_month, exp_year, ...others } = factsOfKind(method);
  return Object.entries(others).map(([name, value]) => [wordsOf(name), String(value)]);
}
