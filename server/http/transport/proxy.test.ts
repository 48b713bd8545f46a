import { describe, expect, test } from 'vitest';
import { behindProxy, close, eventually, host, refused, say } from './harness.ts';

describe('behind a proxy', () => {
  const forwarded = (value: string) => `GET /a HTTP/1.1\r\n${host}${close}X-Forwarded-Proto: ${value}\r\n\r\n`;
  const cases: [string, string[], string, boolean][] = [
    ['a trusted peer with https', ['127.0.0.1'], forwarded('https'), true],
    ['a trusted network', ['10.0.0.0/8', '127.0.0.0/8'], forwarded('https'), true],
    ['HTTPS in capitals', ['127.0.0.1'], forwarded('HTTPS'), true],
    ['an untrusted peer', ['10.0.0.0/8'], forwarded('https'), false],
    ['nobody trusted', [], forwarded('https'), false],
    ['no scheme', ['127.0.0.1'], `GET /a HTTP/1.1\r\n${host}${close}\r\n`, false],
    ['an empty scheme', ['127.0.0.1'], forwarded(''), false],
    ['http', ['127.0.0.1'], forwarded('http'), false],
    ['two schemes', ['127.0.0.1'], forwarded('http, https'), false],
    ['two schemes, https first', ['127.0.0.1'], forwarded('https, http'), false],
    ['two headers', ['127.0.0.1'], forwarded('https\r\nX-Forwarded-Proto: https'), false],
  ];

  test.each(cases)('%s', async (_name, trusted, bytes, isServed) => {
    const running = await behindProxy(trusted);
    const { text, ended } = await say(running, bytes);
    expect(text).toEqual(isServed ? expect.stringContaining('GET /a 0') : refused('https_required'));
    expect(running.handled).toEqual(isServed ? ['GET /a'] : []);
    expect(ended).toBe('end');
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test('a trusted proxy that is not an address is a configuration error', async () => {
    await expect(behindProxy(['proxy.internal'])).rejects.toThrow('proxy.internal');
  });
});
