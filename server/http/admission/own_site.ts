import { timingSafeEqual } from 'node:crypto';
import { apiError } from '../errors.ts';
import { type Exchange, headerOf } from '../exchange.ts';

/**
 * Another site can make a browser send a request with its cookies. It cannot choose the `Origin`, read the token, or send JSON without
 * being asked for permission first, which is never given.
 */
export function refuseForeignSite(exchange: Exchange, publicUrl: string): void {
  const { origin, 'content-type': type } = exchange.request.headers;
  if (!ownOrigins(exchange, publicUrl).includes(origin ?? ''))
    throw apiError('csrf_invalid', { param: 'Origin', reason: 'Its Origin is not the address of this gateway' });
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type))
    throw apiError('csrf_invalid', { param: 'Content-Type', reason: 'Its body is not application/json' });
}

/** Where browsers reach this gateway; in development also by other names of this machine, as the browser spells them. */
function ownOrigins(exchange: Exchange, publicUrl: string): string[] {
  const host = headerOf(exchange, 'host');
  return [new URL(publicUrl).origin, ...(host === undefined ? [] : [`https://${host}`])];
}

export function refuseForgery(exchange: Exchange, csrfToken: string): void {
  const sent = Buffer.from(headerOf(exchange, 'x-tollgate-csrf') ?? '');
  const expected = Buffer.from(csrfToken);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw apiError('csrf_invalid', {
      param: 'X-Tollgate-CSRF',
      reason: 'X-Tollgate-CSRF is not the token of the session',
    });
}
