import { type Bytes, base64Of, fromBase64, fromHex, hexOf, hmacSha256, isHmacSha256, joined, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';
import type { Event } from './generated/types/events.ts';

/** The body of a webhook as it was received. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/** The headers of a webhook: those of the Fetch API, or of Node's `http`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /**
   * How far the time of a webhook may be from now. 300 unless it is given. With `Infinity` the time does not matter, and a webhook
   * needs no other signature than `X-Service-Signature`: recorded ones can then be sent again.
   */
  toleranceSeconds?: number | undefined;
};

export type SignOptions = {
  /** The id of the event. The `id` in the payload unless it is given. */
  id?: string | undefined;
  /** Epoch seconds. Now unless it is given. */
  timestamp?: number | undefined;
};

/**
 * The event in a webhook, after its signatures were checked. While a secret is rotated, either secret verifies; several may be given.
 */
export async function verify(
  payload: WebhookPayload,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Event> {
  const body = bytesOf(payload);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isStandard = await checkStandard(body, headers, secrets, toleranceSeconds);
  const isSigned = await checkService(body, headers, secrets);
  if (!isStandard && toleranceSeconds !== Number.POSITIVE_INFINITY)
    throw new WebhookVerificationError(
      'The headers webhook-id, webhook-timestamp and webhook-signature are missing. Pass the headers of the request as they were received.',
    );
  if (!isStandard && !isSigned) throw new WebhookVerificationError('The webhook is not signed.');
  return eventIn(body);
}

/** The headers with which Tollgate would send this payload, for tests of a receiver. */
export async function sign(
  payload: WebhookPayload,
  secret: string,
  { id, timestamp = Math.floor(Date.now() / 1_000) }: SignOptions = {},
): Promise<Record<string, string>> {
  const body = bytesOf(payload);
  const eventId = id ?? eventIn(body)?.id;
  if (typeof eventId !== 'string') throw new TypeError('The payload has no id. Pass one: { id: "evt_…" }.');
  const standard = await hmacSha256(standardKey(secret), standardMessage(eventId, String(timestamp), body));
  return {
    'X-Service-Signature': hexOf(await hmacSha256(utf8(secret), body)),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${base64Of(standard)}`,
  };
}

/** Standard Webhooks: id, time and body are signed. False when there is no such signature; a wrong one is an error. */
async function checkStandard(
  body: Bytes,
  headers: WebhookHeaders,
  secrets: readonly string[],
  toleranceSeconds: number,
): Promise<boolean> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined) return false;
  const given = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [fromBase64(one.slice(3))] : []));
  const message = standardMessage(id, timestamp, body);
  if (!(await isSignedByAny(secrets.map(standardKey), given, message))) throw mismatch('webhook-signature');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  // A time that is no number is not within the tolerance either.
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError(
      `The webhook was sent at ${timestamp}, more than ${toleranceSeconds} seconds from now: it may be a recorded one, or a clock is wrong.`,
    );
  return true;
}

/** The body is signed. While a secret is rotated, the second header has the signature with the new one. */
async function checkService(body: Bytes, headers: WebhookHeaders, secrets: readonly string[]): Promise<boolean> {
  const names = ['X-Service-Signature', 'X-Service-Signature-Next'];
  const values = names.flatMap((name) => headerOf(headers, name) ?? []);
  if (values.length === 0) return false;
  const given = values.map((value) => fromHex(value.replace(/^sha256=/, '')));
  if (!(await isSignedByAny(secrets.map(utf8), given, body))) throw mismatch('X-Service-Signature');
  return true;
}

/** Every pair is tried, whatever the earlier ones gave. */
async function isSignedByAny(keys: Bytes[], signatures: (Bytes | undefined)[], message: Bytes): Promise<boolean> {
  const pairs = keys.flatMap((key) => signatures.flatMap((signature) => (signature ? [{ key, signature }] : [])));
  const results = await Promise.all(pairs.map(({ key, signature }) => isHmacSha256(key, signature, message)));
  return results.includes(true);
}

function mismatch(header: string): WebhookVerificationError {
  return new WebhookVerificationError(
    `${header} does not match. Either the secret is another endpoint's, or these are not the bytes that were received: a body that was parsed and written again differs.`,
  );
}

function standardMessage(id: string, timestamp: string, body: Bytes): Bytes {
  return joined(utf8(`${id}.${timestamp}.`), body);
}

function standardKey(secret: string): Bytes {
  const key = /^whsec_.{8,}$/.test(secret) ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (key === undefined) throw new TypeError('The secret of a webhook endpoint begins with whsec_.');
  return key;
}

function bytesOf(payload: WebhookPayload): Bytes {
  if (typeof payload === 'string' && payload !== '[object Object]') return utf8(payload);
  if (ArrayBuffer.isView(payload))
    return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength).slice() as Bytes;
  if (Object.prototype.toString.call(payload) === '[object ArrayBuffer]') return new Uint8Array(payload as ArrayBuffer);
  if (payload === undefined || payload === null)
    throw new WebhookVerificationError('There is no body. Pass the body of the request, as text or bytes.');
  throw new WebhookVerificationError(
    'Not verified: the body was parsed before verification. Pass the bytes as they were received: with Express, use express.raw({ type: "application/json" }) for this route; elsewhere, await request.text().',
  );
}

function eventIn(body: Bytes): Event {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError('The body is not JSON.');
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}
