import type { ApiError } from '../../base/errors.ts';
import type { RateState } from '../admission/rate_limit.ts';
import { currentVersion } from '../admission/versions.ts';

/** Names and values in turn: the form of headers that Node writes fastest. */
export type FlatHeaders = string[];

const hstsSeconds = 31_536_000;

/** The headers of every response, whether an operation, a page or the transport answers. */
export function commonHeaders(requestId: string, rate: RateState, cacheControl = 'no-store'): FlatHeaders {
  return [
    'Request-Id',
    requestId,
    'X-RateLimit-Limit',
    String(rate.limit),
    'X-RateLimit-Remaining',
    String(rate.remaining),
    'X-RateLimit-Reset',
    String(rate.reset),
    'RateLimit-Policy',
    `"${rate.policy}";q=${rate.limit};w=60`,
    'RateLimit',
    `"${rate.policy}";r=${rate.remaining};t=${rate.secondsLeft}`,
    'X-Service-Version',
    String(currentVersion),
    'Strict-Transport-Security',
    `max-age=${hstsSeconds}`,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    cacheControl,
  ];
}

/** A link to the explanation of an error code. */
export function helpLink(code: string): string {
  return `</docs/errors#${code}>; rel="help"`;
}

/**
 * The headers of a refusal: its own, a `Link` to its help, and for every 401 how to authenticate (RFC 9110, 11.6.1). If it has a `Link` of
 * its own, one field holds both.
 */
export function refusalHeaders(refused: ApiError): FlatHeaders {
  const { Link: link, ...others } = refused.headers;
  const headers = Object.entries(others).flat();
  if (refused.status === 401) headers.push('WWW-Authenticate', 'Bearer');
  headers.push('Link', link === undefined ? helpLink(refused.code) : `${link}, ${helpLink(refused.code)}`);
  return headers;
}
