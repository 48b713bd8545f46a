import { FakeRefusal } from '../refusal.ts';

/** The members of Stripe's error object that the fake uses. */
export type FakeErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  code?: string;
  decline_code?: string;
  message: string;
  param?: string;
  charge?: string;
  payment_intent?: object;
  payment_method?: object;
  setup_intent?: object;
};

/** An answer that is not 200. */
export class FakeStripeError extends FakeRefusal {
  /** Stripe stores an answer under its idempotency key only when the endpoint has begun to execute, not when it refused the parameters. */
  readonly isStored: boolean;

  constructor(status: number, error: FakeErrorBody, isStored = false) {
    super(status, { error }, error.message);
    this.isStored = isStored;
  }
}

/** The request itself is wrong: nothing has begun. */
export function invalid(message: string, rest: Partial<FakeErrorBody> = {}): FakeStripeError {
  return new FakeStripeError(400, { type: 'invalid_request_error', message, ...rest });
}

/** The object is not in the state that the request needs. */
export function unfit(message: string, rest: Partial<FakeErrorBody> = {}): FakeStripeError {
  return new FakeStripeError(400, { type: 'invalid_request_error', message, ...rest }, true);
}

export function cardError(error: Omit<FakeErrorBody, 'type'>): FakeStripeError {
  return new FakeStripeError(402, { type: 'card_error', ...error }, true);
}

/** `param` is missing when the id stood in the path. */
export function noSuch(object: string, id: string, param?: string): FakeStripeError {
  const message = `No such ${object}: '${id}'`;
  const error = { type: 'invalid_request_error' as const, code: 'resource_missing', message };
  return new FakeStripeError(param === undefined ? 404 : 400, { ...error, param: param ?? 'id' });
}
