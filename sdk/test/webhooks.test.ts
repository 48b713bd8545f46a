import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../server/base/secret.ts';
import { newSigningSecret, signedHeaders, signingKey } from '../../server/outbox/signature.ts';
import { WebhookVerificationError, webhooks } from '../src/index.ts';

const secret = newSigningSecret().open();
const nextSecret = newSigningSecret().open();
const event = { id: 'evt_1', object: 'event', type: 'customer.created', data: { object: { name: 'Zoë 🦊' } } };
const body = JSON.stringify(event);
const now = Math.floor(Date.now() / 1_000);

/** The headers that the gateway sends. */
function sentHeaders({ seconds = now, rotating = false, payload = body } = {}): Record<string, string> {
  const [key, next] = [secret, nextSecret].map((text) => signingKey(new Secret(text)));
  return signedHeaders({
    eventId: 'evt_1',
    payload: Buffer.from(payload),
    seconds,
    key: rotating ? next! : key!,
    previous: rotating ? key! : undefined,
  });
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('a webhook of the gateway is verified', () => {
  const bytes = new TextEncoder().encode(body);
  // A view into a larger buffer, as Node's own buffers are.
  const view = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
  test.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['a string', body],
    ['a Uint8Array', bytes],
    ['a part of a buffer', view],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', new Uint8Array(bytes).buffer],
  ])('from %s', async (_, payload) => {
    expect(await webhooks.verify(payload, sentHeaders(), secret)).toEqual(event);
  });

  test('with the headers of Node, of fetch, and in any case', async () => {
    const headers = sentHeaders();
    for (const given of [new Headers(headers), lowerCase(headers), { ...headers, other: ['a', 'b'], none: undefined }])
      expect(await webhooks.verify(body, given, secret)).toEqual(event);
  });

  test('while its secret is rotated, with either secret or both', async () => {
    const headers = sentHeaders({ rotating: true });
    for (const known of [secret, nextSecret, [secret, nextSecret], ['whsec_b3RoZXIgb3RoZXIgb3RoZXI=', secret]])
      expect(await webhooks.verify(body, headers, known)).toEqual(event);
  });

  test('by X-Service-Signature alone, if the time does not matter', async () => {
    const { 'X-Service-Signature': signature } = sentHeaders();
    const headers = { 'X-Service-Signature': signature };
    expect(await webhooks.verify(body, headers, secret, { toleranceSeconds: Infinity })).toEqual(event);
    await expect(webhooks.verify(body, headers, secret)).rejects.toThrow('webhook-timestamp');
  });

  test('within the tolerance, on both sides', async () => {
    for (const seconds of [now - 290, now + 290])
      expect(await webhooks.verify(body, sentHeaders({ seconds }), secret)).toEqual(event);
    const headers = sentHeaders({ seconds: now - 3_000 });
    expect(await webhooks.verify(body, headers, secret, { toleranceSeconds: 4_000 })).toEqual(event);
  });
});

describe('a webhook is refused', () => {
  const headers = sentHeaders();
  const flipped = (text: string) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
  test.each<[string, Record<string, string>, string, string]>([
    ['another body', headers, `${body} `, 'webhook-signature does not match'],
    ['an empty body', headers, '', 'webhook-signature does not match'],
    ['another id', { ...headers, 'webhook-id': 'evt_2' }, body, 'webhook-signature does not match'],
    ['another time', { ...headers, 'webhook-timestamp': String(now - 1) }, body, 'webhook-signature does not match'],
    ['a time that is no number', { ...headers, 'webhook-timestamp': 'now' }, body, 'webhook-signature does not match'],
    ['an old one', sentHeaders({ seconds: now - 310 }), body, 'more than 300 seconds'],
    ['one of the future', sentHeaders({ seconds: now + 310 }), body, 'more than 300 seconds'],
    ['no base64', { ...headers, 'webhook-signature': 'v1,%%%' }, body, 'webhook-signature does not match'],
    [
      'another version',
      { ...headers, 'webhook-signature': headers['webhook-signature']!.replace('v1', 'v2') },
      body,
      'webhook-signature does not match',
    ],
    [
      'another body signature',
      { ...headers, 'X-Service-Signature': flipped(headers['X-Service-Signature']!) },
      body,
      'X-Service-Signature does not match',
    ],
    ['no hexadecimal', { ...headers, 'X-Service-Signature': 'zz' }, body, 'X-Service-Signature does not match'],
    [
      'half a signature',
      { ...headers, 'X-Service-Signature': headers['X-Service-Signature']!.slice(32) },
      body,
      'X-Service-Signature does not match',
    ],
    ['no time', without('webhook-timestamp'), body, 'webhook-timestamp'],
    ['no signature', {}, body, 'webhook-signature'],
    ['no JSON', sentHeaders({ payload: 'hello' }), 'hello', 'not JSON'],
  ])('%s', async (_, given, payload, message) => {
    const verified = webhooks.verify(payload, given, secret);
    await expect(verified).rejects.toThrow(WebhookVerificationError);
    await expect(verified).rejects.toThrow(message);
  });

  test('whose signatures are those of another secret', async () => {
    await expect(webhooks.verify(body, headers, nextSecret)).rejects.toThrow('does not match');
    await expect(webhooks.verify(body, headers, [])).rejects.toThrow('does not match');
  });

  test('whose time was signed but is no number', async () => {
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`evt_1.soon.${body}`);
    const given = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': 'soon',
      'webhook-signature': `v1,${signature.digest('base64')}`,
    };
    await expect(webhooks.verify(body, given, secret)).rejects.toThrow('sent at soon');
  });

  test.each([[event], ['[object Object]'], [[1, 2]], [new Date()]])('that was parsed: %o', async (payload) => {
    const verified = webhooks.verify(payload as string, headers, secret);
    await expect(verified).rejects.toThrow(WebhookVerificationError);
    await expect(verified).rejects.toThrow('the body was parsed before verification');
    await expect(verified).rejects.toThrow('express.raw');
  });

  test('that has no body, and a secret that is none is said to be the fault', async () => {
    await expect(webhooks.verify(undefined as unknown as string, headers, secret)).rejects.toThrow('There is no body');
    await expect(webhooks.verify(body, headers, 'sk_test_tg_1')).rejects.toThrow('begins with whsec_');
    await expect(webhooks.verify(body, headers, 'whsec_not base64!')).rejects.toThrow('begins with whsec_');
  });
});

describe('webhooks.sign', () => {
  test('makes the headers of the gateway', async () => {
    expect(await webhooks.sign(body, secret, { timestamp: now })).toEqual(sentHeaders());
    const later = await webhooks.sign(Buffer.from(body), secret, { timestamp: 7, id: 'evt_9' });
    expect(later).toMatchObject({ 'webhook-id': 'evt_9', 'webhook-timestamp': '7' });
  });

  test('needs the id of an event', async () => {
    await expect(webhooks.sign('{}', secret)).rejects.toThrow('has no id');
    await expect(webhooks.sign('null', secret)).rejects.toThrow('has no id');
  });

  test('is accepted by verify and by another library', async () => {
    const headers = await webhooks.sign(body, secret);
    expect(await webhooks.verify(body, headers, secret)).toEqual(event);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
  });
});
