import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../../base/errors.ts';
import { keyIn } from '../admission/authenticate.ts';
import { refusal } from '../errors.ts';

const toleranceSeconds = 300;

export type Signed = {
  /** The signature's bytes, when it holds for one moment only and must not be accepted twice. */
  once: Buffer | undefined;
};

/** Checks a request's signature when it has one, and that it has one when the key asks for it. */
export function checkSignature(request: {
  signatureRequired: boolean;
  headers: IncomingHttpHeaders;
  method: string;
  target: string;
  body: Buffer;
  now: number;
}): Signed {
  const header = request.headers['x-service-signature'];
  const timestamp = request.headers['x-service-timestamp'];
  if (request.signatureRequired && (header === undefined || timestamp === undefined))
    throw challenged(
      refusal('signature_missing', { param: header === undefined ? 'X-Service-Signature' : 'X-Service-Timestamp' }),
    );
  if (header === undefined) return { once: undefined };
  const apiKey = keyIn(request.headers.authorization ?? '') ?? '';

  const sent = parseSignature(String(header));
  if (timestamp === undefined) {
    compare(sent, hmac(apiKey, request.body), 'Without X-Service-Timestamp the raw body is signed.');
    return { once: undefined };
  }
  const seconds = parseTimestamp(String(timestamp));
  const key = request.headers['idempotency-key'];
  const digest = createHash('sha256').update(request.body).digest('hex');
  const signed = [String(timestamp), request.method, request.target, key ?? '', digest].join('\n');
  compare(sent, hmac(apiKey, signed), 'With X-Service-Timestamp five lines are signed: see the documentation.');
  if (Math.abs(request.now / 1_000 - seconds) > toleranceSeconds)
    throw challenged(
      refusal('signature_expired', { param: 'X-Service-Timestamp', now: Math.floor(request.now / 1_000) }),
    );
  return { once: key === undefined && request.method !== 'GET' ? sent : undefined };
}

function parseSignature(header: string): Buffer {
  const match = /^sha256=([0-9a-fA-F]{64})$/.exec(header);
  if (match === null) throw mismatch('The header must be sha256= and 64 hexadecimal digits.');
  return Buffer.from(match[1]!, 'hex');
}

function parseTimestamp(text: string): number {
  if (!/^\d{1,12}$/.test(text))
    throw challenged(
      refusal('signature_invalid', {
        param: 'X-Service-Timestamp',
        reason: 'X-Service-Timestamp must be epoch seconds.',
      }),
    );
  return Number(text);
}

function hmac(apiKey: string, signed: string | Buffer): Buffer {
  return createHmac('sha256', apiKey).update(signed).digest();
}

function compare(sent: Buffer, expected: Buffer, reason: string): void {
  if (!timingSafeEqual(sent, expected)) throw mismatch(reason);
}

function mismatch(reason: string): Refusal {
  return challenged(refusal('signature_invalid', { param: 'X-Service-Signature', reason }));
}

function challenged(refusal: Refusal): Refusal {
  refusal.headers['WWW-Authenticate'] = 'Bearer';
  return refusal;
}
