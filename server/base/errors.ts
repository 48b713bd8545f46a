import { type ErrorCode, errorTable, type MessageOf } from './error_table.ts';

export type { ErrorCode } from './error_table.ts';

/** The `{names}` in a message template, so that the compiler asks for each of them. */
type Placeholders<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Code extends ErrorCode> = Record<Placeholders<MessageOf<Code>>, string | number> & {
  param?: string | undefined;
  headers?: Record<string, string>;
  decline?: Decline;
};

export type Decline = { decline_code?: string; payment: string };

/** A request that is refused: a row of the error table with its blanks filled in. Thrown, and answered in one place. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  /** What the answer carries beside the body: `Retry-After`, `Allow`, … */
  readonly headers: Record<string, string>;
  /** What a 402 tells beside the four fields: the bank's reason, and which payment failed. */
  readonly decline: Decline | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    param: string | undefined,
    headers: Record<string, string>,
    decline?: Decline,
  ) {
    super(message);
    this.code = code;
    this.param = param;
    this.headers = headers;
    this.decline = decline;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

export function refusal<Code extends ErrorCode>(code: Code, values: Values<Code>): Refusal {
  const blanks: Record<string, unknown> = values;
  const message = errorTable[code].message.replace(/\{(\w+)\}/g, (_, name: string) => String(blanks[name]));
  return new Refusal(code, message, values.param, values.headers ?? {}, values.decline);
}

/** The body of every refusal: the four fields of the interface, in its order. */
export function errorBody(refused: Refusal): string {
  const { code, message, param, decline } = refused;
  return JSON.stringify({
    error: { code, message, ...(param === undefined ? {} : { param }), type: errorTable[code].type, ...decline },
  });
}

/** The database cannot be reached, or a commit's fate is unknown. Never answered as a success or as a final failure. */
export class Unavailable extends Error {}

/** The object is in another request's hands for a moment: worth waiting for. */
export class Busy extends Error {}

/** For what can only be a bug. */
export function assert(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(`assertion failed: ${message}`);
}
