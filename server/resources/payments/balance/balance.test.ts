import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { expectCommonHeaders, expectRefusal } from '../../../test/http/support.ts';
import { serializeBalance } from './operations.ts';
import { addPosting, tenantOf, type Wish } from './postings.fixture.ts';

const day = 86_400_000;
const noon = Math.floor(Date.now() / day) * day + day / 2;
const clock = virtualClock(noon);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.stop());

type Amount = number | bigint;
const list = (amounts: Record<string, Amount>) =>
  `[${Object.entries(amounts).map(([currency, amount]) => `{"amount":${amount},"currency":"${currency}"}`)}]`;
const body = (available: Record<string, Amount>, pending: Record<string, Amount>, disputed: Record<string, Amount>) =>
  `{"object":"balance","available":${list(available)},"pending":${list(pending)},"disputed":${list(disputed)}}`;

let sources = 0;
const wish = (kind: Wish['kind'], amount: number, more: Partial<Wish> = {}): Wish => ({
  ...{ kind, amount, at: noon, source: `py_${sources++}`, ...more },
});

describe('the balance', () => {
  const cases: [what: string, wishes: Wish[], shown: string][] = [
    ['nothing', [], body({}, {}, {})],
    ['a payment of today', [wish('payment', 500)], body({ eur: 500 }, { eur: 0 }, { eur: 0 })],
    [
      'a payment and its fee, which wait',
      [wish('payment', 500, { inDays: 2 }), wish('fee', 40, { inDays: 2 })],
      body({ eur: 0 }, { eur: 460 }, { eur: 0 }),
    ],
    [
      'a refund of what is still pending',
      [wish('payment', 500, { inDays: 2 }), wish('refund', 200)],
      body({ eur: -200 }, { eur: 500 }, { eur: 0 }),
    ],
    ['a dispute', [wish('payment', 500), wish('dispute', 500)], body({ eur: 0 }, { eur: 0 }, { eur: 500 })],
    [
      'a dispute that was lost',
      [wish('payment', 500), wish('dispute', 500), wish('dispute_lost', 500)],
      body({ eur: 0 }, { eur: 0 }, { eur: 0 }),
    ],
    [
      'several currencies, in their order',
      [wish('payment', 3, { currency: 'usd' }), wish('payment', 1), wish('payment', 2, { currency: 'jpy', inDays: 1 })],
      body({ eur: 1, jpy: 0, usd: 3 }, { eur: 0, jpy: 2, usd: 0 }, { eur: 0, jpy: 0, usd: 0 }),
    ],
    [
      'more than a double holds',
      [wish('payment', Number.MAX_SAFE_INTEGER), wish('payment', 2)],
      body({ eur: 9_007_199_254_740_993n }, { eur: 0 }, { eur: 0 }),
    ],
  ];
  test.each(cases)('of %s', async (_what, wishes, shown) => {
    const account = await server.account();
    const tenant = await tenantOf(server.sql, account);
    for (const one of wishes) await addPosting(server.sql, tenant, one);
    const answer = await account.test.get('/v1/balance');
    expect([answer.status, answer.text]).toEqual([200, shown]);
    expectCommonHeaders(answer);
    expect((await account.live.get('/v1/balance')).text).toBe(body({}, {}, {}));
  });

  test('moves from pending to available when its day begins in UTC', async () => {
    const account = await server.account();
    await addPosting(server.sql, await tenantOf(server.sql, account), wish('payment', 500, { inDays: 1 }));
    clock.advance(day / 2 - 2_000);
    expect((await account.test.get('/v1/balance')).text).toBe(body({ eur: 0 }, { eur: 500 }, { eur: 0 }));
    clock.advance(4_000);
    expect((await account.test.get('/v1/balance')).text).toBe(body({ eur: 500 }, { eur: 0 }, { eur: 0 }));
  });

  test('is for keys with the scope balance:read, and takes no parameters', async () => {
    const account = await server.account();
    const without = await server.key(account.id, { scopes: ['payments:write'] });
    expectRefusal(await without.client.get('/v1/balance'), 'scope_missing');
    expectRefusal(await account.test.get('/v1/balance?currency=eur'), 'parameter_unknown', 'currency');
  });

  test('is written digit by digit, however large it is', () => {
    const sums = { currency: 'eur', available: '-123456789012345678901', pending: '0', disputed: '9007199254740993' };
    expect(JSON.stringify(serializeBalance([sums]))).toBe(
      body({ eur: -123_456_789_012_345_678_901n }, { eur: 0 }, { eur: 9_007_199_254_740_993n }),
    );
  });
});
