import type { Keyring } from '../../base/keyring.ts';
import { Secret } from '../../base/secret.ts';
import { readCardNumber } from '../../vault/index.ts';
import { refusal } from '../errors.ts';
import { digest } from './redact.ts';

const wellFormed = /^[\x20-\x7e]{1,255}$/;
const apiKey = /[sr]k_(?:test|live)_tg_/;

/** Any printable ASCII text is a key. One that looks like a card number is not refused: a random number may do so by chance. */
export function checkIdempotencyKey(key: string): void {
  if (!wellFormed.test(key)) throw refusal('idempotency_key_invalid', { param: 'Idempotency-Key' });
}

/** The key as logs show it. */
export function shownKey(keyring: Keyring, key: string): string {
  return looksSecret(key) ? digest(keyring, key) : key;
}

/** Whether a key looks like a card number or an API key. Then it is shown nowhere. */
export function looksSecret(key: string): boolean {
  return apiKey.test(key) || looksLikeCardNumber(key);
}

/** Only numbers of a known brand: most serial numbers and timestamps that pass the checksum by chance are then shown. */
function looksLikeCardNumber(key: string): boolean {
  const runs = /^[\d -]+$/.test(key) ? [key] : (key.match(/(?<!\d)\d{13,19}(?!\d)/g) ?? []);
  return runs.some((run) => {
    const number = readCardNumber(new Secret(run));
    return number.ok && number.brand !== 'unknown';
  });
}
