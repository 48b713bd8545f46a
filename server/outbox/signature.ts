import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../base/id.ts';
import { Secret } from '../base/secret.ts';

const secretPrefix = 'whsec_';
/** 33 bytes when decoded from base64, enough for Standard Webhooks. Letters and digits only, which need no quoting in a shell. */
const secretChars = 44;

export function newSigningSecret(): Secret {
  return new Secret(secretPrefix + randomBase62(secretChars));
}

/** The two keys of a secret. Made once and used often: making them costs several times as much as signing. */
export type SigningKey = { shown: KeyObject; decoded: KeyObject };

/**
 * `X-Service-Signature` is keyed with the secret exactly as it is shown, including the prefix: a receiver has nothing to decode. Standard
 * Webhooks is keyed with the base64-decoded bytes after the prefix.
 */
export function signingKey(secret: Secret): SigningKey {
  const text = secret.open();
  return {
    shown: createSecretKey(text, 'utf8'),
    decoded: createSecretKey(text.slice(secretPrefix.length), 'base64'),
  };
}

export type SignedParts = {
  eventId: string;
  /** Exactly the bytes that are sent. */
  payload: Buffer;
  /** The time of this attempt, in epoch seconds. Receivers refuse old ones. */
  seconds: number;
  key: SigningKey;
  /** The previous secret, while both are valid. */
  previous: SigningKey | undefined;
};

/**
 * Two ways to verify. During a rotation, `X-Service-Signature` is still made with the old secret: a receiver compares it with one value,
 * and knows the new secret only after its next deployment. Standard Webhooks carries both signatures in one header.
 */
export function signedHeaders({ eventId, payload, seconds, key, previous }: SignedParts): Record<string, string> {
  const keys = previous === undefined ? [key] : [key, previous];
  return {
    'X-Service-Signature': payloadSignature(payload, previous ?? key),
    ...(previous === undefined ? {} : { 'X-Service-Signature-Next': payloadSignature(payload, key) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.map((one) => standardSignature(`${eventId}.${seconds}.`, payload, one)).join(' '),
  };
}

function payloadSignature(payload: Buffer, { shown }: SigningKey): string {
  return createHmac('sha256', shown).update(payload).digest('hex');
}

function standardSignature(head: string, payload: Buffer, { decoded }: SigningKey): string {
  return `v1,${createHmac('sha256', decoded).update(head).update(payload).digest('base64')}`;
}

const toleranceSeconds = 300;

/** Whether a receiver that has one of these keys accepts a request, in both ways to verify. Header names are as they are sent. */
export function isSigned(
  headers: Readonly<Record<string, string>>,
  payload: Buffer,
  keys: readonly SigningKey[],
  now: number,
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds = '', 'webhook-signature': standard = '' } = headers;
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(now / 1_000 - Number(seconds)) > toleranceSeconds) return false;
  const plain = headers['X-Service-Signature'] ?? '';
  const isPlain = keys.some((key) => isSame(plain, payloadSignature(payload, key)));
  const sent = standard.split(' ');
  return (
    isPlain && keys.some((key) => sent.some((one) => isSame(one, standardSignature(`${id}.${seconds}.`, payload, key))))
  );
}

function isSame(sent: string, expected: string): boolean {
  return sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected));
}
