import { Secret } from '../../base/secret.ts';
import { readCardNumber } from '../../vault/index.ts';
import { refusal } from '../errors.ts';

const wellFormed = /^[\x20-\x7e]{1,255}$/;
const apiKey = /[sr]k_(?:test|live)_tg_/;

/** Idempotency keys are stored and logged in the clear, so an API key or a card number sent as one is refused. */
export function checkIdempotencyKey(key: string): void {
  if (!wellFormed.test(key) || apiKey.test(key) || isCardNumber(key))
    throw refusal('idempotency_key_invalid', { param: 'Idempotency-Key' });
}

/** Only numbers of a known brand count: a serial number or a timestamp may pass the checksum by chance. */
function isCardNumber(key: string): boolean {
  const runs = /^[\d -]+$/.test(key) ? [key] : (key.match(/(?<!\d)\d{13,19}(?!\d)/g) ?? []);
  return runs.some((run) => {
    const number = readCardNumber(new Secret(run));
    return number.ok && number.brand !== 'unknown';
  });
}
