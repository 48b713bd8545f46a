import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { parseRanges } from '../../base/ip_range.ts';
import { clientAddress } from './client_address.ts';

function request(peer: string | undefined, ...forwarded: string[]): IncomingMessage {
  const headersDistinct = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {};
  return { socket: { remoteAddress: peer }, headersDistinct } as unknown as IncomingMessage;
}

describe('clientAddress', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];
  const cases: [string, string[] | undefined, string | undefined, string[], string][] = [
    ['is the peer without a proxy', undefined, '203.0.113.9', [], '203.0.113.9'],
    ['ignores the header without a proxy', undefined, '10.0.0.1', ['198.51.100.1'], '10.0.0.1'],
    ['writes mapped IPv4 as IPv4', undefined, '::ffff:203.0.113.9', [], '203.0.113.9'],
    ['writes IPv6 in its short form', undefined, '2001:0db8:0:0::0001', [], '2001:db8::1'],
    ['drops the zone of a link-local address', undefined, 'fe80::1%eth0', [], 'fe80::1'],
    ['is unspecified when the peer is gone', undefined, undefined, [], '0.0.0.0'],
    ['ignores the header of an untrusted peer', proxies, '203.0.113.9', ['198.51.100.1'], '203.0.113.9'],
    ['ignores the header when no proxy is trusted', [], '10.0.0.1', ['198.51.100.1'], '10.0.0.1'],
    ['is the proxy itself when it sends no header', proxies, '10.0.0.1', [], '10.0.0.1'],
    ['takes the only entry', proxies, '10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['recognizes a proxy in mapped notation', proxies, '::ffff:10.0.0.1', ['198.51.100.1'], '198.51.100.1'],
    ['takes the rightmost of several', proxies, '10.0.0.1', ['1.1.1.1, 198.51.100.1'], '198.51.100.1'],
    ['skips trusted proxies', proxies, '10.0.0.1', ['1.1.1.1, 198.51.100.1, 10.9.9.9,192.0.2.7'], '198.51.100.1'],
    ['skips a proxy in mapped notation', proxies, '10.0.0.1', ['198.51.100.1, ::ffff:10.2.0.1'], '198.51.100.1'],
    [
      'reads several header lines as one list',
      proxies,
      '10.0.0.1',
      ['1.1.1.1', '198.51.100.1', '10.3.0.1'],
      '198.51.100.1',
    ],
    ['is the leftmost proxy when every entry is one', proxies, '10.0.0.1', ['10.5.5.5, 10.6.6.6'], '10.5.5.5'],
    ['stops at an entry that is not an address', proxies, '10.0.0.1', ['1.1.1.1, unknown, 10.6.6.6'], '10.6.6.6'],
    ['stops at an unusual notation', proxies, '10.0.0.1', ['1.1.1.1, 0x7f.1'], '10.0.0.1'],
    ['stops at an empty entry', proxies, '10.0.0.1', ['1.1.1.1, '], '10.0.0.1'],
    ['reads IPv6', proxies, 'fd00::2', ['2001:DB8::5, fd12::1'], '2001:db8::5'],
    ['reads IPv4 with a port', proxies, '10.0.0.1', ['198.51.100.1:4711'], '198.51.100.1'],
    ['reads IPv6 with a port', proxies, '10.0.0.1', ['[2001:db8::5]:4711'], '2001:db8::5'],
    ['reads IPv6 in brackets', proxies, '10.0.0.1', ['[2001:db8::5]'], '2001:db8::5'],
    ['writes a mapped entry as IPv4', proxies, '10.0.0.1', ['::ffff:198.51.100.1'], '198.51.100.1'],
  ];

  test.each(cases)('%s', (_name, trusted, peer, forwarded, expected) => {
    const parsed = trusted && parseRanges(trusted);
    expect(clientAddress(request(peer, ...forwarded), parsed)).toBe(expected);
  });
});

describe('the list of trusted proxies', () => {
  test.each([
    ['::ffff:10.0.0.0/104', '10.255.255.255', true],
    ['::ffff:10.0.0.0/104', '11.0.0.0', false],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    [' 10.0.0.1 ', '10.0.0.1', true],
    ['10.0.0.1/32', '10.0.0.2', false],
  ])('%s: is %s trusted? %s', (entry, peer, trusted) => {
    const address = clientAddress(request(peer, '198.51.100.1'), parseRanges([entry]));
    expect(address).toBe(trusted ? '198.51.100.1' : peer);
  });

  test.each([
    '',
    'localhost',
    '10.0.0',
    '10.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
    '::ffff:10.0.0.0/8',
  ])('refuses %j', (entry) => {
    expect(() => parseRanges(['10.0.0.1', entry])).toThrow(JSON.stringify(entry));
  });
});
