import { isUtf8 } from 'node:buffer';
import { bodyError, encodingError } from './error.ts';
import { inspectJson, jsonDepthMax } from './inspect.ts';

/**
 * Reads a JSON body strictly: returns exactly what the text says, or refuses it. Besides syntax errors it refuses invalid
 * UTF-8, a byte order mark, NUL and lone surrogates in strings and keys, a key twice in one object, `__proto__`, nesting
 * over 32 levels, and numbers that a double would change (see number.ts). `-0` is read as 0: they are the same number, and
 * JSON written by this service could not tell them apart.
 *
 * The value always comes from JSON.parse. `skim` and `countKeys` prove that an ordinary body holds nothing of the above.
 * Any other body is first read by `inspectJson`, which is slower, decides, and explains.
 */
export function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw encodingError(bytes);
  const text = bytes.toString('utf8');

  const keys = skim(bytes);
  if (keys !== undefined) {
    const value = parse(text);
    if (keys === countKeys(value)) return value;
  }
  const { negativeZero } = inspectJson(text);
  return negativeZero ? JSON.parse(text, withoutSignedZero) : parse(text);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    inspectJson(text);
    throw bodyError('The body is not valid JSON. Check it with a JSON validator and send it again.');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const underscore = 0x5f;
const letterU = 0x75;

// A decimal of up to 15 digits and without an exponent is exact, or a fraction that stays one.
const harmlessNumberLength = 15;

/**
 * Counts the keys in a JSON text. Returns undefined at the first sign that it needs inspection: a `\u` escape, a string that
 * starts with `__`, a long or signed-zero number, an exponent, deep nesting. It runs before JSON.parse, which takes 40 ms for
 * 256 KiB of brackets. For a text that is not JSON its result means nothing.
 */
function skim(bytes: Buffer): number | undefined {
  const length = bytes.length;
  let keys = 0;
  let depth = 0;
  let i = 0;
  while (i < length) {
    const c = bytes[i++]!;
    if (c === quote) {
      if (bytes[i] === underscore && bytes[i + 1] === underscore) return undefined;
      while (i < length) {
        const s = bytes[i++];
        if (s === quote) break;
        if (s === backslash && bytes[i++] === letterU) return undefined;
      }
    } else if (c === 0x3a /* : */) {
      keys += 1;
    } else if (c === 0x7b /* { */ || c === 0x5b /* [ */) {
      depth += 1;
      if (depth > jsonDepthMax) return undefined;
    } else if (c === 0x7d /* } */ || c === 0x5d /* ] */) {
      depth -= 1;
    } else if (c === 0x2d /* - */ || (c >= 0x30 && c <= 0x39)) {
      if (c === 0x2d && bytes[i] === 0x30) return undefined;
      const start = i - 1;
      while (i < length && (bytes[i] === 0x2e /* . */ || (bytes[i]! >= 0x30 && bytes[i]! <= 0x39))) i += 1;
      if (i - start > harmlessNumberLength || (bytes[i]! | 0x20) === 0x65 /* e or E */) return undefined;
    }
  }
  return keys;
}

/** Counts the keys of all objects in a value. If its text has more, a key occurs twice in an object. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let keys = Array.isArray(value) ? 0 : values.length;
  for (const inner of values) keys += countKeys(inner);
  return keys;
}

function withoutSignedZero(_key: string, value: unknown): unknown {
  return value === 0 ? 0 : value;
}
