import { hexOf, hmacSha256, sha256, utf8 } from './bytes.ts';

export type SignedRequest = {
  apiKey: string;
  method: string;
  /** The path and the query, exactly as on the request line. */
  target: string;
  idempotencyKey: string | undefined;
  body: string | undefined;
  /** When it is signed, in epoch seconds. The gateway accepts a difference of 300 seconds. */
  seconds: number;
};

/** The headers that prove that the sender has the key, and that the request is unchanged. */
export async function signatureHeaders(request: SignedRequest): Promise<Record<string, string>> {
  const { apiKey, method, target, idempotencyKey = '', body = '', seconds } = request;
  const digest = hexOf(await sha256(utf8(body)));
  const lines = [seconds, method, target, idempotencyKey, digest].join('\n');
  const signature = hexOf(await hmacSha256(utf8(apiKey), utf8(lines)));
  return { 'X-Service-Timestamp': String(seconds), 'X-Service-Signature': `sha256=${signature}` };
}
