import { ApiError } from '../../../base/errors.ts';
import { isSpeakable, type Path, paramOf } from '../../../base/param_name.ts';
import { sharedErrors } from '../../../operations/errors.ts';
import { apiError } from '../../errors.ts';

/**
 * The refusals of this folder. Their messages are written for the developer who sent the request. They never repeat a value, because it
 * may be a card number, and they repeat the name of a key only where `isSpeakable` allows it.
 */

/** The text as a whole is at fault. */
export function bodyError(reason: string): ApiError {
  return apiError('body_invalid', { reason });
}

/** The parameter at `path` is at fault. `fault` completes the sentence that begins with the parameter. */
export function parameterError(path: Path, fault: string): ApiError {
  const param = paramOf(path);
  const isWhole = path.every((step) => typeof step === 'number' || isSpeakable(step));
  const subject = param === undefined ? 'A parameter' : `${isWhole ? 'The parameter' : 'A parameter in'} ${param}`;
  return keyError(path, `${subject} ${fault}`);
}

/** A key at `path` is at fault, or a parameter whose name must not appear in the message. */
export function keyError(path: Path, message: string): ApiError {
  return new ApiError('parameter_invalid', sharedErrors.parameter_invalid, message, { param: paramOf(path) });
}

/** The bytes of the body are not UTF-8. */
export function encodingError(bytes: Buffer): ApiError {
  // Decoding replaces what it cannot read by U+FFFD. The first byte that differs is therefore, within one character, where the fault is.
  const decoded = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === decoded[at]) at += 1;
  return bodyError(`The body is not valid UTF-8 near byte ${at + 1}. Encode the body as UTF-8 and send it again.`);
}
