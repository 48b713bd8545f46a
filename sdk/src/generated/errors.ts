// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type InvalidRequestErrorCode =
  | 'parameter_missing'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'parameters_exclusive'
  | 'metadata_too_many_keys'
  | 'metadata_key_too_long'
  | 'metadata_value_too_long'
  | 'metadata_value_invalid'
  | 'external_id_in_use'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'currency_unknown'
  | 'resource_missing'
  | 'test_mode_only'
  | 'last_owner'
  | 'mail_not_set_up'
  | 'email_verified'
  | 'invitation_invalid'
  | 'email_not_verified'
  | 'processor_account_in_use'
  | 'clock_not_ready'
  | 'invalid_number'
  | 'invalid_expiry_month'
  | 'invalid_expiry_year'
  | 'invalid_cvc'
  | 'payment_method_not_usable'
  | 'customer_mismatch'
  | 'payment_method_limit_reached'
  | 'invoice_item_not_deletable'
  | 'setup_not_cancelable'
  | 'payment_not_capturable'
  | 'payment_not_cancelable'
  | 'capture_exceeds_authorized'
  | 'payment_not_received'
  | 'return_url_invalid'
  | 'payment_not_refundable'
  | 'refund_exceeds_payment'
  | 'payment_disputed'
  | 'dispute_closed'
  | 'evidence_past_due'
  | 'invoice_not_updatable'
  | 'invoice_not_payable'
  | 'invoice_not_finalized'
  | 'subscription_not_updatable'
  | 'coupon_not_usable'
  | 'checkout_session_not_open'
  | 'notice_signature_invalid'
  | 'endpoint_url_not_allowed'
  | 'endpoint_exists'
  | 'endpoint_limit_reached'
  | 'endpoint_disabled'
  | 'mail_erased'
  | 'body_invalid'
  | 'body_too_large'
  | 'content_type_unsupported'
  | 'content_encoding_unsupported'
  | 'https_required'
  | 'header_repeated'
  | 'request_malformed'
  | 'headers_too_large'
  | 'request_timeout'
  | 'version_conflict'
  | 'version_unknown'
  | 'version_retired'
  | 'idempotency_key_invalid'
  | 'url_unrecognized';

export type PermissionErrorCode =
  | 'scope_missing'
  | 'role_missing'
  | 'portal_not_allowed'
  | 'csrf_invalid'
  | 'ip_not_allowed'
  | 'account_suspended';

export type RateLimitErrorCode =
  | 'idempotency_key_in_use'
  | 'lock_timeout'
  | 'sign_in_locked'
  | 'sign_in_busy'
  | 'mail_limit'
  | 'rate_limited'
  | 'too_many_exports';

export type AuthenticationErrorCode =
  | 'sign_in_failed'
  | 'code_required'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'session_invalid'
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_expired'
  | 'signature_replayed';

export type CardErrorCode = 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';

export type IdempotencyErrorCode = 'idempotency_key_reused';

export type ApiErrorCode = 'internal_error' | 'unavailable';

/** The code of an error, for programs. `/docs/errors` of the gateway explains each. */
export type ErrorCode =
  | InvalidRequestErrorCode
  | PermissionErrorCode
  | RateLimitErrorCode
  | AuthenticationErrorCode
  | CardErrorCode
  | IdempotencyErrorCode
  | ApiErrorCode;

/** The kind of an error. */
export type ErrorType =
  | 'invalid_request_error'
  | 'permission_error'
  | 'rate_limit_error'
  | 'authentication_error'
  | 'card_error'
  | 'idempotency_error'
  | 'api_error';
