import { type SessionOptions, Tollgate } from '@tollgate/node';
import { watchedFetch } from './reach.ts';

/** A client of this gateway, for somebody who has signed in or for a visitor. */
export function clientOf(session: SessionOptions, options: { maxRetries?: number } = {}): Tollgate {
  return new Tollgate({ baseUrl: location.origin, session, fetch: watchedFetch, ...options });
}
