import { Secret } from '../../../base/secret.ts';
import { countries } from '../../../locales/countries.ts';
import { isCvcOf, readCardNumber } from '../../../vault/card_number.ts';
import { emailForm } from '../checkout_sessions/details.ts';
import type { TypedDetails, TypedInstrument } from './calls.ts';
import type { FieldName, PageView, ShownProblem, TypedValues } from './view.ts';

/** The most characters of a field. */
const lengths: Readonly<Record<FieldName, number>> = {
  email: 254,
  name: 256,
  phone: 32,
  country: 2,
  line1: 256,
  postal_code: 16,
  city: 128,
  number: 40,
  expiry: 16,
  cvc: 8,
  terms: 3,
  coupon: 40,
};

export type PostedForm = URLSearchParams;

export const readPosted = (body: Buffer): PostedForm => new URLSearchParams(body.toString('utf8'));

/** A press of the button, or what is wrong with the fields. */
export type Pressed =
  | { instrument: TypedInstrument; details: TypedDetails; save: boolean }
  | { problems: readonly ShownProblem[] };

export function readPress(form: PostedForm, view: PageView, now: number): Pressed {
  const problems: ShownProblem[] = [];
  const text = (field: FieldName, isRequired: boolean, isRight: (value: string) => boolean = () => true) => {
    const value = typedValue(form, field);
    if (value === '' && isRequired) problems.push({ field, text: 'required' });
    else if (value !== '' && (value.length > lengths[field] || !isPrintable(value) || !isRight(value)))
      problems.push({ field, text: 'invalid' });
    return value === '' ? undefined : value;
  };
  const details = readDetails(view, text);
  const instrument = readInstrument(form, view, { text, problems, now });
  return problems.length > 0 || instrument === undefined
    ? { problems: problems.length > 0 ? problems : [{ field: 'number', text: 'invalid' }] }
    : { instrument, details, save: form.get('save') === 'yes' && view.save === 'offer' };
}

type ReadText = (field: FieldName, isRequired: boolean, isRight?: (value: string) => boolean) => string | undefined;

function readDetails({ collects }: PageView, text: ReadText): TypedDetails {
  const details: TypedDetails = {};
  const email = collects.email ? text('email', true, (value) => emailForm.test(value)) : undefined;
  const name = collects.name ? text('name', true) : undefined;
  const phone = collects.phone ? text('phone', true, (value) => /^\+?[\d\s()./-]{4,}$/.test(latin(value))) : undefined;
  if (email !== undefined) details.email = email;
  if (name !== undefined) details.name = name;
  if (phone !== undefined) details.phone = phone;
  const { billingAddress = 'none' } = collects;
  if (billingAddress !== 'none') {
    const country = text('country', true, (value) => countries.includes(value));
    const [line1, postal_code, city] =
      billingAddress === 'full' ? [text('line1', true), text('postal_code', false), text('city', true)] : [];
    if (country !== undefined)
      details.address = {
        country,
        ...(line1 !== undefined && { line1 }),
        ...(postal_code !== undefined && { postal_code }),
        ...(city !== undefined && { city }),
      };
  }
  if (collects.terms && text('terms', true, (value) => value === 'yes') !== undefined) details.terms = true;
  return details;
}

type CardReading = { text: ReadText; problems: ShownProblem[]; now: number };

function readInstrument(form: PostedForm, view: PageView, reading: CardReading): TypedInstrument | undefined {
  // Nothing is charged: no processor is asked.
  if (view.total === 0 && view.mode === 'payment') return { kind: 'page' };
  const method = form.get('method') ?? 'new';
  if (method !== 'new') {
    const saved = view.saved.find(({ id }) => id === method);
    return saved === undefined ? undefined : { kind: 'saved', paymentMethod: saved.id };
  }
  const [way] = view.ways;
  if (way === undefined) return undefined;
  if (way.kind === 'own') return readCard(reading);
  const token = form.get('confirmation') ?? '';
  if (way.kind === 'fields' && form.get('way') === 'confirmation')
    return /^\w{1,255}$/.test(token) ? { kind: 'confirmation', token: new Secret(token) } : undefined;
  return { kind: 'page' };
}

function readCard({ text, problems, now }: CardReading): TypedInstrument | undefined {
  const before = problems.length;
  const number = latin(text('number', true, (value) => readCardNumber(new Secret(digitsOf(value))).ok) ?? '');
  const expiry = text('expiry', true, (value) => readExpiry(value) !== undefined);
  const card = readCardNumber(new Secret(digitsOf(number)));
  const isCode = (value: string) => isCvcOf(card.ok ? card.brand : 'unknown', new Secret(latin(value)));
  const cvc = latin(text('cvc', true, isCode) ?? '');
  const read = expiry === undefined ? undefined : readExpiry(expiry);
  if (read !== undefined && hasPassed(read, now)) problems.push({ field: 'expiry', text: 'card_expired' });
  if (problems.length > before || read === undefined) return undefined;
  return { kind: 'card', number: new Secret(digitsOf(number)), cvc: new Secret(cvc), ...read };
}

type Expiry = { expMonth: number; expYear: number };

/** `12 / 30`, `12/2030`, `1230`, `1-30`. */
export function readExpiry(typed: string): Expiry | undefined {
  const [, month = '', year = ''] =
    /^(\d{1,2})\s*[\s/.-]\s*(\d{4}|\d{2})$/.exec(latin(typed).trim()) ??
    /^(\d{2})(\d{4}|\d{2})$/.exec(latin(typed).trim()) ??
    [];
  const expMonth = Number(month);
  if (month === '' || expMonth < 1 || expMonth > 12) return undefined;
  return { expMonth, expYear: year.length === 2 ? 2_000 + Number(year) : Number(year) };
}

/** A card is valid to the end of its month, wherever the customer is. */
export function hasPassed({ expMonth, expYear }: Expiry, now: number): boolean {
  const dayMs = 86_400_000;
  return Date.UTC(expYear, expMonth, 1) + dayMs <= now;
}

/** The digits that are in use beside the Latin ones, on keyboards of the locales of the page. */
function latin(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) =>
    String((digit.codePointAt(0) ?? 0) % 16),
  );
}

/** A number as people write it: in groups. Anything else makes it no number. */
function digitsOf(typed: string): string {
  return latin(typed).replaceAll(/[\s-]/g, '');
}

function isPrintable(value: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(value) && value.isWellFormed();
}

function typedValue(form: PostedForm, field: FieldName): string {
  return (form.get(field) ?? '').trim();
}

/** What is shown again beside what was wrong. */
export function typedIn(form: PostedForm): TypedValues {
  const shown = ['email', 'name', 'phone', 'country', 'line1', 'postal_code', 'city'] as const;
  return Object.fromEntries(shown.map((field) => [field, typedValue(form, field).slice(0, lengths[field])]));
}
