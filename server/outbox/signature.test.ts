import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSigningSecret, signedHeaders, signingKey } from './signature.ts';

const payload = Buffer.from('{"id":"evt_1","text":"é ✓ \\u0000"}\n');
const now = () => Math.floor(Date.now() / 1_000); // the independent verifier compares with the real time

/** The HMAC that openssl computes on the command line. */
function opensslHmac(secret: string, data: Buffer): string {
  const out = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: data }).toString();
  return out.trim().replace(/^.*= /, '');
}

test('a secret is whsec_ and 32 random bytes, and does not print itself', () => {
  const [one, two] = [newSigningSecret(), newSigningSecret()];
  expect(one.open()).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
  expect(one.open()).not.toBe(two.open());
  expect(`${one} ${JSON.stringify({ one })}`).not.toContain('whsec_');
});

test('openssl computes the same X-Service-Signature from the secret as shown', () => {
  const secret = newSigningSecret();
  const headers = signedHeaders({
    eventId: 'evt_1',
    payload,
    seconds: now(),
    key: signingKey(secret),
    previous: undefined,
  });
  expect(headers['X-Service-Signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(headers['X-Service-Signature']).toBe(opensslHmac(secret.open(), payload));
  expect(headers).not.toHaveProperty('X-Service-Signature-Next');
});

test('a Standard Webhooks library verifies the headers, and refuses a changed or old message', () => {
  const secret = newSigningSecret();
  const parts = { eventId: 'evt_1', payload, key: signingKey(secret), previous: undefined };
  const verifier = new Webhook(secret.open());
  const headers = signedHeaders({ ...parts, seconds: now() });
  expect(verifier.verify(payload, headers)).toMatchObject({ id: 'evt_1' });
  expect(headers['webhook-id']).toBe('evt_1');
  expect(() => verifier.verify(Buffer.concat([payload, Buffer.from(' ')]), headers)).toThrow();
  expect(() => verifier.verify(payload, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  expect(() => verifier.verify(payload, signedHeaders({ ...parts, seconds: now() - 3_600 }))).toThrow();
  expect(() => new Webhook(newSigningSecret().open()).verify(payload, headers)).toThrow();
});

test('during a rotation, receivers with the old secret and with the new one both verify', () => {
  const [secret, previous] = [newSigningSecret(), newSigningSecret()];
  const keys = { key: signingKey(secret), previous: signingKey(previous) };
  const headers = signedHeaders({ eventId: 'evt_1', payload, seconds: now(), ...keys });
  expect(headers['X-Service-Signature']).toBe(opensslHmac(previous.open(), payload));
  expect(headers['X-Service-Signature-Next']).toBe(opensslHmac(secret.open(), payload));
  expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
  for (const key of [secret, previous])
    expect(new Webhook(key.open()).verify(payload, headers)).toMatchObject({ id: 'evt_1' });
});
