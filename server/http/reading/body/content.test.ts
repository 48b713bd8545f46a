import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../base/errors.ts';
import { readContent } from './content.ts';

const schema = { type: 'object', properties: { amount: { type: 'integer' }, name: { type: 'string' } } };
const json = Buffer.from('{"amount":2000}');
const form = Buffer.from('amount=2000');
const read = (bytes: Buffer, type: string | undefined, encoding?: string) => readContent(bytes, type, encoding, schema);

function apiError(bytes: Buffer, type: string | undefined, encoding?: string): unknown {
  try {
    return read(bytes, type, encoding);
  } catch (error) {
    return error;
  }
}

describe('the Content-Type chooses the reader', () => {
  const types: [string, Buffer, string, boolean][] = [
    ['JSON', json, 'application/json', false],
    ['JSON with its charset', json, 'application/json; charset=utf-8', false],
    ['JSON in capitals', json, 'APPLICATION/JSON;CHARSET=UTF-8', false],
    ['a quoted charset', json, 'application/json; charset="Utf-8"', false],
    ['an escaped letter in a quoted charset', json, 'application/json; charset="utf\\-8"', false],
    ['another parameter', json, 'application/json; version=1; profile="a;b=\\"c"', false],
    ['a charset hidden in another parameter', json, 'application/json; profile=";charset=latin1"', false],
    ['a stray semicolon', json, 'application/json;', false],
    ['white space around everything', json, ' application/json ;\tcharset=utf-8 ', false],
    ['a form', form, 'application/x-www-form-urlencoded', true],
    ['a form with its charset', form, 'application/x-www-form-urlencoded; charset=UTF-8', true],
    ['a form in capitals', form, 'Application/X-WWW-Form-URLEncoded', true],
  ];
  test.each(types)('%s', (_name, bytes, type, isForm) => {
    expect(read(bytes, type)).toEqual({ value: { amount: 2000 }, form: isForm });
  });

  const unsupported: [string, string | undefined][] = [
    ['none at all', undefined],
    ['an empty one', ''],
    ['text/plain', 'text/plain'],
    ['text/json', 'text/json'],
    ['a relative of JSON', 'application/ld+json'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['a type that only starts like JSON', 'application/jsonp'],
    ['two types', 'application/json, application/json'],
    ['another charset', 'application/json; charset=iso-8859-1'],
    ['another charset for a form', 'application/x-www-form-urlencoded; charset=windows-1252'],
    ['utf-16', 'application/json; charset=utf-16'],
    ['an empty charset', 'application/json; charset=""'],
    ['two charsets that differ', 'application/json; charset=utf-8; charset=latin1'],
    ['a parameter without a value', 'application/json; charset'],
    ['a quote that does not end', 'application/json; charset="utf-8'],
    ['words after the type', 'application/json utf-8'],
    ['words after a parameter', 'application/json; charset=utf-8 or so'],
  ];
  test.each(unsupported)('refused: %s', (_name, type) => {
    const error = apiError(json, type);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'content_type_unsupported', param: 'Content-Type' });
    expect((error as Error).message).toContain('application/json or application/x-www-form-urlencoded');
  });
});

describe('no body is an empty object', () => {
  test.each([undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'rubbish'])(
    'with Content-Type %s',
    (type) => expect(read(Buffer.alloc(0), type)).toEqual({ value: {}, form: false }),
  );
});

describe('the Content-Encoding must be identity', () => {
  test.each([undefined, 'identity', 'Identity', ' identity ', ''])('%s is read', (encoding) => {
    expect(read(json, 'application/json', encoding).value).toEqual({ amount: 2000 });
  });

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'utf-8'])('%s is refused', (encoding) => {
    for (const bytes of [json, Buffer.alloc(0)]) {
      const error = apiError(bytes, 'application/json', encoding);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'content_encoding_unsupported', param: 'Content-Encoding' });
    }
  });
});

describe('a body must be an object', () => {
  test.each(['[]', '[{"amount":1}]', '"x"', '1', 'true', 'null'])('%s is refused', (text) => {
    const error = apiError(Buffer.from(text), 'application/json');
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'body_invalid', param: undefined });
  });
});

test('nothing is coerced in JSON', () => {
  expect(read(Buffer.from('{"amount":"2000","name":""}'), 'application/json').value).toEqual({
    amount: '2000',
    name: '',
  });
});

test('a form may hold plain UTF-8', () => {
  expect(read(Buffer.from('name=Zoë'), 'application/x-www-form-urlencoded').value).toEqual({ name: 'Zoë' });
});

test('a form in Latin-1 is refused', () => {
  const error = apiError(Buffer.from('name=Zoë', 'latin1'), 'application/x-www-form-urlencoded');
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'body_invalid' });
});

test('JSON sent as a form is refused with the header to send', () => {
  const error = apiError(json, 'application/x-www-form-urlencoded');
  expect(error).toMatchObject({ code: 'body_invalid' });
  expect((error as Error).message).toContain('Content-Type: application/json');
});
