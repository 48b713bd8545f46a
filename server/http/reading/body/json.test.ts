import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../base/any_character.fixture.ts';
import { ApiError } from '../../../base/errors.ts';
import { shareOf } from '../../../test/torture.ts';
import { inspectJson } from './inspect.ts';
import { readJson } from './json.ts';

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

function apiError(body: Buffer): ApiError {
  try {
    readJson(body);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a JSON body is read as it is', () => {
  const accepted: [string, string, unknown][] = [
    ['an empty object', '{}', {}],
    ['white space around everything', ' \t\r\n{ "a" : [ 1 , 2 ] } \n', { a: [1, 2] }],
    ['every kind of value', '{"a":"x","b":1,"c":-1.5,"d":true,"e":false,"f":null,"g":[],"h":{}}', expect.anything()],
    ['a bare string', '"x"', 'x'],
    ['a bare null', 'null', null],
    ['an empty key', '{"":1}', { '': 1 }],
    ['the same key in different objects', '{"a":{"x":1},"b":{"x":2},"x":3}', { a: { x: 1 }, b: { x: 2 }, x: 3 }],
    ['the same key in the objects of a list', '[{"x":1},{"x":1}]', [{ x: 1 }, { x: 1 }]],
    ['keys that differ in case only', '{"a":1,"A":2}', { a: 1, A: 2 }],
    ['keys that look like numbers', '{"1":1,"01":2}', { '1': 1, '01': 2 }],
    ['text that looks like JSON inside a string', '{"a":"{\\"a\\":1,\\"a\\":2}"}', { a: '{"a":1,"a":2}' }],
    ['every short escape', '"\\" \\\\ \\/ \\b \\f \\n \\r \\t"', '" \\ / \b \f \n \r \t'],
    ['a backslash before the closing quote', '["\\\\","\\\\"]', ['\\', '\\']],
    ['an escaped letter', '"\\u00e9\\u00C9"', 'éÉ'],
    ['a key with an escape', '{"\\u0061":1,"b":2}', { a: 1, b: 2 }],
    ['a surrogate pair by escapes', '"\\ud83d\\ude00"', '😀'],
    ['a character beyond the first plane', '"😀"', '😀'],
    ['the replacement character, when it was sent', '"\ufffd"', '\ufffd'],
    ['a byte order mark inside a string', '"\ufeff"', '\ufeff'],
    ['the escape of a backslash before u0000', '"\\\\u0000"', '\\u0000'],
    ['the delete character', '"\u007f"', '\u007f'],
    ['line separators', '"\u2028\u2029"', '\u2028\u2029'],
    ['32 levels', nested(32), JSON.parse(nested(32))],
    ['many levels beside each other', `[${'[[]],'.repeat(50)}[]]`, [...Array(50).fill([[]]), []]],
    ['brackets inside strings', JSON.stringify('['.repeat(100)), '['.repeat(100)],
    ['constructor as an ordinary key', '{"constructor":1}', JSON.parse('{"constructor":1}')],
    ['prototype as an ordinary key', '{"prototype":{"x":1}}', { prototype: { x: 1 } }],
    ['__proto__ as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    [
      'keys close to __proto__',
      '{"__proto":1,"_proto__":2,"__proto__ ":3}',
      { __proto: 1, _proto__: 2, '__proto__ ': 3 },
    ],
    ['a decimal fraction', '0.1', 0.1],
    ['a fraction of 17 digits, as some languages write it', '0.10000000000000001', 0.1],
    ['a fraction of many digits', '3.14159265358979323846264338327950288', Math.PI],
    ['the largest safe integer', '9007199254740991', 9007199254740991],
    ['the smallest safe integer', '-9007199254740991', -9007199254740991],
    ['2^53, which is exact', '9007199254740992', 2 ** 53],
    ['2^53+2, which is exact', '9007199254740994', 2 ** 53 + 2],
    ['an exact integer with an exponent', '[2e3,2E+3,20000e-1,1e21,1e22]', [2000, 2000, 2000, 1e21, 1e22]],
    ['an exact integer with a fraction of zeros', '[2000.0,2000.000000000000000000000]', [2000, 2000]],
    ['the smallest double', '5e-324', 5e-324],
    ['zero in every spelling', '[0,0.0,0e0,0e400,0.000e-400]', [0, 0, 0, 0, 0]],
    ['minus zero as zero', '{"a":-0,"b":[-0.0,-0e5],"c":"-0"}', { a: 0, b: [0, 0], c: '-0' }],
  ];
  test.each(accepted)('%s', (_name, text, value) => {
    expect(readJson(bytes(text))).toStrictEqual(value);
  });

  test('a key that every object inherits becomes an own property, and changes no prototype', () => {
    const value = readJson(bytes('{"constructor":{"prototype":{"x":1}},"toString":2,"hasOwnProperty":3}'));
    expect(Object.keys(value as object)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('a JSON body is refused when reading it would change or lose something', () => {
  const refused: [string, Buffer, 'body_invalid' | 'parameter_invalid', string | undefined, RegExp][] = [
    ['a byte that is not UTF-8', bytes('{"a":"x', [0xff], '"}'), 'body_invalid', undefined, /UTF-8 near byte 8/],
    ['an overlong form', bytes('"', [0xc0, 0xaf], '"'), 'body_invalid', undefined, /UTF-8/],
    ['a surrogate in UTF-8', bytes('"', [0xed, 0xa0, 0x80], '"'), 'body_invalid', undefined, /UTF-8/],
    ['a character cut off', bytes('"', [0xe2, 0x82], '"'), 'body_invalid', undefined, /UTF-8/],
    ['a character beyond U+10FFFF', bytes('"', [0xf4, 0x90, 0x80, 0x80], '"'), 'body_invalid', undefined, /UTF-8/],
    ['Latin-1', Buffer.from('{"name":"é"}', 'latin1'), 'body_invalid', undefined, /near byte 10/],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'body_invalid', undefined, /UTF-8/],
    ['a byte order mark', bytes('\ufeff{}'), 'body_invalid', undefined, /byte order mark/],
    ['a raw NUL in a string', bytes('{"a":"\u0000"}'), 'parameter_invalid', 'a', /NUL/],
    ['a raw NUL in a key', bytes('{"\u0000":1}'), 'parameter_invalid', undefined, /A key holds a NUL/],
    ['a raw NUL between tokens', bytes('{}\u0000'), 'body_invalid', undefined, /more text/],
    [
      'an escaped NUL in a string',
      bytes('{"a":{"b":"x\\u0000"}}'),
      'parameter_invalid',
      'a.b',
      /NUL.*line 1, column 11/,
    ],
    ['an escaped NUL in a key', bytes('{"a":{"\\u0000":1}}'), 'parameter_invalid', 'a', /A key holds a NUL/],
    ['a lone high surrogate', bytes('{"a":"\\ud83d"}'), 'parameter_invalid', 'a', /surrogate/],
    ['a lone low surrogate', bytes('{"a":["x","\\uDE00"]}'), 'parameter_invalid', 'a.1', /surrogate/],
    ['surrogates in the wrong order', bytes('{"a":"\\ude00\\ud83d"}'), 'parameter_invalid', 'a', /surrogate/],
    ['a lone surrogate in a key', bytes('{"\\ud83d":1}'), 'parameter_invalid', undefined, /A key holds half/],
    ['a key twice', bytes('{"amount":1,"amount":2}'), 'parameter_invalid', 'amount', /twice.*line 1, column 13/],
    ['a key twice with the same value', bytes('{"a":1,"a":1}'), 'parameter_invalid', 'a', /twice/],
    ['a key twice, once by escapes', bytes('{"a":1,"\\u0061":2}'), 'parameter_invalid', 'a', /twice/],
    ['a key with an escaped slash twice', bytes('{"a/b":1,"a\\/b":2}'), 'parameter_invalid', 'a/b', /twice/],
    ['a key twice far inside', bytes('{"x":[{"a":{"b":1,"c":2,"b":3}}]}'), 'parameter_invalid', 'x.0.a.b', /twice/],
    ['a key twice around an object', bytes('{"a":{"b":1},"c":2,"a":{"b":1}}'), 'parameter_invalid', 'a', /twice/],
    ['an empty key twice', bytes('{"":1,"":2}'), 'parameter_invalid', undefined, /twice/],
    ['__proto__', bytes('{"__proto__":{"x":1}}'), 'parameter_invalid', '__proto__', /__proto__/],
    ['__proto__ by escapes', bytes('{"\\u005f_proto__":1}'), 'parameter_invalid', '__proto__', /__proto__/],
    ['__proto__ with a late escape', bytes('{"__prot\\u006f__":1}'), 'parameter_invalid', '__proto__', /__proto__/],
    ['__proto__ in metadata', bytes('{"metadata":{"__proto__":1}}'), 'parameter_invalid', 'metadata.__proto__', /name/],
    ['33 levels', bytes(nested(33)), 'body_invalid', undefined, /more than 32 levels/],
    ['33 levels of objects', bytes('{"a":'.repeat(33), '1', '}'.repeat(33)), 'body_invalid', undefined, /32 levels/],
    ['100,000 levels', bytes(nested(100_000)), 'body_invalid', undefined, /32 levels/],
    ['100,000 open brackets', bytes('['.repeat(100_000)), 'body_invalid', undefined, /32 levels/],
    ['2^53+1', bytes('{"amount":9007199254740993}'), 'parameter_invalid', 'amount', /exactly \(line 1, column 11\)/],
    ['-(2^53+1)', bytes('{"a":-9007199254740993}'), 'parameter_invalid', 'a', /exactly/],
    ['2^53+1 with a fraction', bytes('{"a":9007199254740993.0}'), 'parameter_invalid', 'a', /exactly/],
    ['2^53+1 with an exponent', bytes('{"a":90071992547409930e-1}'), 'parameter_invalid', 'a', /exactly/],
    ['a long card number as a number', bytes('{"a":4242424242424242424}'), 'parameter_invalid', 'a', /exactly/],
    [
      '2^60, which would be written differently',
      bytes('{"a":1152921504606846976}'),
      'parameter_invalid',
      'a',
      /exactly/,
    ],
    ['1e23, which no double holds', bytes('{"a":1e23}'), 'parameter_invalid', 'a', /exactly/],
    ['1e400', bytes('{"a":1e400}'), 'parameter_invalid', 'a', /exactly/],
    ['-1e400', bytes('{"a":-1E+400}'), 'parameter_invalid', 'a', /exactly/],
    ['400 digits', bytes(`{"a":${'9'.repeat(400)}}`), 'parameter_invalid', 'a', /exactly/],
    ['1e-400', bytes('{"a":1e-400}'), 'parameter_invalid', 'a', /exactly/],
    ['a tiny number without exponent', bytes(`{"a":0.${'0'.repeat(400)}1}`), 'parameter_invalid', 'a', /exactly/],
    ['an exponent of 400 digits', bytes(`{"a":1e-${'9'.repeat(400)}}`), 'parameter_invalid', 'a', /exactly/],
    [
      'a fraction that would become an integer',
      bytes('{"a":4.99999999999999999999}'),
      'parameter_invalid',
      'a',
      /exactly/,
    ],
    ['a number in a list', bytes('{"items":[{"price":1e999}]}'), 'parameter_invalid', 'items.0.price', /exactly/],
    ['a number as the whole body', bytes('1e400'), 'parameter_invalid', undefined, /exactly/],
  ];
  test.each(refused)('%s', (_name, body, code, param, message) => {
    const error = apiError(body);
    expect(error).toMatchObject({ code, param });
    expect(error.message).toMatch(message);
  });
});

describe('a body that is not JSON is refused with the place of the fault and what to do', () => {
  const malformed: [string, string, RegExp][] = [
    ['nothing', '', /ends before it is complete \(line 1, column 1\)/],
    ['white space only', ' \n ', /ends before it is complete \(line 2, column 2\)/],
    ['an open object', '{', /ends before it is complete/],
    ['an open list', '[1', /ends before it is complete/],
    ['an object that ends after a key', '{"a"', /ends before it is complete/],
    ['an object that ends after a colon', '{"a":', /ends before it is complete/],
    ['an object that ends after a comma', '{"a":1,', /ends before it is complete/],
    ['a string without an end', '{"a":"x', /ends before it is complete.*whole body/],
    ['a string that ends in an escape', '"\\', /unknown escape|ends before/],
    ['two values', '{} {}', /more text after the end.*column 4/],
    ['a closing bracket too many', '{}}', /more text after the end/],
    ['a comma before the closing brace', '{"a":1,}', /comma before the closing }.*column 8/],
    ['a comma before the closing bracket', '[1,]', /value is missing.*column 4/],
    ['a comma only', '{,}', /key is expected here/],
    ['a missing comma in an object', '{"a":1\n "b":2}', /comma or the closing }.*line 2, column 2/],
    ['a missing comma in a list', '[1 2]', /comma or the closing ]/],
    ['brackets that do not match', '{"a":[1}', /comma or the closing ]/],
    ['a missing colon', '{"a" 1}', /colon is missing/],
    ['a missing value', '{"a":}', /value is missing/],
    ['a key without quotes', '{a:1}', /key is expected here.*double quotes/],
    ['a key in single quotes', "{'a':1}", /key is in single quotes/],
    ['a value in single quotes', '{"a":\'x\'}', /single quote/],
    ['a number as a key', '{1:2}', /double quotes/],
    ['a comment', '{"a":/* x */1}', /JSON has no comments/],
    ['True', '{"a":True}', /Only true, false and null/],
    ['undefined', '{"a":undefined}', /Only true, false and null/],
    ['NaN', '[NaN]', /Only true, false and null/],
    ['-Infinity', '[-Infinity]', /no digits after its sign/],
    ['true with a tail', '[trueish]', /Only true, false and null/],
    ['a leading plus', '[+1]', /plus or a point/],
    ['a leading point', '[.5]', /plus or a point/],
    ['a trailing point', '[5.]', /number is malformed/],
    ['a leading zero', '[05]', /leading zeros/],
    ['a hexadecimal number', '[0x10]', /comma or the closing ]/],
    ['an exponent without digits', '[1e]', /number is malformed/],
    ['a raw line break in a string', '["a\nb"]', /raw control character or line break/],
    ['a raw tab in a string', '["a\tb"]', /raw control character/],
    ['an unknown escape', '["\\x41"]', /unknown escape/],
    ['a short unicode escape', '["\\u12"]', /unknown escape/],
    ['a no-break space between tokens', '{\u00a0"a":1}', /key is expected here/],
    ['a form sent as JSON', 'amount=2000&currency=usd', /looks like a form/],
    ['a nested form sent as JSON', 'card[number]=4242424242424242', /looks like a form/],
  ];
  test.each(malformed)('%s', (_name, text, message) => {
    const error = apiError(bytes(text));
    expect(error).toMatchObject({ code: 'body_invalid', param: undefined });
    expect(error.message).toMatch(message);
    expect(() => JSON.parse(text)).toThrow();
  });
});

describe('a message repeats a name only if that is safe', () => {
  const named: [string, string, string | undefined][] = [
    ['an ordinary name is', '{"card":{"exp_month":1e999}}', 'card.exp_month'],
    ['a name in another script is', '{"größe":1e999}', 'größe'],
    ['a name of 40 characters is', `{"${'k'.repeat(40)}":1e999}`, 'k'.repeat(40)],
    ['a name of 41 characters is not', `{"metadata":{"${'k'.repeat(41)}":1e999}}`, 'metadata'],
    ['a card number used as a name is not', '{"metadata":{"4242 4242 4242 4242":1e999}}', 'metadata'],
    ['a name with a line break is not', '{"a":{"b\\nc":{"d":1e999}}}', 'a'],
    ['a name that turns the reading direction is not', '{"\u202eevil":1e999}', undefined],
  ];
  test.each(named)('%s', (_name, text, param) => {
    const error = apiError(bytes(text));
    expect(error.param).toBe(param);
    expect(error.message).not.toContain('4242');
  });
});

/** Texts near JSON: a valid one with a few characters replaced, put in or taken out. */
const nearJson = fc
  .tuple(
    fc.json({ stringUnit: 'binary' }),
    fc.array(
      fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom(...'{}[]":,\\u0-.eE1 \n\t\'tfn_a', '\u0000', '\ud83d', 'é', '')),
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [where, cut, put]) => {
      const at = where % (now.length + 1);
      return now.slice(0, at) + put + now.slice(at + cut);
    }, text),
  );

describe('for any input', () => {
  const text = fc.string({ unit: anyCharacter }).filter((each) => !each.includes('\u0000'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.boolean(),
      fc.constant(null),
      fc.maxSafeInteger().map((each) => each + 0),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((each) => each + 0),
      fc.array(tie('value')),
      fc.dictionary(
        fc
          .oneof(fc.constantFrom('constructor', 'prototype', 'toString', 'a', 'b'), text)
          .filter((key) => key !== '__proto__'),
        tie('value'),
        { noNullPrototype: true },
      ),
    ),
  }));

  test('a value written by JSON.stringify is read back', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (each, indent) => {
        const read = readJson(bytes(JSON.stringify(each, undefined, indent)));
        expect(isDeepStrictEqual(read, each)).toBe(true);
      }),
    );
  });

  test('a value written in ASCII, by escapes, is read back', () => {
    const inAscii = (json: string) =>
      json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fc.assert(
      fc.property(value, (each) => {
        expect(isDeepStrictEqual(readJson(bytes(inAscii(JSON.stringify(each)))), each)).toBe(true);
      }),
    );
  });

  test('bytes are either read or refused with an ApiError', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      nearJson.map((each) => Buffer.from(each)),
    );
    fc.assert(
      fc.property(anything, (body) => {
        try {
          readJson(body);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: shareOf(20_000, 500) },
    );
  });

  test('the quick check and the inspection agree, and both agree with JSON.parse about syntax', () => {
    const verdict = (check: () => unknown) => {
      try {
        check();
        return 'fine';
      } catch (error) {
        return (error as Error).message;
      }
    };
    fc.assert(
      fc.property(nearJson, (each) => {
        const sent = each.toWellFormed();
        const careful = verdict(() => inspectJson(sent));
        expect(verdict(() => readJson(bytes(sent)))).toBe(careful);
        const valid = verdict(() => JSON.parse(sent)) === 'fine';
        if (careful === 'fine') expect(valid).toBe(true);
        if (careful.startsWith('The body is not valid JSON')) expect(valid).toBe(false);
      }),
      { numRuns: shareOf(50_000, 1_500) },
    );
  });

  test('no message repeats a value', () => {
    const body = '{"type":"card","card":{"number":"4242424242424242","exp_month":12,"cvc":"987"}}';
    fc.assert(
      fc.property(fc.nat(body.length), fc.nat(3), fc.string({ maxLength: 2, unit: anyCharacter }), (at, cut, put) => {
        try {
          readJson(bytes(body.slice(0, at) + put + body.slice(at + cut)));
        } catch (error) {
          expect(`${(error as ApiError).message} ${(error as ApiError).param}`).not.toMatch(/4242|987/);
        }
      }),
      { numRuns: shareOf(20_000, 500) },
    );
  });
});
