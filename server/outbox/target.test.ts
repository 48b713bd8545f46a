import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseRanges } from '../base/ip_range.ts';
import { oddLoopbackHosts, publicAddresses, refusedAddresses } from './addresses.fixture.ts';
import { type Lookup, nameLookup } from './resolve.ts';
import { checkTarget, isAllowedAddress, refuseUrl, type TargetRules } from './target.ts';

const strict: TargetRules = { httpAllowed: false, allowed: [] };
const local: TargetRules = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8', '::1']) };
const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('addresses', () => {
  for (const [kind, addresses] of Object.entries(refusedAddresses))
    test.each(addresses)(`${kind}: %s is refused`, async (address) => {
      expect(isAllowedAddress(address, strict)).toBe(false);
      expect(refuseUrl(`https://${hostOf(address)}/`, strict)).toBe('it does not lead to a public address');
      const leadsThere = checkTarget('https://hooks.example.com/', strict, async () => [address]);
      expect(await leadsThere).toBe('it does not lead to a public address');
    });

  test.each(publicAddresses)('%s is allowed', (address) => {
    expect(isAllowedAddress(address, strict)).toBe(true);
    expect(refuseUrl(`https://${hostOf(address)}/`, strict)).toBeUndefined();
  });

  test.each(['', 'x', '127', '1.1.1', 'localhost', '1.1.1.1/8'])('"%s" is no address and refused', (text) =>
    expect(isAllowedAddress(text, { httpAllowed: true, allowed: parseRanges(['0.0.0.0/0', '::/0']) })).toBe(false),
  );

  test('a range that the operator allows is allowed in every notation, and no other address is', () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', 'localhost'])
      expect(refuseUrl(`http://${host}:8080/`, local), host).toBeUndefined();
    for (const host of ['10.0.0.1', '[::2]', '169.254.169.254'])
      expect(refuseUrl(`http://${host}/`, local), host).toBeDefined();
  });
});

describe('the gateway itself', () => {
  const own = { addresses: new Set(['1.1.1.1', '2606:4700::1111']), publicUrl: 'https://pay.example.com:8443' };
  const guarded: TargetRules = { httpAllowed: true, allowed: [], own };
  const reason = 'it leads to this gateway itself';

  test.each(['http://1.1.1.1:9090/metrics', 'https://[2606:4700::1111]/', 'https://[::ffff:1.1.1.1]/'])(
    'is no target by an address of its machine: %s',
    (url) => expect(refuseUrl(url, guarded)).toBe(reason),
  );

  test('is no target by a name that leads to its machine, on any port', async () => {
    for (const url of ['https://hooks.example.com/', 'http://hooks.example.com:9090/'])
      expect(await checkTarget(url, guarded, async () => ['1.0.0.1', '1.1.1.1'])).toBe(reason);
    expect(await checkTarget('https://hooks.example.com/', guarded, async () => ['1.0.0.1'])).toBeUndefined();
  });

  test('is no target by the host and port of PUBLIC_URL, wherever that leads', async () => {
    const check = (url: string) => checkTarget(url, guarded, async () => ['1.0.0.1']);
    expect(await check('https://pay.example.com:8443/hook')).toBe(reason);
    expect(await check('https://PAY.example.com.:8443/hook')).toBe(reason);
    expect(await check('https://pay.example.com/hook')).toBeUndefined(); // a shop behind the same name
  });

  test('is a target where the operator allows its address', async () => {
    const open = { ...guarded, allowed: parseRanges(['1.1.1.1']) };
    expect(refuseUrl('http://1.1.1.1:9090/', open)).toBeUndefined();
    expect(await checkTarget('https://pay.example.com:8443/', open, async () => ['1.1.1.1'])).toBeUndefined();
  });
});

describe('ports', () => {
  test.each([80, 443, 1_024, 8_443, 65_535])('%s is allowed', (port) =>
    expect(refuseUrl(`https://1.1.1.1:${port}/`, strict)).toBeUndefined(),
  );

  test.each([1, 22, 25, 444, 1_023])('%s is refused, unless the operator allows the address', async (port) => {
    const reason = 'its port must be 80, 443 or above 1023';
    expect(refuseUrl(`https://1.1.1.1:${port}/`, strict)).toBe(reason);
    const leadsThere = checkTarget(`https://hooks.example.com:${port}/`, strict, async () => ['1.1.1.1']);
    expect(await leadsThere).toBe(reason);
    expect(refuseUrl(`http://127.0.0.1:${port}/`, local)).toBeUndefined();
  });
});

describe('ranges', () => {
  test('are read with or without a size, and IPv4-mapped IPv6 is IPv4', () => {
    const read = parseRanges(['10.0.0.0/8', ' 192.168.1.7 ', 'fd00::/8', '::1', '::ffff:10.0.0.0/104']);
    expect(read.map(([address, bits]) => `${address}/${bits}`)).toEqual([
      '10.0.0.0/8',
      '192.168.1.7/32',
      'fd00::/8',
      '::1/128',
      '10.0.0.0/8',
    ]);
  });

  test.each([
    '',
    '10',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    'localhost',
    '0x7f.1',
  ])('"%s" is refused with a sentence', (text) =>
    expect(() => parseRanges([text])).toThrow(`"${text}" is not a range of addresses`),
  );
});

describe('URLs', () => {
  test.each(oddLoopbackHosts)('https://%s/ is refused', (host) => {
    expect(refuseUrl(`https://${host}/`, strict)).toBe('it does not lead to a public address');
    expect(refuseUrl(`https://${host}:8443/path?x=1`, strict)).toBe('it does not lead to a public address');
  });

  test.each([
    ['', 'it is not a URL'],
    ['example.com', 'it is not a URL'],
    ['https://', 'it is not a URL'],
    ['https://exa mple.com/', 'it is not a URL'],
    ['https://example.com/\n', 'it is not a URL'],
    ['https://exam\tple.com/', 'it is not a URL'],
    ['https://example.com\\@127.0.0.1/', 'it is not a URL'],
    ['https://:8443/', 'it is not a URL'],
    ['https://user:secret@', 'it is not a URL'],
    ['https://exam%ple.com:99999/', 'it is not a URL'],
    ['https://[::1:99999/', 'it is not a URL'],
    ['https://1.2.3.4.5/', 'it is not a URL'],
    ['http://example.com/', 'it must begin with https://'],
    ['ftp://example.com/', 'it must begin with https://'],
    ['file:///etc/passwd', 'it must begin with https://'],
    ['https:example.com', 'it must begin with https://'],
    ['https:/example.com', 'it must begin with https://'],
    ['https://user@example.com/', 'it must not contain a user or a password'],
    ['https://user:secret@example.com/', 'it must not contain a user or a password'],
    ['https://:secret@example.com/', 'it must not contain a user or a password'],
    ['https://@example.com/', 'it must not contain a user or a password'],
    ['https:///user@example.com/', 'it must not contain a user or a password'],
    ['https:////:secret@example.com/', 'it must not contain a user or a password'],
    ['https://example.com/#part', 'it must not have a fragment'],
    ['https://example.com/#', 'it must not have a fragment'],
    ['https://example.com:0/', 'its port must be a number from 1 to 65535'],
    ['https://example.com:99999/', 'its port must be a number from 1 to 65535'],
    ['https://example.com:65536', 'its port must be a number from 1 to 65535'],
    ['https://example.com:port/hook', 'its port must be a number from 1 to 65535'],
    ['https://[2606:4700::1111]:99999?a=b', 'its port must be a number from 1 to 65535'],
    [`https://example.com/${'a'.repeat(2_048)}`, 'it is longer than 2048 characters'],
  ])('%j: %s', (url, reason) => expect(refuseUrl(url, strict)).toBe(reason));

  test.each([
    'https://example.com',
    'HTTPS://Example.COM/a?b=c@d',
    'https://example.com.:8443/',
    'https://bücher.example/',
    `https://example.com/${'a'.repeat(2_028)}`,
  ])('%s is allowed', (url) => expect(refuseUrl(url, strict)).toBeUndefined());

  test('http is allowed where the rules say so', () => {
    expect(refuseUrl('http://example.com/', local)).toBeUndefined();
    expect(refuseUrl('ws://example.com/', local)).toBe('it must begin with https:// or http://');
  });
});

describe('names', () => {
  const check = (addresses: string[]) => checkTarget('https://hooks.example.com/', strict, async () => addresses);

  test('one refused address among allowed ones refuses the name', async () => {
    expect(await check(['1.1.1.1', '2606:4700::1111'])).toBeUndefined();
    for (const bad of [
      ['1.1.1.1', '10.0.0.1'],
      ['::1', '1.1.1.1'],
      ['1.1.1.1', 'fe80::1'],
    ])
      expect(await check(bad)).toBe('it does not lead to a public address');
  });

  test('a name that does not resolve is refused', async () => {
    expect(await check([])).toBe('its name could not be resolved');
    const failing: Lookup = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await checkTarget('https://hooks.example.com/', strict, failing)).toBe('its name could not be resolved');
  });

  test('a literal address is never resolved', async () => {
    const never: Lookup = () => expect.fail('it was looked up');
    expect(await checkTarget('https://1.1.1.1/', strict, never)).toBeUndefined();
    expect(await checkTarget('https://[2606:4700::1111]/', strict, never)).toBeUndefined();
  });

  test('both A and AAAA records are queried, and an address in either counts', async () => {
    const lookup = nameLookup([await nameServer({ 1: [[1, 1, 1, 1]], 28: [[...Array(15).fill(0), 1]] })]);
    expect(await lookup('hooks.example.com')).toEqual(['1.1.1.1', '::1']);
    expect(await checkTarget('https://hooks.example.com/', strict, lookup)).toBe(
      'it does not lead to a public address',
    );
    const four = nameLookup([
      await nameServer({
        1: [
          [1, 1, 1, 1],
          [1, 0, 0, 1],
        ],
      }),
    ]);
    expect(await four('hooks.example.com')).toEqual(['1.1.1.1', '1.0.0.1']);
    expect(await nameLookup([await nameServer({})])('hooks.example.com')).toEqual([]);
  });

  test('names of this machine are resolved by the machine itself', async () => {
    const nobody = nameLookup(['127.0.0.1:9']);
    expect(await nobody('localhost')).toContain('127.0.0.1');
  });
});

/** A name server that gives these addresses, by type of record, for any name. */
async function nameServer(records: Record<number, number[][]>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    let end = 12;
    while (query[end] !== 0) end += query[end]! + 1;
    const question = query.subarray(12, end + 5);
    const answers = (records[query.readUInt16BE(end + 1)] ?? []).map((bytes) =>
      Buffer.from([0xc0, 12, 0, question.at(-3)!, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}
