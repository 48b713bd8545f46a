import type { Static } from 'typebox';
import type { Secret } from '../../../../base/secret.ts';
import type { TokenizedMethod } from '../../../../connectors/contract.ts';
import type { Input } from '../../../../operations/operation.ts';
import { brands, type CardNumber, isCvcOf, readCardNumber } from '../../../../vault/index.ts';
import type { MethodFacts } from '../kind.ts';
import type { PaymentMethod } from '../payment_method.ts';
import { apiError } from './errors.ts';
import type { CardParameters, ExpiryParameters } from './schema.ts';

const yearsAheadMax = 50;

/** Refuses a number, an expiry or a security code that no card can have. */
export function checkCard({ number, exp_month, exp_year, cvc }: Static<typeof CardParameters>, now?: number): void {
  const checked = requireCardNumber(number);
  if (now !== undefined) checkExpiry(exp_month, exp_year, now);
  if (cvc !== undefined) checkCvc(checked, cvc);
}

/** The number as digits, with its brand. A number that cannot be a card's is refused. */
export function requireCardNumber(text: Secret): CardNumber {
  const number = readCardNumber(text);
  if (!number.ok) throw apiError('invalid_number', { param: 'card.number' });
  return number;
}

function checkCvc(number: CardNumber, cvc: Secret): void {
  const digits = number.brand === 'amex' ? '4' : number.brand === 'unknown' ? '3 or 4' : '3';
  if (!isCvcOf(number.brand, cvc)) throw apiError('invalid_cvc', { param: 'card.cvc', digits });
}

/** Refuses an expiry that no valid card can have. */
function checkExpiry(month: number, year: number, now: number): void {
  const today = new Date(now);
  const thisYear = today.getUTCFullYear();
  const monthName = `${String(today.getUTCMonth() + 1).padStart(2, '0')}/${thisYear}`;
  if (month < 1 || month > 12) throw apiError('invalid_expiry_month', { param: 'card.exp_month', now: monthName });
  const yearParam = { param: 'card.exp_year', now: thisYear, max: thisYear + yearsAheadMax };
  if (year > thisYear + yearsAheadMax || year < 1_000) throw apiError('invalid_expiry_year', yearParam);
  if (!hasExpired({ exp_month: month, exp_year: year }, now)) return;
  if (year < thisYear) throw apiError('invalid_expiry_year', yearParam);
  throw apiError('invalid_expiry_month', { param: 'card.exp_month', now: monthName });
}

/** A card is valid until the end of its month in the last time zone. */
export function hasExpired(card: { exp_month: number; exp_year: number }, now: number): boolean {
  return Date.UTC(card.exp_year, card.exp_month, 1) + lastTimeZoneMs <= now;
}

const lastTimeZoneMs = 12 * 3_600_000; // UTC-12

type ExpiryChange = Input<typeof ExpiryParameters, 'clear'>;

export function checkExpiryChange(change: ExpiryChange | null): void {
  for (const name of ['exp_month', 'exp_year'] as const)
    if (change === null || change[name] === null)
      throw apiError('parameter_invalid', {
        param: `card.${name}`,
        reason: 'a card has an expiry; it cannot be cleared',
      });
}

export function changeExpiry(
  { brand, last4, processor_account, ...before }: PaymentMethod,
  { exp_month, exp_year }: ExpiryChange,
  now: number,
): MethodFacts {
  const facts = {
    brand,
    last4,
    exp_month: exp_month ?? before.exp_month,
    exp_year: exp_year ?? before.exp_year,
  };
  if (exp_month === undefined && exp_year === undefined) return facts;
  if (processor_account !== null)
    throw apiError('parameter_invalid', {
      param: exp_month === undefined ? 'card.exp_year' : 'card.exp_month',
      reason: 'the expiry of a card that a processor keeps cannot be changed here',
    });
  checkExpiry(facts.exp_month, facts.exp_year, now);
  return facts;
}

/** What is stored of a card that a processor keeps. What a processor says is stored and shown, so it has to be like a card. */
export function keptCard({
  brand,
  last4,
  expMonth,
  expYear,
}: Omit<TokenizedMethod, 'customer'>): MethodFacts | undefined {
  const isMonth = Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12;
  const isYear = Number.isInteger(expYear) && expYear >= 1_000 && expYear <= 9_999;
  if (!/^\d{4}$/.test(last4) || !isMonth || !isYear) return undefined;
  // Processors know more brands than we name.
  const named = brands.find((one) => one === brand.toLowerCase()) ?? 'unknown';
  return { brand: named, last4, exp_month: expMonth, exp_year: expYear };
}
