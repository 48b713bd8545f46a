import { isSpeakable, type Path, paramOf } from '../../../base/param_name.ts';

/**
 * The refusals of this folder. Their messages are written for the developer who sent the request, and they never
 * repeat a value: a value may be a card number. Key names are repeated only where `isSpeakable` allows it.
 */

/** `parameter_invalid` when the fault belongs to one parameter, `body_invalid` when it belongs to the text as a whole. */
export type BodyErrorCode = 'body_invalid' | 'parameter_invalid';

export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly code: BodyErrorCode;
  readonly param: string | undefined;

  constructor(code: BodyErrorCode, message: string, param?: string) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

export type ContentErrorCode = 'content_type_unsupported' | 'content_encoding_unsupported';

export class ContentError extends Error {
  override readonly name = 'ContentError';
  readonly code: ContentErrorCode;
  /** The header at fault. */
  readonly param: 'Content-Type' | 'Content-Encoding';

  constructor(code: ContentErrorCode, message: string) {
    super(message);
    this.code = code;
    this.param = code === 'content_type_unsupported' ? 'Content-Type' : 'Content-Encoding';
  }
}

/** A refusal of the parameter at `path`. `message` is given the words that stand for the parameter in a sentence. */
export function parameterError(path: Path, message: (parameter: string) => string): BodyError {
  const param = paramOf(path);
  const whole = path.every((step) => typeof step === 'number' || isSpeakable(step));
  const words = param === undefined ? 'A parameter' : whole ? `The parameter ${param}` : `A parameter in ${param}`;
  return new BodyError('parameter_invalid', message(words), param);
}

/** The refusal of a body whose bytes are not UTF-8. */
export function encodingError(bytes: Buffer): BodyError {
  // Decoding puts U+FFFD in the place of what it cannot read, so the first byte that differs is (within one
  // character) where the fault is.
  const decoded = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1;
  return new BodyError(
    'body_invalid',
    `The body is not valid UTF-8 near byte ${at + 1}. Encode the body as UTF-8 and send it again.`,
  );
}

export type { Path };
