import {
  apiErrorsOf,
  type ErrorRows,
  fault,
  forbidden,
  invalid,
  missing,
  slowDown,
  unauthenticated,
} from '../base/errors.ts';
import { sharedErrors } from '../operations/errors.ts';

/** Refusals before an operation runs, and faults of the server. */
export const httpErrors = {
  body_invalid: invalid(
    '{reason}',
    'Send one JSON object in UTF-8, or a form. Duplicate keys, integers that a double cannot hold exactly, NUL characters and unpaired surrogates are refused, because each of them would be changed silently. Fractions are read as doubles, as everywhere in JSON.',
  ),
  body_too_large: invalid(
    'The request body is larger than {limit} bytes.',
    'No operation needs a body of more than 256 KiB.',
  ),
  content_type_unsupported: invalid(
    'A request body must be application/json or application/x-www-form-urlencoded, in UTF-8. Set the Content-Type header.',
    'The header is missing, or names another type or another character set.',
  ),
  content_encoding_unsupported: invalid(
    'The request body must be sent without a Content-Encoding.',
    'Compressed bodies are not accepted.',
  ),
  https_required: invalid(
    'This address serves HTTPS only. The request was not processed. Send it again to https://.',
    'The request was sent unencrypted. If it contained an API key, roll that key: it has crossed the network unprotected. Behind a TLS-terminating proxy, check `TRUSTED_PROXIES` and that the proxy sends `X-Forwarded-Proto: https`.',
  ),
  header_repeated: invalid(
    'The header {param} was sent more than once.',
    'Host, Authorization, Idempotency-Key, Content-Length, Content-Type and the version and signature headers must be unambiguous. Send each at most once.',
  ),
  request_malformed: invalid(
    'The request is not valid HTTP/1.1: {reason}.',
    'The bytes on the connection could not be read as one well-formed request. Use an ordinary HTTP client. A proxy in between may have altered the request.',
  ),
  headers_too_large: invalid(
    'The request line and headers are larger than 16 KiB together.',
    'Send fewer or smaller headers, and long parameters in the body.',
  ),
  request_timeout: invalid(
    'The request did not arrive in time: headers must be complete within 5 seconds, the whole request within 15.',
    'The request was not processed. Send it again without pauses.',
  ),
  version_conflict: invalid(
    'The request selects version {first} and, by {param}, version {second}. Select one.',
    'The version can be selected by the path, the Accept header or X-Service-Version. When several are sent they must agree.',
  ),
  version_unknown: invalid('{reason}', 'Use the path prefix `/v1`, or `version=1` in the header.'),
  version_retired: invalid(
    'Version {version} of this API was retired on {date}. Use version 1.',
    'The Deprecation, Sunset and Link headers of the answer give the dates and a link to the documentation.',
  ),
  idempotency_key_invalid: invalid(
    'An Idempotency-Key has 1 to 255 printable ASCII characters.',
    'A UUID version 4 is a good key.',
  ),
  idempotency_key_reused: {
    status: 400,
    type: 'idempotency_error',
    message:
      'This Idempotency-Key was already used for a different request{difference}. Use a new key for a new intent.',
    help: 'A key identifies one intent: the same operation with the same parameters. It was first used within the last 24 hours for a different one. This request had no effect.',
  },
  api_key_missing: unauthenticated(
    'No API key was sent. Send the header: Authorization: Bearer sk_test_tg_…',
    'Every request needs a key. Create one with `tollgate keys create`.',
  ),
  api_key_invalid: unauthenticated(
    'This API key does not exist. Check that it was copied completely.',
    'The key is mistyped, incomplete, or from another installation.',
  ),
  api_key_expired: unauthenticated('This API key expired at {at}.', 'Create a new one with `tollgate keys create`.'),
  api_key_revoked: unauthenticated(
    'This API key was revoked at {at}.',
    'Use the key that replaced it, or create a new one with `tollgate keys create`.',
  ),
  session_invalid: unauthenticated(
    'You are not signed in. Sign in again.',
    'A session ends when its owner signs out, after 12 hours without use, and after 7 days. A changed password ends the others.',
  ),
  signature_missing: unauthenticated(
    'This API key requires signed requests. Send X-Service-Timestamp and X-Service-Signature.',
    'The key was created with `--require-signature`, which requires the form with a timestamp.',
  ),
  signature_invalid: unauthenticated(
    'The request signature does not match. {reason}',
    'A signature that is present is always checked. It is HMAC-SHA256 in hexadecimal, keyed with the API key itself: over the raw body, or, with X-Service-Timestamp, over five lines joined by newlines: the timestamp, the method, the request target as sent, the Idempotency-Key or nothing, and the hexadecimal SHA-256 of the raw body.',
  ),
  signature_expired: unauthenticated(
    'X-Service-Timestamp differs by more than 300 seconds from the time of the server, which is {now}.',
    'Sign each request when you send it, and keep the clock of your server synchronized.',
  ),
  signature_replayed: unauthenticated(
    'This signed request was accepted before. Sign it again, or send an Idempotency-Key to repeat it safely.',
    'A signed POST or DELETE without an Idempotency-Key is accepted once, whatever it was answered and even if it changed nothing. Only a request that was refused before it began to execute (401, 403, 429, invalid parameters) can be sent again as it is.',
  ),
  csrf_invalid: forbidden(
    'This request could come from another site. {reason}.',
    'A request with the cookie of a session needs, for POST and DELETE, the Origin of this gateway, the header X-Tollgate-CSRF with the `csrf_token` of the session, and a JSON body. Programs use an API key instead.',
  ),
  ip_not_allowed: forbidden(
    'This API key cannot be used from {address}.',
    'The key is restricted to a list of addresses, and the request came from a different one.',
  ),
  account_suspended: forbidden(
    'This account is suspended.',
    'The operator of this installation has suspended the account; its data is kept.',
  ),
  url_unrecognized: missing(
    'There is no {method} {path} in this API.',
    'Check the path and the method. When the path exists with other methods, the Allow header lists them.',
  ),
  rate_limited: slowDown(
    'Too many requests: the limit is {limit} per minute. Try again in {seconds} s.',
    'Wait as many seconds as Retry-After says. The X-RateLimit headers of every answer show the limit, the requests left, and when the window resets.',
  ),
  too_many_exports: slowDown(
    '{limit} {what} are already open, which is the limit. Try again when one has ended.',
    'An export lasts until its client has read it, and `GET /v1/changes` until its client leaves. Read the running exports to their end, or close connections that nobody needs.',
  ),
  internal_error: fault(
    'Something went wrong on our side. Quote the Request-Id {requestId} when you report it.',
    'This is a defect. The log of the server has the details under the Request-Id.',
  ),
  unavailable: fault(
    'The service cannot answer at this moment. Try again, with the same Idempotency-Key if you used one.',
    'The database, or a processor that had to be asked first, could not be reached, or its answer was lost. A requested change may or may not have been made: a retry with the same Idempotency-Key returns its outcome and never makes it twice.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf({ ...sharedErrors, ...httpErrors });
