import type { Refusal } from '../../base/errors.ts';
import type { RateState } from '../admission/rate_limit.ts';
import { currentVersion } from '../admission/versions.ts';
import { refusal } from '../errors.ts';
import type { Exchange } from '../exchange.ts';

/** Headers as Node takes them fastest: names and values in turn. */
export type FlatHeaders = string[];

const hstsSeconds = 31_536_000;

/** What every response carries, whoever makes it: an operation, a page, or the parser that could not read the request. */
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

/** What is thrown becomes a row of the error table; anything that is not one is a defect of ours. */
export function internalError(exchange: Exchange): Refusal {
  return refusal('internal_error', { requestId: exchange.requestId });
}

export function unavailable(): Refusal {
  return refusal('unavailable', { headers: { 'Retry-After': '1' } });
}

/** For the log: with the causes, without values that a database error may quote (`detail` holds row contents). */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${describeError(error.cause)})`;
  return `${error.stack ?? error.message}${cause}`;
}

/** What the framework refuses on its own, in our words. */
export function frameworkRefusal(
  error: { code?: string },
  { bodyBytesMax }: { bodyBytesMax: number },
): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusal('body_too_large', { limit: bodyBytesMax });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return refusal('content_type_unsupported', { param: 'Content-Type' });
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refusal('request_malformed', {
        param: 'Content-Length',
        reason: 'the body is not as long as Content-Length says',
      });
    default:
      return undefined;
  }
}
