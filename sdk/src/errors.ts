import type {
  ApiErrorCode,
  AuthenticationErrorCode,
  CardErrorCode,
  ErrorCode,
  ErrorType,
  IdempotencyErrorCode,
  InvalidRequestErrorCode,
  PermissionErrorCode,
  RateLimitErrorCode,
} from './generated/errors.ts';

/** Every error of this package is one. */
export class TollgateError extends Error {
  override readonly name: string = 'TollgateError';
  /** Of a POST or DELETE: the key that it was sent with. A later call with the same key and parameters is still the same call. */
  idempotencyKey?: string;
}

/** No complete response has arrived. A POST or DELETE may have taken effect: call again with the `idempotencyKey` of this error. */
export class ConnectionError extends TollgateError {
  override readonly name: string = 'ConnectionError';
}

/** No complete response has arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The response is not one of Tollgate: something between, such as a proxy, has answered. */
export class UnexpectedResponseError extends TollgateError {
  override readonly name = 'UnexpectedResponseError';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, headers }: Response, start: string) {
    super(`The response with status ${status} is not one of Tollgate. It begins: ${start.slice(0, 200)}`);
    this.status = status;
    this.retryAfterSeconds = secondsOf(headers.get('Retry-After'));
  }
}

/** A webhook that must not be trusted. Answer it with status 400. */
export class WebhookVerificationError extends TollgateError {
  override readonly name = 'WebhookVerificationError';
}

/** What the gateway says about an error. */
export type ErrorDetails = {
  code: ErrorCode;
  message: string;
  type: ErrorType;
  param?: string;
  decline_code?: string;
  payment?: string;
  setup?: string;
};

/** The gateway has refused the request. The classes below tell the kinds apart. */
export class ResponseError extends TollgateError {
  override readonly name: string = 'ResponseError';
  readonly status: number;
  /** For programs. A newer gateway may have codes that this version does not know. */
  readonly code: ErrorCode;
  readonly type: ErrorType;
  /** The parameter, header or part of the path at fault, such as `card.number`. */
  readonly param: string | undefined;
  /** The id of the request. Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** The address of the page that explains the code. */
  readonly helpUrl: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, headers }: Response, details: ErrorDetails, baseUrl: string) {
    super(details.message);
    this.status = status;
    this.code = details.code;
    this.type = details.type;
    this.param = details.param;
    this.requestId = headers.get('Request-Id') ?? undefined;
    const help = /<([^>]+)>; *rel="?help/.exec(headers.get('Link') ?? '')?.[1];
    this.helpUrl = help?.startsWith('/') ? baseUrl + help : help;
    this.retryAfterSeconds = secondsOf(headers.get('Retry-After'));
  }
}

/** The parameters are not acceptable, or the object does not exist or does not allow this now: status 400 or 404. */
export class InvalidRequestError extends ResponseError {
  override readonly name = 'InvalidRequestError';
  declare readonly code: InvalidRequestErrorCode;
}

/** The idempotency key was already used for something else. */
export class IdempotencyError extends ResponseError {
  override readonly name = 'IdempotencyError';
  declare readonly code: IdempotencyErrorCode;
}

/** The API key or the signature is missing or not valid. */
export class AuthenticationError extends ResponseError {
  override readonly name = 'AuthenticationError';
  declare readonly code: AuthenticationErrorCode;
}

/** The API key does not permit this. */
export class PermissionError extends ResponseError {
  override readonly name = 'PermissionError';
  declare readonly code: PermissionErrorCode;
}

/** The card was not charged. */
export class CardError extends ResponseError {
  override readonly name = 'CardError';
  declare readonly code: CardErrorCode;
  /** The reason that the bank gives, such as `insufficient_funds`. */
  readonly declineCode: string | undefined;
  /** The id of the payment that has failed. */
  readonly payment: string | undefined;
  /** The id of the setup that has failed. */
  readonly setup: string | undefined;

  constructor(response: Response, details: ErrorDetails, baseUrl: string) {
    super(response, details, baseUrl);
    this.declineCode = details.decline_code;
    this.payment = details.payment;
    this.setup = details.setup;
  }
}

/** Too many requests, or the object is being changed by another one. */
export class RateLimitError extends ResponseError {
  override readonly name = 'RateLimitError';
  declare readonly code: RateLimitErrorCode;
}

/** A fault of the gateway. A POST or DELETE may have taken effect: call again with the `idempotencyKey` of this error. */
export class ApiError extends ResponseError {
  override readonly name = 'ApiError';
  declare readonly code: ApiErrorCode;
}

type ResponseErrorClass = new (response: Response, details: ErrorDetails, baseUrl: string) => ResponseError;

const classes: Record<ErrorType, ResponseErrorClass> = {
  invalid_request_error: InvalidRequestError,
  idempotency_error: IdempotencyError,
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  card_error: CardError,
  rate_limit_error: RateLimitError,
  api_error: ApiError,
};

/** The error that a response stands for. */
export async function errorOf(response: Response, baseUrl: string): Promise<TollgateError> {
  const text = await response.text();
  const details = detailsIn(text);
  if (details === undefined) return new UnexpectedResponseError(response, text);
  return new (classes[details.type] ?? ResponseError)(response, details, baseUrl);
}

function detailsIn(text: string): ErrorDetails | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Of `Retry-After`: seconds, or a date. */
function secondsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
