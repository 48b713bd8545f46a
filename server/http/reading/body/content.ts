import { isUtf8 } from 'node:buffer';
import type { ApiError } from '../../../base/errors.ts';
import { apiError } from '../../errors.ts';
import type { CoercionSchema } from './coerce.ts';
import { bodyError, encodingError } from './error.ts';
import { readForm } from './form.ts';
import { readJson } from './json.ts';

/**
 * Reads a body as its headers say. An empty body is an empty object, whatever its type. Any other must be a JSON object or a form, in UTF-8
 * and not compressed. Its size was checked while it was received.
 */
export function readContent(
  bytes: Buffer,
  contentType: string | undefined,
  contentEncoding: string | undefined,
  schema: CoercionSchema,
): { value: Record<string, unknown>; form: boolean } {
  if (contentEncoding !== undefined && !['identity', ''].includes(contentEncoding.trim().toLowerCase()))
    throw apiError('content_encoding_unsupported', { param: 'Content-Encoding' }).saying(
      'The header Content-Encoding asks for a compressed body to be read. Send the body as it is, without that header.',
    );
  if (bytes.length === 0) return { value: {}, form: false };

  const media = medias.get(contentType) ?? mediaOf(contentType);
  if (media === 'form') {
    if (!isUtf8(bytes)) throw encodingError(bytes);
    return { value: readForm(bytes.toString('utf8'), schema), form: true };
  }
  const value = readJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bodyError('The body is valid JSON but not an object. Send the parameters as {"name": …}.');
  return { value: value as Record<string, unknown>, form: false };
}

type Media = 'json' | 'form';

const medias: ReadonlyMap<string | undefined, Media> = new Map([
  ['application/json', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  // Many clients send exactly this, which then needs no parsing.
  ['application/json; charset=utf-8', 'json'],
]);

// RFC 9110, sections 5.6.2, 5.6.4 and 5.6.6. They also allow an empty parameter: a stray semicolon.
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typeSyntax = new RegExp(`^[ \\t]*(${token}/${token})[ \\t]*(?=;|$)`);
const parameterSyntax = new RegExp(`;[ \\t]*(?:(${token})=(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*(?=;|$)`, 'y');

function mediaOf(contentType: string | undefined): Media {
  if (contentType === undefined) throw unsupported('The request has a body but no Content-Type header');
  const type = typeSyntax.exec(contentType);
  const media = medias.get(type?.[1]?.toLowerCase());
  if (type === null || media === undefined) throw unsupported('The Content-Type of the body is not supported');

  parameterSyntax.lastIndex = type[0].length;
  while (parameterSyntax.lastIndex < contentType.length) {
    const parameter = parameterSyntax.exec(contentType);
    if (parameter === null) throw unsupported('The Content-Type header is malformed');
    const [, name, plain, quoted] = parameter;
    if (name?.toLowerCase() !== 'charset') continue;
    const charset = plain ?? quoted?.replace(/\\(.)/g, '$1');
    if (charset?.toLowerCase() !== 'utf-8')
      throw unsupported('The charset of the body is not supported: only utf-8 is');
  }
  return media;
}

function unsupported(problem: string): ApiError {
  return apiError('content_type_unsupported', { param: 'Content-Type' }).saying(
    `${problem}. Send Content-Type: application/json or application/x-www-form-urlencoded, in UTF-8.`,
  );
}
