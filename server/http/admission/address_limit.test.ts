import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { AddressLimiter } from './address_limit.ts';

const start = Date.UTC(2026, 2, 1, 12, 0, 20); // twenty seconds into a minute
const client = '192.0.2.1';

function use(limiter: AddressLimiter, address: string, times: number): boolean[] {
  return Array.from({ length: times }, () => limiter.take(address).admitted);
}

describe('requests without a key, counted by address', () => {
  test('are limited to a hundred per minute, and see how many are left', () => {
    const limiter = new AddressLimiter(virtualClock(start));
    expect(limiter.take(client)).toEqual({
      admitted: true,
      state: { policy: 'address', limit: 100, remaining: 99, reset: start / 1_000 + 40, secondsLeft: 40 },
    });
    expect(use(limiter, client, 99)).not.toContain(false);
    expect(limiter.take(client)).toMatchObject({ admitted: false, state: { remaining: 0, secondsLeft: 40 } });
  });

  test('get a new window with the next minute of the clock, not a minute after the first request', () => {
    const clock = virtualClock(start);
    const limiter = new AddressLimiter(clock);
    use(limiter, client, 101);
    clock.advance(39_999);
    expect(limiter.take(client)).toMatchObject({ admitted: false, state: { secondsLeft: 1 } });
    clock.advance(1);
    expect(limiter.take(client)).toMatchObject({
      admitted: true,
      state: { remaining: 99, reset: start / 1_000 + 100, secondsLeft: 60 },
    });
  });

  test('of other processes on the port are counted too; each receives what was counted here, up to the limit', () => {
    const told: unknown[] = [];
    const limiter = new AddressLimiter(virtualClock(start), (address, counted) => told.push([address, counted]));
    use(limiter, client, 40);
    limiter.countAlso([
      [client, 60, 15],
      ['192.0.2.2', 1, 0],
    ]);
    expect(limiter.take(client).admitted).toBe(false);
    expect(limiter.peek('192.0.2.2').remaining).toBe(99);
    expect(limiter.lookupsLeft(client)).toBe(5);
    limiter.countLookup(client);
    expect(limiter.lookupsLeft(client)).toBe(4);
    expect(told).toEqual([...Array(40).fill([client, 'request']), [client, 'lookup']]);
  });

  test('of one /48 beyond its limit take no place from other addresses, however many /64 they come from', () => {
    const limiter = new AddressLimiter(virtualClock(start));
    for (const site of ['2001:db8:1', '2001:db8:2'])
      for (let network = 0; network < 65_536; network++) limiter.take(`${site}:${network.toString(16)}::1`);
    expect(limiter.take(client)).toMatchObject({ admitted: true, state: { remaining: 99 } });
    expect(limiter.take('2001:db8:1::1').admitted).toBe(false);
  });

  test('for pages that are asked for while somebody types have their own window', () => {
    const told: unknown[] = [];
    const limiter = new AddressLimiter(virtualClock(start), (_, counted) => told.push(counted));
    expect(limiter.take(client, 'page').state).toMatchObject({ policy: 'page', limit: 300, remaining: 299 });
    limiter.countAlso([[client, 0, 0, 298]]);
    expect([limiter.take(client, 'page').admitted, limiter.take(client, 'page').admitted]).toEqual([true, false]);
    expect(limiter.peek(client)).toMatchObject({ policy: 'address', remaining: 100 });
    expect(told).toEqual(['page', 'page']);
  });

  test('for pages of customers have a window that nothing else uses up', () => {
    const told: unknown[] = [];
    const limiter = new AddressLimiter(virtualClock(start), (_, counted) => told.push(counted));
    limiter.countAlso([[client, 100, 0, 300, 299]]);
    expect(limiter.take(client, 'customer')).toMatchObject({
      admitted: true,
      state: { policy: 'customer', limit: 300 },
    });
    expect(limiter.take(client, 'customer').admitted).toBe(false);
    expect(told).toEqual(['customer']);
  });

  test('are not counted by `peek`', () => {
    const limiter = new AddressLimiter(virtualClock(start));
    for (let i = 0; i < 200; i++) limiter.peek(client);
    expect(limiter.peek(client).remaining).toBe(100);
    limiter.take(client);
    expect(limiter.peek(client).remaining).toBe(99);
  });

  const pairs: [string, string, string, boolean][] = [
    ['two IPv4 addresses', '192.0.2.1', '192.0.2.2', false],
    ['two addresses of one IPv6 /64', '2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', true],
    ['one IPv6 address in two spellings', '2001:db8::1', '2001:0db8:0000:0000:0000:0000:0000:0001', true],
    ['two neighbouring /64', '2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['two networks whose notations begin alike', '2001:db8:1::1', '2001:db8:11::1', false],
    ['an unknown address and a known one', 'unknown', '192.0.2.1', false],
  ];
  test.each(pairs)('%s share a window: %s and %s → %s', (_, first, second, shared) => {
    const limiter = new AddressLimiter(virtualClock(start));
    use(limiter, first, 100);
    expect(limiter.take(second).admitted).toBe(!shared);
  });

  test('of one IPv6 /48 are limited together as well, to five times as many', () => {
    const clock = virtualClock(start);
    const limiter = new AddressLimiter(clock);
    for (let at = 0; at < 500; at++) expect(limiter.take(`2001:db8:7:${at.toString(16)}::1`).admitted).toBe(true);
    expect(limiter.take('2001:db8:7:ffff::1')).toMatchObject({ admitted: false, state: { limit: 500, remaining: 0 } });
    expect(limiter.take('2001:db8:8::1')).toMatchObject({ admitted: true, state: { limit: 100, remaining: 99 } });
    clock.advance(60_000);
    expect(limiter.take('2001:db8:7:ffff::1').admitted).toBe(true);
  });

  test('have twenty lookups beyond the limit, and those of one IPv6 /48 a hundred', () => {
    const limiter = new AddressLimiter(virtualClock(start));
    expect(limiter.lookupsLeft(client)).toBe(100);
    use(limiter, client, 100);
    expect(limiter.lookupsLeft(client)).toBe(20);
    for (let at = 0; at < 25; at++) limiter.countLookup(client);
    expect(limiter.lookupsLeft(client)).toBe(0);
    for (let network = 0; network < 6; network++) {
      const address = `2001:db8:9:${network}::1`;
      use(limiter, address, 100);
      expect(limiter.lookupsLeft(address)).toBe(network < 5 ? 20 : 0);
      for (let at = 0; at < 20; at++) limiter.countLookup(address);
    }
  });

  test('get no new window when the clock jumps, in either direction', () => {
    let wall = start;
    const clock = { now: () => wall, monotonic: () => 5_000, ahead: () => 0 };
    const limiter = new AddressLimiter(clock);
    use(limiter, client, 100);
    for (const jump of [-3_600_000, 7_200_000, -60_000]) {
      wall += jump;
      expect(limiter.take(client).admitted).toBe(false);
    }
  });

  test('from new addresses share one window once a hundred thousand addresses were seen in a minute', () => {
    const clock = virtualClock(start);
    const limiter = new AddressLimiter(clock);
    for (let i = 0; i < 100_000; i++) limiter.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(use(limiter, '192.0.2.1', 60)).not.toContain(false);
    expect(use(limiter, '192.0.2.2', 41).filter((admitted) => !admitted)).toHaveLength(1);
    // Addresses seen before keep their own window.
    expect(limiter.take('10.0.0.0').state.remaining).toBe(98);
    clock.advance(60_000);
    expect(limiter.take('192.0.2.1').state.remaining).toBe(99);
  });
});
