import type { Keyring } from '../../base/keyring.ts';
import { mayContainCardNumber } from '../../vault/index.ts';
import { apiError } from '../errors.ts';
import { digest } from './redact.ts';

const wellFormed = /^[\x20-\x7e]{1,255}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const apiKey = /[sr]k_(?:test|live)_tg_/;

/** Any printable ASCII text is a key. One that looks like a card number is not refused: a random number may do so by chance. */
export function checkIdempotencyKey(key: string): void {
  if (!wellFormed.test(key)) throw apiError('idempotency_key_invalid', { param: 'Idempotency-Key' });
}

/** The key as logs show it. */
export function shownKey(keyring: Keyring, key: string): string {
  return looksSecret(key) ? digest(keyring, key) : key;
}

/**
 * Whether a key may contain a card number or an API key. Then it is shown nowhere. One random UUID in 300 has the digits of a card number
 * across its groups, in which nobody writes one.
 */
export function looksSecret(key: string): boolean {
  return !uuid.test(key) && (apiKey.test(key) || mayContainCardNumber(key));
}
