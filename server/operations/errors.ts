import { apiErrorsOf, type ErrorRows, forbidden, invalid, missing, slowDown } from '../base/errors.ts';

/** Refusals that any resource may give. */
export const sharedErrors = {
  parameter_missing: invalid(
    'The parameter {param} is required.',
    'Send the named parameter. A JSON `null` or an empty value counts as not sent.',
  ),
  parameter_unknown: invalid(
    'Unknown parameter {param}.{hint}',
    'Parameters that an operation does not have are refused rather than ignored, so that a typing error is never silent. Remove it, or use the name that the message suggests.',
  ),
  parameter_invalid: invalid(
    'The parameter {param} is invalid: {reason}.',
    'The message says what the parameter must look like. In JSON nothing is converted: send `2000`, not `"2000"`. In a form, values are converted to the type that the parameter has.',
  ),
  parameters_exclusive: invalid('Send either {param} or {other}, not both.', 'The two parameters exclude each other.'),
  metadata_too_many_keys: invalid(
    'metadata would have {count} keys; an object can have up to 50.',
    'The limit counts the keys that the object has after your change is merged in. Remove a key by sending it as `null` or an empty string.',
  ),
  metadata_key_too_long: invalid(
    'A metadata key is {length} characters long; a key can have up to 40.',
    'Shorten the key.',
  ),
  metadata_value_too_long: invalid(
    'The value of {param} is {length} characters long; a value can have up to 500.',
    'Shorten the value, or keep the text in your own database and store its id here.',
  ),
  metadata_value_invalid: invalid(
    'The value of {param} must be a string, a number or a boolean.',
    'Metadata values cannot be objects or lists. Store JSON as a string if you need structure.',
  ),
  external_id_in_use: invalid(
    'The {resource} {id} has this external_id already.',
    'An external_id belongs to one object of a kind, in an account and mode: the message names the one that has it. Update that one instead, or remove its external_id first, with an empty string. A deleted customer gives its external_id up.',
  ),
  amount_too_small: invalid(
    'The amount must be at least 1, in the smallest unit of the currency.',
    'Amounts are positive integers: 2000 is 20.00 in a currency with cents, and 2000 in one without.',
  ),
  amount_too_large: invalid(
    'The amount must be at most 999999999999, in the smallest unit of the currency.',
    'Amounts are in the smallest unit of the currency: cents, or whole yen.',
  ),
  currency_unknown: invalid(
    'The currency must be the three-letter code of a currency in use, such as usd, eur or jpy.',
    'Any active ISO 4217 code is accepted, in either case. Codes for funds, metals and tests are not.',
  ),
  scope_missing: forbidden(
    'This API key does not have the scope {scope}, which this operation needs.',
    'Use another key, or create a restricted key that has the scope.',
  ),
  resource_missing: missing(
    'No such {resource}.',
    'There is no object with this id in this account and mode: it was never created, was deleted, or belongs to the other mode (test or live). Of an object of your own in the other mode the message says so: use the key of that mode.',
  ),
  test_mode_only: invalid(
    '{what} exist in test mode only.',
    'Use a test key, or switch the dashboard to test mode. Live customers live in real time, and live events go to receivers of your own.',
  ),
  role_missing: forbidden(
    '{reason}',
    'Where live payments go decides who gets the money, so a stolen API key must not change it: the operator or an owner does it. What people may do follows from their role in the account, which an owner can change. Owners can also require an authenticator of everybody in the account: set one up under My profile, or with `POST /v1/me/totp`.',
  ),
  portal_not_allowed: forbidden(
    '{reason}',
    'Customers in the portal can do what the portal settings of the account allow, while the account is active. The page offers nothing else; this refuses a form that was sent by hand, or from a page of before a change.',
  ),
  idempotency_key_in_use: slowDown(
    'The first request with this Idempotency-Key is still running. Try again in a second.',
    'This request had no effect. Send it again with the same key to get the answer of the first.',
  ),
  lock_timeout: slowDown(
    'Other requests were changing the same object at this moment. Nothing was done; try again.',
    'Send the request again, with the same Idempotency-Key if you used one.',
  ),
} as const satisfies ErrorRows;

export const apiError = apiErrorsOf(sharedErrors);
