import { createHmac } from 'node:crypto';
import { randomBase62 } from '../base/id.ts';
import { Secret } from '../base/secret.ts';

const secretPrefix = 'whsec_';
/** Read as base64 it is 33 bytes, as Standard Webhooks want it; written with letters and digits alone, nothing that a shell would touch. */
const secretChars = 44;

export function newSigningSecret(): Secret {
  return new Secret(secretPrefix + randomBase62(secretChars));
}

export type SignedParts = {
  eventId: string;
  /** The bytes that are sent, and no others. */
  payload: Buffer;
  /** When this attempt is made, in epoch seconds: receivers refuse what is old. */
  seconds: number;
  secret: Secret;
  /** The secret before it, while both are valid. */
  previous: Secret | undefined;
};

/**
 * Two ways to verify, one header each. While rotating, `X-Service-Signature` stays with the old secret: a receiver compares it
 * with one value, and has the new secret only once somebody gave it to it. Standard Webhooks carries both in one header.
 */
export function signedHeaders({ eventId, payload, seconds, secret, previous }: SignedParts): Record<string, string> {
  const keys = previous === undefined ? [secret] : [secret, previous];
  return {
    'X-Service-Signature': payloadSignature(payload, previous ?? secret),
    ...(previous === undefined ? {} : { 'X-Service-Signature-Next': payloadSignature(payload, secret) }),
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.map((key) => standardSignature(`${eventId}.${seconds}.`, payload, key)).join(' '),
  };
}

/** Keyed with the secret exactly as the user sees it, its prefix included: no receiver has to know how it is encoded. */
function payloadSignature(payload: Buffer, secret: Secret): string {
  return createHmac('sha256', secret.open()).update(payload).digest('hex');
}

/** Keyed, as that standard has it, with the bytes that the part after the prefix stands for. */
function standardSignature(head: string, payload: Buffer, secret: Secret): string {
  const key = Buffer.from(secret.open().slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(head).update(payload).digest('base64')}`;
}
