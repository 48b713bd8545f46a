import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { assert } from '../../base/errors.ts';
import { keyIn } from '../admission/authenticate.ts';
import { apiError } from '../errors.ts';
import { type Exchange, headerOf } from '../exchange.ts';

const toleranceSeconds = 300;

/**
 * Checks the signature of a request, if it has one, and refuses a request without one if its key requires it. Returns the bytes of a
 * signature that must not be accepted twice: one with a timestamp, on a change without an idempotency key.
 */
export function checkSignature(
  exchange: Exchange,
  facts: { signatureRequired: boolean; body: Buffer; now: number },
): Buffer | undefined {
  const signature = headerOf(exchange, 'x-service-signature');
  const timestamp = headerOf(exchange, 'x-service-timestamp');
  if (facts.signatureRequired && signature === undefined)
    throw apiError('signature_missing', { param: 'X-Service-Signature' });
  if (facts.signatureRequired && timestamp === undefined)
    throw apiError('signature_missing', { param: 'X-Service-Timestamp' });
  if (signature === undefined) return undefined;
  const apiKey = keyIn(exchange.request.headers.authorization ?? '');
  assert(apiKey !== undefined, 'a request is read after its key was verified');
  const sent = parseSignature(signature);
  if (timestamp === undefined) {
    compare(sent, hmac(apiKey, facts.body), 'Without X-Service-Timestamp the raw body is signed.');
    return undefined;
  }
  const seconds = parseTimestamp(timestamp);
  const idempotencyKey = headerOf(exchange, 'idempotency-key');
  const digest = hash('sha256', facts.body);
  const signed = [timestamp, exchange.method, exchange.target, idempotencyKey ?? '', digest].join('\n');
  compare(sent, hmac(apiKey, signed), 'With X-Service-Timestamp five lines are signed: see the documentation.');
  refuseExpired(seconds, facts.now);
  return idempotencyKey === undefined && exchange.method !== 'GET' ? sent : undefined;
}

function parseSignature(header: string): Buffer {
  const [, digits] = /^sha256=([0-9a-fA-F]{64})$/.exec(header) ?? [];
  if (digits !== undefined) return Buffer.from(digits, 'hex');
  const reason = 'The header must be sha256= and 64 hexadecimal digits.';
  throw apiError('signature_invalid', { param: 'X-Service-Signature', reason });
}

function parseTimestamp(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const reason = 'X-Service-Timestamp must be epoch seconds.';
  throw apiError('signature_invalid', { param: 'X-Service-Timestamp', reason });
}

function refuseExpired(seconds: number, now: number): void {
  const nowSeconds = now / 1_000;
  if (Math.abs(nowSeconds - seconds) > toleranceSeconds)
    throw apiError('signature_expired', { param: 'X-Service-Timestamp', now: Math.floor(nowSeconds) });
}

function hmac(apiKey: string, signed: string | Buffer): Buffer {
  return createHmac('sha256', apiKey).update(signed).digest();
}

function compare(sent: Buffer, expected: Buffer, reason: string): void {
  if (!timingSafeEqual(sent, expected)) throw apiError('signature_invalid', { param: 'X-Service-Signature', reason });
}
