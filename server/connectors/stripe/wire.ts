import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';

/** The parameters of a request. A secret among them is opened while the request is written, and nowhere else. */
export type StripeForm = { readonly [name: string]: StripeFormValue | undefined };
type StripeFormValue = string | number | boolean | Secret | readonly string[] | StripeForm;

/** As Stripe expects it: `card[number]=…&expand[]=…`. A member that is undefined is left out. */
export function encodeForm(form: StripeForm): string {
  return [...pairsOf(form)].map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`).join('&');
}

function* pairsOf(form: StripeForm, prefix = ''): Generator<[string, string]> {
  for (const [member, value] of Object.entries(form)) {
    const name = prefix === '' ? member : `${prefix}[${member}]`;
    if (value === undefined) continue;
    if (value instanceof Secret) yield [name, value.open()];
    else if (Array.isArray(value)) for (const item of value as readonly string[]) yield [`${name}[]`, item];
    else if (typeof value === 'object') yield* pairsOf(value as StripeForm, name);
    else yield [name, String(value)];
  }
}

/** Brackets stay readable: Stripe takes them either way. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll('%5B', '[').replaceAll('%5D', ']');
}

/** A path from its segments. A secret segment, such as a token, is opened here. */
export function encodePath(segments: readonly (string | Secret)[]): string {
  return `/v1/${segments.map((segment) => encodeURIComponent(segment instanceof Secret ? segment.open() : segment)).join('/')}`;
}

export function authorizationHeader(key: Secret): string {
  return `Bearer ${key.open()}`;
}

/** Stripe's own ids consist of these characters; anything else could change the path of a request. */
export function isToken(token: Secret): boolean {
  return /^(pm|card|src)_[A-Za-z0-9_]{1,250}$/.test(token.open());
}

export function isConfirmationToken(token: Secret): boolean {
  return /^ctoken_[A-Za-z0-9_]{1,250}$/.test(token.open());
}

/** The mode that a publishable key belongs to; undefined when it is no such key. It is public. */
export function publishableKeyMode(key: string): Mode | undefined {
  return /^pk_(test|live)_[A-Za-z0-9]{8,250}$/.exec(key)?.[1] as Mode | undefined;
}

/** The mode that a secret or restricted key belongs to; undefined when it is no such key. */
export function keyMode(key: Secret): Mode | undefined {
  return /^(?:sk|rk)_(test|live)_[A-Za-z0-9]{8,250}$/.exec(key.open())?.[1] as Mode | undefined;
}

/** Whether a secret has this value. It takes constant time. */
export function isText(secret: Secret, text: string): boolean {
  const [one, other] = [Buffer.from(secret.open()), Buffer.from(text)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function isWebhookSecret(secret: Secret): boolean {
  return /^whsec_[A-Za-z0-9+/=_-]{8,250}$/.test(secret.open());
}

/** Whether one of the signatures (hexadecimal HMAC-SHA256) was made with the secret. The comparison takes constant time. */
export function isSigned(secret: Secret, signed: Buffer, signatures: readonly string[]): boolean {
  const expected = createHmac('sha256', secret.open()).update(signed).digest();
  return signatures.some((signature) => {
    const given = Buffer.from(signature, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
