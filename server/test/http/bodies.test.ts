import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { close, dial, host } from '../../http/transport/harness.ts';
import type { Answer } from '../client.ts';
import { becomes } from '../eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectErrorShape, expectRefusal, parseAnswers, rawHead, sendRaw } from './support.ts';

const bytesMax = 262_144;
const path = '/v1/customers';
const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

let server: TestServer;
let account: TestAccount;
/** An account whose requests are all refused. */
let refused: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  refused = await server.account();
});
afterAll(() => server.stop());

const typed = (contentType: string) => ({ 'Content-Type': contentType });

/** The parameters of a customer, as the API returns them. */
function supplied({ status, json: customer }: Answer): unknown {
  expect(status).toBe(200);
  const { id, object, created, ...rest } = customer;
  expect({ id, object, created }).toEqual({
    id: expect.stringMatching(/^cus_/),
    object: 'customer',
    created: expect.any(Number),
  });
  return rest;
}

function padded(bytes: number): Buffer {
  return Buffer.concat([Buffer.from('{"name":"Ada"}'), Buffer.alloc(bytes - 14, ' ')]);
}

function chunked(body: Buffer | string): string {
  const text = body.toString('latin1' as never);
  return `Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

describe('the type of a body', () => {
  test.each([
    json,
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; Charset="Utf-8"',
    'application/json;',
  ])('%s is JSON', async (contentType) => {
    const answer = await account.test.post(path, '{"name":"Ada"}', typed(contentType));
    expect(supplied(answer)).toEqual({ name: 'Ada', metadata: {} });
  });

  test.each([
    form,
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/X-WWW-form-urlencoded;charset=UTF-8',
  ])('%s is a form', async (contentType) => {
    const answer = await account.test.post(path, 'name=Ada+Lovelace', typed(contentType));
    expect(supplied(answer)).toEqual({ name: 'Ada Lovelace', metadata: {} });
  });

  const others = [
    'text/plain',
    'text/json',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/json, text/plain',
    'application/json charset=utf-8',
    'json',
    'garbage',
    '*/*',
    '/',
  ];
  test.each(others)('%s is refused when there is a body', async (contentType) => {
    const answer = await refused.test.post(path, '{"name":"Ada"}', typed(contentType));
    expectRefusal(answer, 'content_type_unsupported', 'Content-Type');
  });

  test('a body without a type is refused', async () => {
    expectRefusal(await refused.test.post(path, '{"name":"Ada"}'), 'content_type_unsupported', 'Content-Type');
    expectRefusal(
      await sendRaw(server, `${rawHead(`POST ${path}`, refused.testKey)}${chunked('{}')}`),
      'content_type_unsupported',
      'Content-Type',
    );
    const empty = `${rawHead(`POST ${path}`, refused.testKey)}Content-Type:\r\nContent-Length: 2\r\n\r\n{}`;
    expectRefusal(await sendRaw(server, empty), 'content_type_unsupported', 'Content-Type');
  });

  test.each([json, form, ...others])('no body is an empty object, even as %s', async (contentType) => {
    const head = rawHead(`POST ${path}`, account.testKey);
    for (const end of ['\r\n', 'Content-Length: 0\r\n\r\n', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n']) {
      const answer = await sendRaw(server, `${head}Content-Type: ${contentType}\r\n${end}`);
      expect(supplied(answer)).toEqual({ metadata: {} });
    }
  });

  test('no body and no type is an empty object', async () => {
    expect(supplied(await account.test.post(path))).toEqual({ metadata: {} });
    expect(supplied(await account.test.post(path, ''))).toEqual({ metadata: {} });
  });

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'unknown'])('an encoding is refused: %s', async (encoding) => {
    const headers = { ...typed(json), 'Content-Encoding': encoding };
    const body = encoding === 'gzip' ? gzipSync('{"name":"Ada"}') : '{"name":"Ada"}';
    expectRefusal(await refused.test.post(path, body, headers), 'content_encoding_unsupported', 'Content-Encoding');
  });

  test('the encoding identity is accepted', async () => {
    const headers = { ...typed(json), 'Content-Encoding': 'identity' };
    expect(supplied(await account.test.post(path, '{"name":"Ada"}', headers))).toMatchObject({ name: 'Ada' });
  });

  test('a chunked body is read like one with a length', async () => {
    const head = `${rawHead(`POST ${path}`, account.testKey)}Content-Type: ${json}\r\n`;
    const answer = await sendRaw(
      server,
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n9\r\ne":"Ada"}\r\n0\r\n\r\n`,
    );
    expect(supplied(answer)).toMatchObject({ name: 'Ada' });
  });

  test('GET takes no body, in whatever framing', async () => {
    const headers = typed(json);
    expectRefusal(await refused.test.request('GET', path, { headers, body: '{"limit":1}' }), 'body_invalid');
    expectRefusal(await sendRaw(server, `${rawHead(`GET ${path}`, refused.testKey)}${chunked('{}')}`), 'body_invalid');
  });

  test('DELETE takes an empty object and refuses parameters that it does not have', async () => {
    const { id } = (await account.test.post(path, {})).json;
    const del = (body: object) => account.test.request('DELETE', `${path}/${id}`, { body });
    expectRefusal(await del({ force: true }), 'parameter_unknown', 'force');
    expect((await del({})).json).toEqual({ id, object: 'customer', deleted: true });
  });
});

describe('a form equals its JSON', () => {
  const pairs: [form: string, json: object][] = [
    ['', {}],
    ['name=Ada&email=ada%40example.com&phone=%2B44+20', { name: 'Ada', email: 'ada@example.com', phone: '+44 20' }],
    ['metadata[order]=7&metadata[vip]=true', { metadata: { order: '7', vip: 'true' } }],
    ['metadata%5Ba+b%5D=%C3%A9', { metadata: { 'a b': 'é' } }],
    ['name=5', { name: '5' }],
  ];

  test.each(pairs)('%s', async (encoded, plain) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await account.test.form(path, encoded, headers);
    const second = await account.test.post(path, plain, headers);
    expect(supplied(first)).toEqual({ metadata: {}, ...plain });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
  });

  test('numbers in a query become numbers where the schema has them', async () => {
    const alone = await server.account();
    const made = [await alone.test.post(path, {}), await alone.test.post(path, {})].map((answer) => answer.json);
    const { created } = made[0];
    const one = await alone.test.get(`${path}?limit=1&created[gte]=${created}&created%5Blte%5D=${created + 100}`);
    expect(one.json).toMatchObject({ has_more: true, data: [{ id: made[1].id }] });
    const none = await alone.test.get(`${path}?created[lt]=${created}`);
    expect(none.json).toMatchObject({ has_more: false, data: [] });
  });

  test.each(['abc', '1.5', '1e1', '0x1', '+1', '%201', '1%20', 'true', '9007199254740993', '١'])(
    'text that is no integer is refused, not guessed at: limit=%s',
    async (text) => {
      expectRefusal(await refused.test.get(`${path}?limit=${text}`), 'parameter_invalid', 'limit');
    },
  );

  test.each([
    ['name', 5],
    ['name', true],
    ['name', ['Ada']],
    ['name', {}],
    ['email', 5],
    ['metadata', 'x'],
    ['metadata', []],
    ['metadata', 5],
  ])('in JSON nothing is converted: %s as %j', async (name, value) => {
    expectRefusal(await refused.test.post(path, { [name]: value }), 'parameter_invalid', name);
  });
});

describe('null and the empty string', () => {
  const all = { email: 'ada@example.com', name: 'Ada', phone: '1', metadata: { a: 'x', b: 1, c: true } };
  const wholly = { email: null, name: null, phone: null, metadata: null };

  test('null is absent when something is created', async () => {
    expect(supplied(await account.test.post(path, wholly))).toEqual({ metadata: {} });
  });

  test('an empty text is absent when something is created', async () => {
    expect(supplied(await account.test.post(path, { email: '', name: '', phone: '' }))).toEqual({ metadata: {} });
    expect(supplied(await account.test.form(path, 'email=&name=&phone=&metadata='))).toEqual({ metadata: {} });
  });

  // Without an amount, the whole remainder would be captured or refunded.
  test.each([
    ['/v1/payments/py_0/capture', 'amount=', 'amount'],
    ['/v1/refunds', 'payment=py_0&amount=', 'amount'],
    ['/v1/webhook_endpoints/we_0/rotate_secret', 'overlap_hours=', 'overlap_hours'],
  ])('%s refuses the form %s: a variable was not set', async (route, form, param) => {
    const answer = await refused.test.form(route, form);
    expectRefusal(answer, 'parameter_invalid', param);
    expect(answer.json.error.message).toContain('must not be empty');
  });

  test('an empty number that is required is missing', async () => {
    const card = 'type=card&card[number]=4242424242424242&card[exp_month]=&card[exp_year]=2040';
    expectRefusal(await refused.test.form('/v1/payment_methods', card), 'parameter_missing', 'card.exp_month');
  });

  const clearing: [what: string, change: (of: string) => Promise<Answer>][] = [
    ['null', (of) => account.test.post(of, wholly)],
    ['an empty text', (of) => account.test.post(of, { email: '', name: '', phone: '', metadata: null })],
    ['an empty form value', (of) => account.test.form(of, 'email=&name=&phone=&metadata=')],
  ];
  test.each(clearing)('%s clears when something is updated', async (_what, change) => {
    const { id } = (await account.test.post(path, all)).json;
    expect(supplied(await change(`${path}/${id}`))).toEqual({ metadata: {} });
    expect(supplied(await account.test.get(`${path}/${id}`))).toEqual({ metadata: {} });
  });

  test('a parameter that is not sent keeps its value', async () => {
    const { id } = (await account.test.post(path, all)).json;
    expect(supplied(await account.test.post(`${path}/${id}`, { name: null }))).toEqual({
      email: all.email,
      phone: all.phone,
      metadata: all.metadata,
    });
  });

  test.each(['limit', 'starting_after', 'created[gt]', 'created'])(
    'an empty %s in a query is refused: it could mean all',
    async (name) => {
      const answer = await account.test.get(`${path}?${name}=`);
      expectRefusal(answer, 'parameter_invalid', name.replace('[', '.').replace(']', ''));
    },
  );
});

describe('metadata', () => {
  test('null or an empty string removes a key, others stay, and new ones are added', async () => {
    const { id } = (await account.test.post(path, { metadata: { a: 'x', b: 1, c: true, d: 'y' } })).json;
    const merged = await account.test.post(`${path}/${id}`, { metadata: { a: null, b: '', e: 0.5, never: null } });
    expect(supplied(merged)).toEqual({ metadata: { c: true, d: 'y', e: 0.5 } });
    const again = await account.test.form(`${path}/${id}`, 'metadata[c]=&metadata[d]=7');
    expect(supplied(again)).toEqual({ metadata: { d: '7', e: 0.5 } });
  });

  test('a removed key does not count when something is created', async () => {
    expect(supplied(await account.test.post(path, { metadata: { a: null, b: '' } }))).toEqual({ metadata: {} });
  });

  const keys = (count: number, start = 0) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${start + at}`, at]));

  test('50 keys are allowed and 51 are not, counted after the merge', async () => {
    const { id } = (await account.test.post(path, { metadata: keys(50) })).json;
    expectRefusal(
      await account.test.post(`${path}/${id}`, { metadata: keys(1, 50) }),
      'metadata_too_many_keys',
      'metadata',
    );
    const swapped = await account.test.post(`${path}/${id}`, { metadata: { ...keys(1, 50), 'key 0': null } });
    expect(Object.keys(swapped.json.metadata).length).toBe(50);
    expectRefusal(await refused.test.post(path, { metadata: keys(51) }), 'metadata_too_many_keys', 'metadata');
  });

  test('limits count characters: 40 of them in a key, 500 in a value', async () => {
    const metadata = { ['😀'.repeat(40)]: '😀'.repeat(500) };
    expect(supplied(await account.test.post(path, { metadata }))).toEqual({ metadata });
    expectRefusal(
      await refused.test.post(path, { metadata: { ['é'.repeat(41)]: 'x' } }),
      'metadata_key_too_long',
      'metadata',
    );
    const long = { metadata: { note: 'x'.repeat(501) } };
    expectRefusal(await refused.test.post(path, long), 'metadata_value_too_long', 'metadata.note');
  });

  test.each([
    ['an object', { a: {} }],
    ['a list', { a: [1] }],
  ])('a value cannot be %s', async (_what, metadata) => {
    expectRefusal(await refused.test.post(path, { metadata }), 'metadata_value_invalid', 'metadata.a');
  });

  test('a value cannot be nested by a form either', async () => {
    expectRefusal(await refused.test.form(path, 'metadata[a][b]=c'), 'metadata_value_invalid', 'metadata.a');
    expectRefusal(await refused.test.form(path, 'metadata[a][]=c'), 'metadata_value_invalid', 'metadata.a');
  });

  test('a key has at least one character', async () => {
    expectRefusal(await refused.test.post(path, { metadata: { '': 'x' } }), 'parameter_invalid', 'metadata');
  });

  test('names with a meaning in JavaScript are ordinary keys', async () => {
    const metadata = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd', length: 1 };
    const made = await account.test.post(path, { metadata });
    expect(supplied(made)).toEqual({ metadata });
    expect((await account.test.get(`${path}/${made.json.id}`)).text).toBe(made.text);
  });
});

describe('the size of a body', () => {
  test('256 KiB are accepted, with a length and chunked', async () => {
    expect(supplied(await account.test.post(path, padded(bytesMax), typed(json)))).toMatchObject({ name: 'Ada' });
    const head = `${rawHead(`POST ${path}`, account.testKey)}Content-Type: ${json}\r\n`;
    expect(supplied(await sendRaw(server, head + chunked(padded(bytesMax))))).toMatchObject({ name: 'Ada' });
  });

  test('one byte more is refused, with a length and chunked', async () => {
    expectRefusal(await refused.test.post(path, padded(bytesMax + 1), typed(json)), 'body_too_large');
    const head = `${rawHead(`POST ${path}`, refused.testKey)}Content-Type: ${json}\r\n`;
    expectRefusal(await sendRaw(server, head + chunked(padded(bytesMax + 1))), 'body_too_large');
  });

  test('a length of petabytes is refused before any of it is sent', async () => {
    const head = `${rawHead(`POST ${path}`, refused.testKey)}Content-Type: ${json}\r\n`;
    expectRefusal(await sendRaw(server, `${head}Content-Length: 9007199254740991\r\n\r\n`), 'body_too_large');
  });

  test.each([
    ['by length', (body: Buffer) => `Content-Length: ${body.length}\r\n\r\n${body.toString('latin1')}`],
    ['in chunks', chunked],
  ])(
    'after a body of 2 MB %s the connection serves the next request, or says that it will not',
    async (_how, frame) => {
      const line = await dial({ port: server.gateway.port, ca: server.ca });
      const head = `Authorization: Bearer ${refused.testKey}\r\nContent-Type: ${json}\r\n`;
      line.socket.write(`POST ${path} HTTP/1.1\r\n${host}${head}${frame(padded(2_000_000))}`);
      await becomes(() => line.received()).toContain('body_too_large');
      const [first] = parseAnswers(line.received());
      expectRefusal(first!, 'body_too_large');
      if (first!.headers.connection === 'close') return;
      line.socket.write(`GET /healthz HTTP/1.1\r\n${host}${close}\r\n`);
      await line.ended;
      expect(parseAnswers(line.received()).map((answer) => answer.status)).toEqual([400, 200]);
    },
  );

  test('a key without the scope to write is refused before its body is read', async () => {
    const { client } = await server.key(refused.id, { scopes: ['customers:read'] });
    expectRefusal(await client.post(path, padded(bytesMax + 1), typed(json)), 'scope_missing');
  });
});

const surrogate = String.raw`"\ud83d"`;
const nul = String.raw`"a\u0000b"`;
const badJson: [what: string, body: string | Buffer, param?: string][] = [
  ['not JSON', '{"name":}'],
  ['cut off', '{"name":"Ada"'],
  ['two values', '{}{}'],
  ['a comment', '{/**/}'],
  ['a trailing comma', '{"name":"Ada",}'],
  ['single quotes', "{'name':'Ada'}"],
  ['a list', '[]'],
  ['a text', '"name"'],
  ['null', 'null'],
  ['a number', '5'],
  ['white space only', ' '],
  ['a byte order mark', '\ufeff{}'],
  ['a form under the name of JSON', 'name=Ada'],
  ['33 levels', `{"metadata":${'{"a":'.repeat(32)}1${'}'.repeat(32)}}`],
  ['100,000 brackets', '['.repeat(100_000)],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')])],
  ['an overlong encoding', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
  ['a surrogate as UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
  ['NUL in a value', `{"name":${nul}}`, 'name'],
  ['NUL in a key', `{"metadata":{${nul}:1}}`, 'metadata'],
  ['a raw NUL', '{"name":"\0"}', 'name'],
  ['half a surrogate pair', `{"name":${surrogate}}`, 'name'],
  ['half a surrogate pair in a key', `{"metadata":{${surrogate}:1}}`, 'metadata'],
  ['a key twice', '{"name":"Ada","name":"Bob"}', 'name'],
  ['a key twice, once escaped', String.raw`{"name":"Ada","n\u0061me":"Bob"}`, 'name'],
  ['a metadata key twice', '{"metadata":{"a":1,"a":1}}', 'metadata.a'],
  ['__proto__', '{"__proto__":{}}', '__proto__'],
  ['__proto__ in metadata', '{"metadata":{"__proto__":1}}', 'metadata.__proto__'],
  ['__proto__, escaped', String.raw`{"metadata":{"\u005f_proto__":1}}`, 'metadata.__proto__'],
  ['2^53 + 1', '{"metadata":{"a":9007199254740993}}', 'metadata.a'],
  ['1e400', '{"metadata":{"a":1e400}}', 'metadata.a'],
  ['1e-400', '{"metadata":{"a":1e-400}}', 'metadata.a'],
];

const badForms: [what: string, body: string | Buffer, param?: string][] = [
  ['JSON under the name of a form', '{"name":"Ada"}'],
  ['a value twice', 'name=Ada&name=Bob', 'name'],
  ['two shapes', 'metadata=x&metadata[a]=y', 'metadata'],
  ['brackets that do not match', 'metadata[a=x', 'metadata'],
  ['a bad escape', 'name=%zz', 'name'],
  ['invalid UTF-8 in an escape', 'name=%c3%28', 'name'],
  ['invalid UTF-8', Buffer.from([...Buffer.from('name='), 0xff])],
  ['a surrogate in an escape', 'name=%ed%a0%80', 'name'],
  ['NUL', 'name=a%00b', 'name'],
  ['NUL in a name', 'a%00b=c'],
  ['__proto__', '__proto__=1', '__proto__'],
  ['__proto__ in metadata', 'metadata[__proto__]=1', 'metadata.__proto__'],
  ['a name that is empty', '=x'],
  ['33 levels', `metadata${'[a]'.repeat(32)}=1`],
  ['1,001 parameters', Array.from({ length: 1_001 }, (_, at) => `metadata[k${at}]=1`).join('&')],
];

describe('a faulty body is refused, never repaired', () => {
  test.each(badJson)('JSON: %s', async (_what, body, param) => {
    const answer = await refused.test.post(path, body, typed(json));
    expectRefusal(answer, param === undefined ? 'body_invalid' : 'parameter_invalid', param);
  });

  test.each(badForms)('form: %s', async (_what, body, param) => {
    const answer = await refused.test.post(path, body, typed(form));
    expectErrorShape(answer);
    expect(answer.json.error.code).toMatch(/^(body|parameter)_invalid$/);
    expect(answer.json.error.param).toBe(param);
  });

  test.each(
    badForms.filter(([, body]) => typeof body === 'string').map(([what, body]) => [what, String(body)] as const),
  )('query: %s', async (_what, query) => {
    const answer = await refused.test.get(`${path}?${encodeURI(query).replaceAll('%25', '%')}`);
    expectErrorShape(answer);
    expect(answer.status).toBe(400);
  });

  test('the message never repeats a value', async () => {
    for (const body of ['{"name":"4242424242424242","name":1}', '{"name":4242424242424242', '4242424242424242'])
      expect((await refused.test.post(path, body, typed(json))).text).not.toContain('4242');
    expect((await refused.test.form(path, 'name=4242424242424242&name=1')).text).not.toContain('4242');
  });

  test('none of these requests stored anything', async () => {
    expect((await refused.test.get(path)).json.data).toEqual([]);
    expect((await refused.test.get('/v1/events')).json.data).toEqual([]);
  });
});

describe('an unusual but valid value is returned unchanged', () => {
  test.each([
    ['text of many kinds', 'Zoë 張偉 مرحبا 👩‍👩‍👧‍👦 é \u2028 <b>&amp;</b> \\ "quoted" \' ; -- \t %s'],
    ['256 characters beyond the first plane', '😀'.repeat(256)],
    ['white space around it', '  Ada  '],
  ])('%s', async (_what, name) => {
    const made = await account.test.post(path, { name, metadata: { name } });
    expect(supplied(made)).toEqual({ name, metadata: { name } });
    expect((await account.test.get(`${path}/${made.json.id}`)).text).toBe(made.text);
    const asForm = await account.test.form(path, `name=${encodeURIComponent(name)}`);
    expect(supplied(asForm)).toEqual({ name, metadata: {} });
  });

  test('numbers keep their value, and keys their order', async () => {
    const body = '{"metadata":{"z":0.1,"y":9007199254740991,"x":-1.5e-7,"w":1e21,"10":1,"v":100.0,"u":-0}}';
    const made = await account.test.post(path, body, typed(json));
    expect(made.text).toContain('{"10":1,"z":0.1,"y":9007199254740991,"x":-1.5e-7,"w":1e+21,"v":100,"u":0}');
    expect((await account.test.get(`${path}/${made.json.id}`)).text).toBe(made.text);
  });

  test('32 levels are read, and refused by the check of parameters', async () => {
    const body = `{"metadata":${'{"a":'.repeat(31)}1${'}'.repeat(31)}}`;
    expectRefusal(await refused.test.post(path, body, typed(json)), 'metadata_value_invalid', 'metadata.a');
  });
});

describe('a header that must be unambiguous is refused when it is repeated', () => {
  test.each([
    ['Host', 'localhost'],
    ['Authorization', 'Bearer sk_test_tg_x'],
    ['Idempotency-Key', 'a'],
    ['Content-Type', json],
    ['X-Service-Version', '1'],
    ['X-Service-Signature', 'sha256=00'],
    ['X-Service-Timestamp', '1'],
  ])('%s', async (name, value) => {
    const given = { Host: 'localhost', Authorization: `Bearer ${refused.testKey}`, 'Content-Type': json };
    const headers = Object.entries({ [name]: value, ...given }).map(([each, of]) => `${each}: ${of}\r\n`);
    for (const again of [value, `${value}x`, '']) {
      const bytes = `POST ${path} HTTP/1.1\r\n${close}${headers.join('')}${name.toUpperCase()}: ${again}\r\nContent-Length: 2\r\n\r\n{}`;
      expectRefusal(await sendRaw(server, bytes), 'header_repeated', name);
    }
  });

  test('Content-Length, which the parser refuses first', async () => {
    const head = `${rawHead(`POST ${path}`, refused.testKey)}Content-Type: ${json}\r\n`;
    for (const again of ['2', '3']) {
      const answer = await sendRaw(server, `${head}Content-Length: 2\r\nContent-Length: ${again}\r\n\r\n{}`);
      expectRefusal(answer, 'request_malformed');
    }
  });
});
