type ErrorType =
  | 'invalid_request_error'
  | 'idempotency_error'
  | 'authentication_error'
  | 'permission_error'
  | 'card_error'
  | 'rate_limit_error'
  | 'api_error';

/** One refusal. The caller reads `message`, with its `{blanks}` filled in; `help` is for the reference. */
type ErrorRow = {
  status: 400 | 401 | 402 | 403 | 404 | 429 | 500;
  type: ErrorType;
  message: string;
  help: string;
};

/** The refusals of one folder, by their code. Each folder declares its own; the composition collects them. */
export type ErrorRows = Readonly<Record<string, ErrorRow>>;

/** Makes rows of one status and type. */
function rowsOf<Status extends ErrorRow['status'], Type extends ErrorType>(status: Status, type: Type) {
  return <const Message extends string>(message: Message, help: string) => ({ status, type, message, help });
}

export const invalid = rowsOf(400, 'invalid_request_error');
export const missing = rowsOf(404, 'invalid_request_error');
export const unauthenticated = rowsOf(401, 'authentication_error');
export const forbidden = rowsOf(403, 'permission_error');
export const declined = rowsOf(402, 'card_error');
export const slowDown = rowsOf(429, 'rate_limit_error');
export const fault = rowsOf(500, 'api_error');

/** The `{names}` in a message template, so that the compiler asks for each of them. */
type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type ApiErrorExtras = {
  param?: string | undefined;
  /** Further headers of the answer, such as `Retry-After` or `Allow`. */
  headers?: Record<string, string>;
  /** The further fields of a 402: the bank's reason, and the payment or setup that failed. */
  decline?: Decline | undefined;
  missing?: MissingObject | undefined;
};

/** What a refusal has not found, and how to look for it in the rows of another tenant. */
export type MissingObject = {
  noun: string;
  /** What a key needs to read it. */
  scope: string;
  isIn(tenant: number): Promise<boolean>;
};

type Decline = { decline_code?: string } & ({ payment: string } | { setup: string });

/** A refused request: a row of an error table with its blanks filled in. Thrown anywhere, and answered in one place. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: ErrorRow['status'];
  readonly type: ErrorType;
  readonly param: string | undefined;
  readonly headers: Record<string, string>;
  readonly decline: Decline | undefined;
  readonly missing: MissingObject | undefined;

  constructor(
    code: string,
    { status, type }: Pick<ErrorRow, 'status' | 'type'>,
    message: string,
    extras: ApiErrorExtras = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.type = type;
    this.param = extras.param;
    this.headers = extras.headers ?? {};
    this.decline = extras.decline;
    this.missing = extras.missing;
  }

  /** The same refusal with a more specific message. */
  saying(message: string): ApiError {
    return new ApiError(this.code, this, message, this);
  }
}

/** What a refusal says, for the logs. */
export type Refusal = Pick<ApiError, 'code' | 'message' | 'param'>;

type Refuse<Rows extends ErrorRows> = {
  <Code extends keyof Rows & string>(
    code: Code,
    values: Record<Placeholders<Rows[Code]['message']>, string | number> & ApiErrorExtras,
  ): ApiError;
  /** Codes of these rows, for an operation to declare. The compiler refuses one that does not exist. */
  codes(...codes: (keyof Rows & string)[]): readonly string[];
};

/** The function that makes refusals from these rows. */
export function apiErrorsOf<const Rows extends ErrorRows>(rows: Rows): Refuse<Rows> {
  const refuse = (code: keyof Rows & string, values: ApiErrorExtras): ApiError => {
    const row = rows[code]!;
    const blanks: Record<string, unknown> = values;
    const message = row.message.replace(/\{(\w+)\}/g, (_, name: string) => String(blanks[name]));
    return new ApiError(code, row, message, values);
  };
  return Object.assign(refuse, { codes: (...codes: string[]) => codes });
}

/** The body of every refusal: the four fields of the interface, in its order. */
export function errorBody({ code, message, param, type, decline }: ApiError): string {
  return JSON.stringify({ error: { code, message, ...(param === undefined ? {} : { param }), type, ...decline } });
}

/**
 * The database, or a processor that has to be asked first, cannot be reached, or the outcome of a commit is unknown. Never answered as a
 * success or as a final failure.
 */
export class Unavailable extends Error {}

/** Another request has locked the object for a moment: worth a retry. */
export class Busy extends Unavailable {}

/** The code of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** For conditions that can fail only through a bug. */
export function assert(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(`assertion failed: ${message}`);
}
