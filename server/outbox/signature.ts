import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { randomBase62 } from '../base/id.ts';
import { Secret } from '../base/secret.ts';

const secretPrefix = 'whsec_';
/** Decoded from base64 it is 33 bytes, as Standard Webhooks require; it has letters and digits only, which need no quoting in a shell. */
const secretChars = 44;

export function newSigningSecret(): Secret {
  return new Secret(secretPrefix + randomBase62(secretChars));
}

/** A secret as the two keys that sign. Made once and used often: making them costs several times as much as signing. */
export type SigningKey = { shown: KeyObject; decoded: KeyObject };

/**
 * `X-Service-Signature` is keyed with the secret exactly as the user sees it, its prefix included: no receiver has to know how it is
 * encoded. Standard Webhooks is keyed with the bytes that the part after the prefix stands for.
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
  /** The time of this attempt, in epoch seconds: receivers refuse old ones. */
  seconds: number;
  key: SigningKey;
  /** The previous secret, while both are valid. */
  previous: SigningKey | undefined;
};

/**
 * Two ways to verify, one header each. During a rotation, `X-Service-Signature` is still made with the old secret: a receiver compares it
 * with one value, and has the new secret only once it was deployed. Standard Webhooks carries both signatures in one header.
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
