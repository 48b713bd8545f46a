import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { close, dial, host, say } from '../../http/transport/harness.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectRefusal, parseAnswers, rawHead, sendRaw } from './support.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

describe('a plain HTTP request to the TLS port', () => {
  test.each([
    [
      'that would create something',
      () => `${rawHead('POST /v1/customers', account.testKey)}Content-Length: 2\r\n\r\n{}`,
    ],
    ['that would keep its connection', () => `GET /healthz HTTP/1.1\r\n${host}\r\n`],
    ['that is followed by another', () => `GET /healthz HTTP/1.1\r\n${host}\r\nGET /version HTTP/1.1\r\n${host}\r\n`],
    ['that claims to come from a proxy', () => `${rawHead('GET /healthz')}X-Forwarded-Proto: https\r\n\r\n`],
    ['that is HEAD', () => `${rawHead('HEAD /healthz')}\r\n`],
    ['that is not even HTTP', () => 'EHLO example.com\r\n'],
  ])('%s gets one readable refusal, the connection is closed, and nothing is done', async (_what, bytes) => {
    const { text, ended } = await say({ port: server.gateway.port }, bytes());
    expect(ended).toBe('end');
    const answers = parseAnswers(text);
    expect(answers.length).toBe(1);
    expectRefusal(answers[0]!, 'https_required');
    expect(answers[0]!.headers.connection).toBe('close');
    expect((await account.test.get('/v1/customers')).json.data).toEqual([]);
  });

  test('is not redirected', async () => {
    const answer = await sendRaw(server, `${rawHead('GET /docs')}\r\n`, { tls: false });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  });
});

describe('TLS', () => {
  test.each([
    ['TLSv1', false],
    ['TLSv1.1', false],
    ['TLSv1.2', true],
    ['TLSv1.3', true],
  ] as const)('%s is spoken: %s', async (version, spoken) => {
    const ciphers = 'DEFAULT@SECLEVEL=0'; // clients refuse old versions by default
    const options = { minVersion: version, maxVersion: version, ciphers };
    const line = await dial({ port: server.gateway.port, ca: server.ca }, options);
    if (spoken) line.socket.write(`GET /healthz HTTP/1.1\r\n${host}${close}\r\n`);
    expect(await line.ended).toBe(spoken ? 'end' : 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
    expect(line.received().startsWith('HTTP/1.1 200 OK\r\n')).toBe(spoken);
  });
});
