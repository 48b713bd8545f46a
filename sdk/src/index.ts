export { Tollgate } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  CardError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ResponseError,
  TimeoutError,
  TollgateError,
  UnexpectedResponseError,
  WebhookVerificationError,
} from './errors.ts';
export type { Expanded } from './expanding.ts';
export type * from './generated/index.ts';
export type { Listing, Page } from './listing.ts';
export type { Fetch, OnRetry, RequestOptions, Retry, SessionOptions, TollgateOptions } from './options.ts';
export * as webhooks from './webhooks.ts';
