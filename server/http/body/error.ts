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

/** Where a value lies in the body: property names and positions in lists. */
export type Path = readonly (string | number)[];

const spokenKeyMax = 40;
// Fewer digits than any card number, bank account or phone number has.
const spokenDigitsMax = 8;
const printable = new RegExp(`^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S} ]{1,${spokenKeyMax}}$`, 'u');

/** Whether a key name may stand in a message: short, printable, and not a card number that landed in the wrong place. */
function isSpeakable(key: string): boolean {
  if (!printable.test(key)) return false;
  return (key.match(/\p{N}/gu)?.length ?? 0) <= spokenDigitsMax;
}

/** `card.number`, `items.0.price`: as far as its names can be repeated, or undefined when not even the first can. */
export function paramOf(path: Path): string | undefined {
  const unspeakable = path.findIndex((step) => typeof step === 'string' && !isSpeakable(step));
  const spoken = unspeakable < 0 ? path : path.slice(0, unspeakable);
  return spoken.length === 0 ? undefined : spoken.join('.');
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
