import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import { AddressLimiter } from './address_limit.ts';

const start = Date.UTC(2026, 2, 1, 12, 0, 20); // twenty seconds into a minute
const client = '192.0.2.1';

function use(limiter: AddressLimiter, address: string, times: number): boolean[] {
  return Array.from({ length: times }, () => limiter.take(address).admitted);
}

describe('clients without a key, counted by address', () => {
  test('have a hundred requests in a minute of the clock, and see what is left', () => {
    const limiter = new AddressLimiter(virtualClock(start));
    expect(limiter.take(client)).toEqual({
      admitted: true,
      state: { policy: 'address', limit: 100, remaining: 99, reset: start / 1_000 + 40, secondsLeft: 40 },
    });
    expect(use(limiter, client, 99)).not.toContain(false);
    expect(limiter.take(client)).toMatchObject({ admitted: false, state: { remaining: 0, secondsLeft: 40 } });
  });

  test('begin again with the next minute of the clock, not a minute after their first request', () => {
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

  test('can be looked at without being counted', () => {
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
    ['two networks that only begin the same', '2001:db8:1::1', '2001:db8:11::1', false],
    ['something that is no address, and an address', 'unknown', '192.0.2.1', false],
  ];
  test.each(pairs)('%s share a window: %s and %s → %s', (_, first, second, shared) => {
    const limiter = new AddressLimiter(virtualClock(start));
    use(limiter, first, 100);
    expect(limiter.take(second).admitted).toBe(!shared);
  });

  test('are not given a new window by a clock that jumps, in either direction', () => {
    let wall = start;
    const clock = { now: () => wall, monotonic: () => 5_000, ahead: () => 0 };
    const limiter = new AddressLimiter(clock);
    use(limiter, client, 100);
    for (const jump of [-3_600_000, 7_200_000, -60_000]) {
      wall += jump;
      expect(limiter.take(client).admitted).toBe(false);
    }
  });

  test('share one window once a hundred thousand addresses have been seen in one minute', () => {
    const clock = virtualClock(start);
    const limiter = new AddressLimiter(clock);
    for (let i = 0; i < 100_000; i++) limiter.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    expect(use(limiter, '192.0.2.1', 60)).not.toContain(false);
    expect(use(limiter, '192.0.2.2', 41).filter((admitted) => !admitted)).toHaveLength(1);
    // Those who were there before keep their own.
    expect(limiter.take('10.0.0.0').state.remaining).toBe(98);
    clock.advance(60_000);
    expect(limiter.take('192.0.2.1').state.remaining).toBe(99);
  });
});
