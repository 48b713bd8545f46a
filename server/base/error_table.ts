/**
 * Every refusal the API can give, once. The answer, the reference in docs/errors.md and the address in the `Link` header all
 * come from here. `message` is what the caller reads, with `{blanks}` filled in; `help` is what the reference adds.
 */

type Row = {
  status: 400 | 401 | 402 | 403 | 404 | 429 | 500;
  type: ErrorType;
  message: string;
  help: string;
};

export type ErrorType =
  | 'invalid_request_error'
  | 'idempotency_error'
  | 'authentication_error'
  | 'permission_error'
  | 'card_error'
  | 'rate_limit_error'
  | 'api_error';

const invalid = { status: 400, type: 'invalid_request_error' } as const;
const missing = { status: 404, type: 'invalid_request_error' } as const;
const unauthenticated = { status: 401, type: 'authentication_error' } as const;
const forbidden = { status: 403, type: 'permission_error' } as const;
const declined = { status: 402, type: 'card_error' } as const;
const slowDown = { status: 429, type: 'rate_limit_error' } as const;
const fault = { status: 500, type: 'api_error' } as const;

export const errorTable = {
  // Parameters
  parameter_missing: {
    ...invalid,
    message: 'The parameter {param} is required.',
    help: 'Send the named parameter. A JSON `null` or an empty value counts as not sent.',
  },
  parameter_unknown: {
    ...invalid,
    message: 'Unknown parameter {param}.{hint}',
    help: 'Parameters that an operation does not have are refused rather than ignored, so that a typing error is never silent. Remove it, or use the name that the message suggests.',
  },
  parameter_invalid: {
    ...invalid,
    message: 'The parameter {param} is invalid: {reason}.',
    help: 'The message says what the parameter must look like. In JSON nothing is converted: send `2000`, not `"2000"`. In a form, values are converted to the type that the parameter has.',
  },
  parameters_exclusive: {
    ...invalid,
    message: 'Send either {param} or {other}, not both.',
    help: 'The two parameters exclude each other.',
  },
  metadata_too_many_keys: {
    ...invalid,
    message: 'metadata would have {count} keys; an object can have up to 50.',
    help: 'The limit counts the keys that the object has after your change is merged in. Remove a key by sending it as `null` or an empty string.',
  },
  metadata_key_too_long: {
    ...invalid,
    message: 'A metadata key is {length} characters long; a key can have up to 40.',
    help: 'Shorten the key.',
  },
  metadata_value_too_long: {
    ...invalid,
    message: 'The value of {param} is {length} characters long; a value can have up to 500.',
    help: 'Shorten the value, or keep the text in your own database and store its id here.',
  },
  metadata_value_invalid: {
    ...invalid,
    message: 'The value of {param} must be a string, a number or a boolean.',
    help: 'Metadata values cannot be objects or lists. Store JSON as a string if you need structure.',
  },

  // Cards and money
  invalid_number: {
    ...invalid,
    message: 'The card number is not valid. Check it for a typing error.',
    help: 'A card number has 12 to 19 digits, of which the last confirms the others. Spaces and dashes are ignored.',
  },
  invalid_expiry_month: {
    ...invalid,
    message: 'The expiry month must be from 1 to 12, and the card must not have expired before {now}.',
    help: 'The month is outside of 1 to 12, or has passed in the year that was sent.',
  },
  invalid_expiry_year: {
    ...invalid,
    message: 'The expiry year must be four digits, from {now} to {max}.',
    help: 'The year has passed, has too few digits, or is so far ahead that it can only be a typing error.',
  },
  invalid_cvc: {
    ...invalid,
    message: 'The security code must have {digits} digits.',
    help: 'American Express prints four digits on the front, all others three on the back. Leave `card.cvc` out when there is none.',
  },
  amount_too_small: {
    ...invalid,
    message: 'The amount must be at least 1, in the smallest unit of the currency.',
    help: 'Amounts are positive integers: 2000 is 20.00 in a currency with cents, and 2000 in one without.',
  },
  amount_too_large: {
    ...invalid,
    message: 'The amount must be at most 999999999999, in the smallest unit of the currency.',
    help: 'Check the unit: amounts are sent in cents.',
  },
  currency_unknown: {
    ...invalid,
    message: 'The currency must be the three-letter code of a currency in use, such as usd, eur or jpy.',
    help: 'Any active ISO 4217 code is accepted, in either case. Codes for funds, metals and tests are not.',
  },
  payment_method_not_usable: {
    ...invalid,
    message: 'This payment method cannot be used: {reason}.',
    help: 'A detached method can no longer be charged or attached: its number is destroyed. Make a new one from the card.',
  },
  customer_mismatch: {
    ...invalid,
    message: 'The payment method belongs to another customer. Send that customer, or none.',
    help: 'A method that is attached to a customer can be charged for this customer, or without naming any.',
  },
  payment_not_capturable: {
    ...invalid,
    message: 'This payment cannot be captured: its status is {status}, and only requires_capture can be.',
    help: 'Only a payment made with `capture_method: manual` waits for a capture, and it can be captured once.',
  },
  payment_not_cancelable: {
    ...invalid,
    message: 'This payment cannot be canceled: its status is {status}. requires_action and requires_capture can be.',
    help: 'A payment that succeeded is refunded, not canceled. One that is processing settles by itself first.',
  },
  capture_exceeds_authorized: {
    ...invalid,
    message: 'The amount to capture is larger than the authorized amount, which is {authorized}.',
    help: 'Capture the authorized amount or less; what is left is released.',
  },
  payment_not_refundable: {
    ...invalid,
    message: 'This payment cannot be refunded: its status is {status}, and only one that succeeded can be.',
    help: 'A payment that has not succeeded took no money. Cancel one that waits for its capture or its cardholder.',
  },
  refund_exceeds_payment: {
    ...invalid,
    message: 'The refund is larger than what is left of the payment, which is {left}.',
    help: 'What is left is the amount received less all refunds that are pending or succeeded. A refund that fails is left again.',
  },
  payment_disputed: {
    ...invalid,
    message: 'This payment cannot be refunded: the status of its dispute {dispute} is {status}.',
    help: 'While a dispute is open the cardholder has the money back, and keeps it when the dispute is lost: a refund would give it twice. Once the dispute is won, the payment can be refunded again.',
  },
  dispute_closed: {
    ...invalid,
    message: 'This dispute is closed: it was {outcome}.',
    help: 'A dispute that was won or lost stays so. Nothing can be brought forward in it any more, and it cannot be given up.',
  },
  evidence_past_due: {
    ...invalid,
    message: 'Evidence was taken until {due_by}; that has passed.',
    help: 'Send evidence before the moment in `evidence_details.due_by`. What was submitted by then is judged; without any, the dispute is lost.',
  },
  return_url_invalid: {
    ...invalid,
    message: 'return_url must be an https address{exception}, without user name or password.',
    help: 'The cardholder is sent there after an authentication, with `payment=<id>` added to the query.',
  },

  // Webhooks
  endpoint_url_not_allowed: {
    ...invalid,
    message: 'Webhooks cannot be sent to this URL: {reason}.',
    help: 'An endpoint needs an address that this server may send to: https in live mode, without user name or password, and not inside a private network unless the operator of this installation has allowed that range.',
  },
  endpoint_exists: {
    ...invalid,
    message: 'The webhook endpoint {endpoint} has the same URL and the same events. Use that one, or update it.',
    help: 'A second one would receive every event twice. Use the endpoint that the message names; an update can enable it, or subscribe it to other events.',
  },
  endpoint_limit_reached: {
    ...invalid,
    message: 'An account can have {max} webhook endpoints in each mode. Delete one, or use one for more events.',
    help: 'Disabled endpoints count too. One endpoint can be subscribed to everything, and the program behind it can pass on each event to where it belongs.',
  },
  endpoint_disabled: {
    ...invalid,
    message: 'The webhook endpoint {endpoint} is disabled. Enable it first: set its status to enabled.',
    help: 'Nothing is sent to a disabled endpoint. It was disabled by an update, by its own answer 410, or after five days of nothing but failure. Once it is enabled, `recover` sends what it missed.',
  },

  // What a processor or a bank refused. The payment is stored as failed; its id is in `payment`.
  card_declined: {
    ...declined,
    message: 'The card was declined. {reason}',
    help: '`decline_code` says why, as far as the bank told: `generic_decline`, `insufficient_funds`, `lost_card`, `stolen_card`, `card_velocity_exceeded`, `authentication_failed`. Ask the customer for another card, or to call their bank.',
  },
  expired_card: {
    ...declined,
    message: 'The card has expired.',
    help: 'Ask the customer for a card that is still valid, or update the expiry of this one.',
  },
  incorrect_cvc: {
    ...declined,
    message: 'The security code is not the one of this card.',
    help: 'Ask the customer to type it again, and make a new payment method.',
  },
  processing_error: {
    ...declined,
    message: 'The payment could not be processed. {reason}',
    help: 'The processor, or the way to it, failed. This request took no money. Try again, with a new Idempotency-Key.',
  },

  // The request itself
  body_invalid: {
    ...invalid,
    message: '{reason}',
    help: 'Send one JSON object in UTF-8, or a form. Duplicate keys, numbers that cannot be represented exactly, NUL characters and unpaired surrogates are refused, because each of them would be changed silently.',
  },
  body_too_large: {
    ...invalid,
    message: 'The request body is larger than {limit} bytes.',
    help: 'No operation needs a body of more than 256 KiB.',
  },
  content_type_unsupported: {
    ...invalid,
    message:
      'A request body must be application/json or application/x-www-form-urlencoded, in UTF-8. Set the Content-Type header.',
    help: 'The header is missing, or names another type or another character set.',
  },
  content_encoding_unsupported: {
    ...invalid,
    message: 'The request body must be sent without a Content-Encoding.',
    help: 'Compressed bodies are not accepted.',
  },
  https_required: {
    ...invalid,
    message: 'This address speaks HTTPS only. The request was not processed; send it again to https://.',
    help: 'The request came in clear. If it held an API key, roll that key: it has crossed the network unprotected. Behind a TLS-terminating proxy, check `TRUSTED_PROXIES` and that the proxy sends `X-Forwarded-Proto: https`.',
  },
  header_repeated: {
    ...invalid,
    message: 'The header {param} was sent more than once.',
    help: 'Host, Authorization, Idempotency-Key, Content-Length, Content-Type and the version and signature headers must be unambiguous. Send each at most once.',
  },
  request_malformed: {
    ...invalid,
    message: 'The request is not valid HTTP/1.1: {reason}.',
    help: 'The bytes on the connection could not be read as one well-formed request. Use an ordinary HTTP client; a proxy between may have altered the request.',
  },
  headers_too_large: {
    ...invalid,
    message: 'The request line and headers are larger than 16 KiB together.',
    help: 'Send fewer or smaller headers, and long parameters in the body.',
  },
  request_timeout: {
    ...invalid,
    message:
      'The request did not arrive in time: headers must be complete within 5 seconds, the whole request within 15.',
    help: 'The request was not processed. Send it again, in one go.',
  },
  version_conflict: {
    ...invalid,
    message: 'The request selects version {first} and, by {param}, version {second}. Select one.',
    help: 'The version can be selected by the path, the Accept header or X-Service-Version. When several are sent they must agree.',
  },
  version_unknown: {
    ...invalid,
    message: 'There is no version {version} of this API. The current version is 1.',
    help: 'Use the path prefix `/v1`, or `version=1` in the header.',
  },
  version_retired: {
    ...invalid,
    message: 'Version {version} of this API was retired on {date}. Use version 1.',
    help: 'The headers Deprecation, Sunset and Link of the answer say since when, and where to read more.',
  },
  idempotency_key_invalid: {
    ...invalid,
    message:
      'An Idempotency-Key has 1 to 255 printable ASCII characters, and holds neither an API key nor a card number.',
    help: 'A UUID version 4 is a good key.',
  },
  idempotency_key_reused: {
    status: 400,
    type: 'idempotency_error',
    message:
      'This Idempotency-Key was already used for a different request{difference}. Use a new key for a new intent.',
    help: 'A key stands for one intent: the same operation with the same parameters. It was first used within the last 24 hours with others; nothing was done now.',
  },

  // Who is asking
  api_key_missing: {
    ...unauthenticated,
    message: 'No API key was sent. Send the header: Authorization: Bearer sk_test_tg_…',
    help: 'Every request needs a key. `tollgate keys create` makes one.',
  },
  api_key_invalid: {
    ...unauthenticated,
    message: 'This API key is not one of ours. Check that it was copied whole.',
    help: 'The key is mistyped, cut short, or of another installation.',
  },
  api_key_expired: {
    ...unauthenticated,
    message: 'This API key expired at {at}.',
    help: 'Make a new one with `tollgate keys create`.',
  },
  api_key_revoked: {
    ...unauthenticated,
    message: 'This API key was revoked at {at}.',
    help: 'Use the key that replaced it, or make a new one with `tollgate keys create`.',
  },
  signature_missing: {
    ...unauthenticated,
    message: 'This API key takes only signed requests. Send X-Service-Timestamp and X-Service-Signature.',
    help: 'The key was made with `--require-signature`, which asks for the form with a timestamp.',
  },
  signature_invalid: {
    ...unauthenticated,
    message: 'The request signature does not match. {reason}',
    help: 'A signature that is present is always checked. It is HMAC-SHA256 in hexadecimal, keyed with the API key itself: over the raw body, or, with X-Service-Timestamp, over five lines joined by newlines: the timestamp, the method, the request target as sent, the Idempotency-Key or nothing, and the hexadecimal SHA-256 of the raw body.',
  },
  signature_expired: {
    ...unauthenticated,
    message: 'X-Service-Timestamp is more than 300 seconds from the time here, which is {now}.',
    help: 'Sign each request when you send it, and keep the clock of your server set.',
  },
  signature_replayed: {
    ...unauthenticated,
    message: 'This signed request was accepted before. Sign it again, or send an Idempotency-Key to repeat it safely.',
    help: 'A signed POST or DELETE without an Idempotency-Key is accepted once.',
  },
  scope_missing: {
    ...forbidden,
    message: 'This API key does not have the scope {scope}, which this operation needs.',
    help: 'Use another key, or make a restricted key that has the scope.',
  },
  ip_not_allowed: {
    ...forbidden,
    message: 'This API key cannot be used from {address}.',
    help: 'The key is limited to a list of addresses, and the request came from another.',
  },
  account_suspended: {
    ...forbidden,
    message: 'This account is suspended.',
    help: 'The operator of this installation has suspended the account; its data is kept.',
  },

  // What is asked for
  resource_missing: {
    ...missing,
    message: 'No such {resource}.',
    help: 'There is no object with this id in this account and mode: it was never made, was deleted, or belongs to the other mode (test or live).',
  },
  url_unrecognized: {
    ...missing,
    message: 'There is no {method} {path} in this API.',
    help: 'Check the path and the method. When the path exists with other methods, the Allow header lists them.',
  },

  // Too much at once
  rate_limited: {
    ...slowDown,
    message: 'Too many requests: the limit is {limit} per minute. Try again in {seconds} s.',
    help: 'Wait for the seconds in Retry-After. The X-RateLimit headers of every answer show the limit, what is left, and when the window resets.',
  },
  idempotency_key_in_use: {
    ...slowDown,
    message: 'The first request with this Idempotency-Key is still running. Try again in a second.',
    help: 'Nothing was done by this request. Send it again with the same key: you will get the answer of the first.',
  },
  lock_timeout: {
    ...slowDown,
    message: 'Other requests were changing the same object at this moment. Nothing was done; try again.',
    help: 'Send the request again, with the same Idempotency-Key if you used one.',
  },
  too_many_exports: {
    ...slowDown,
    message: 'Already {limit} exports of this account are under way, which is the most. Try again when one has ended.',
    help: 'An export lasts for as long as its client takes to read it. Read those that you have begun, or hang up.',
  },

  // Our side
  internal_error: {
    ...fault,
    message: 'Something went wrong on our side. Quote the Request-Id {requestId} when you report it.',
    help: 'This is a defect. It is in the log of the server under the Request-Id.',
  },
  unavailable: {
    ...fault,
    message: 'The service cannot answer at this moment. Try again, with the same Idempotency-Key if you used one.',
    help: 'The database could not be reached, or its answer was lost. When a change was asked for, it may or may not have been made: a retry with the same Idempotency-Key finds out, without doing it twice.',
  },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof errorTable;
export type MessageOf<Code extends ErrorCode> = (typeof errorTable)[Code]['message'];
