import { timingSafeEqual } from 'node:crypto';
import { isId } from '../../base/id.ts';
import type { Secret } from '../../base/secret.ts';
import type { AttemptId, Connector, InboundRequest } from '../contract.ts';
import { type AccountBooks, noticesAbout } from './account_notices.ts';
import { signatureOf } from './wire.ts';

/** `t=<epoch seconds>,v1=<HMAC-SHA256 of "<epoch seconds>.<body>" in hexadecimal digits>` */
export const signatureHeader = 'simulator-signature';
const toleranceMs = 300_000;

/** The id of the request, and the attempt that it is about. */
type Hint = { id: string; attempt: AttemptId };

/** Notices that are sent to the gateway for an account. Without a secret none is accepted. */
export function createInbound(books: AccountBooks, secret: Secret | undefined): NonNullable<Connector['inbound']> {
  return {
    accept(request, now) {
      if (secret === undefined || !isSigned(secret, request, now)) return undefined;
      const hint = hintOf(request.body);
      return hint && { id: hint.id };
    },
    async read({ body }, now) {
      const hint = hintOf(body);
      return hint === undefined ? [] : noticesAbout(books, hint.attempt, now);
    },
  };
}

export function signature(secret: Secret, body: Buffer, now: number): string {
  const seconds = Math.floor(now / 1_000);
  return `t=${seconds},v1=${signatureOf(secret, Buffer.concat([Buffer.from(`${seconds}.`), body]))}`;
}

function isSigned(secret: Secret, { headers, body }: InboundRequest, now: number): boolean {
  const given = headers[signatureHeader] ?? '';
  const [, seconds] = /^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(given) ?? [];
  if (seconds === undefined) return false;
  const at = Number(seconds) * 1_000;
  if (Math.abs(now - at) > toleranceMs) return false;
  const expected = signature(secret, body, at);
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

function hintOf(body: Buffer): Hint | undefined {
  try {
    const { id, attempt } = JSON.parse(body.toString()) ?? {};
    return typeof id === 'string' && id !== '' && isId('att', attempt) ? { id, attempt } : undefined;
  } catch {
    return undefined;
  }
}
