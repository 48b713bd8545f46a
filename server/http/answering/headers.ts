import type { Refusal } from '../../base/errors.ts';
import type { RateState } from '../admission/rate_limit.ts';
import { currentVersion } from '../admission/versions.ts';

/** Headers as Node takes them fastest: names and values in turn. */
export type FlatHeaders = string[];

const hstsSeconds = 31_536_000;

/** What every response carries, whether an operation, a page or the transport answers. */
export function commonHeaders(requestId: string, rate: RateState): FlatHeaders {
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
    'no-store',
  ];
}

/** Where the reference explains an error code. */
export function helpLink(code: string): string {
  return `</docs/errors#${code}>; rel="help"`;
}

/** The headers of a refusal: its own, and where to read about it. One `Link` field holds both links when there are two. */
export function refusalHeaders(refused: Refusal): FlatHeaders {
  const { Link: link, ...others } = refused.headers;
  const headers = Object.entries(others).flat();
  headers.push('Link', link === undefined ? helpLink(refused.code) : `${link}, ${helpLink(refused.code)}`);
  return headers;
}
