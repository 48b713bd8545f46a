import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
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

describe('what the balance is made of', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it by shape
  const partsOf = async (account: TestAccount): Promise<any> => (await account.test.get('/v1/balance/breakdown')).json;
  const at = (days: number) => ({ at: clock.now() + days * day });
  const midnight = (days: number) => Math.floor((clock.now() + days * day) / day) * 86_400;
  const accountWith = async (wishes: Wish[]) => {
    const account = await server.account();
    const tenant = await tenantOf(server.sql, account);
    for (const one of wishes) await addPosting(server.sql, tenant, one);
    return account;
  };

  test('is listed by kind for 30 days, and says until when less than nothing is available', async () => {
    const account = await accountWith([
      wish('payment', 9_000, { ...at(-60), inDays: 2 }), // before the 30 days
      wish('refund', 9_500, at(-40)),
      wish('payment', 4_000, { ...at(-5), inDays: 2 }),
      wish('fee', 140, { ...at(-5), inDays: 2 }),
      wish('refund', 3_000, at(-1)),
      wish('refund_settled', 3_000, at(0)),
      wish('refund_bounce', 500, at(0)),
      wish('dispute', 2_000, at(-3)),
      wish('dispute', 1_000, at(-3)),
      wish('dispute_reversal', 1_000, at(0)),
      wish('payment', 700, { ...at(0), inDays: 1 }),
      wish('payment', 1_200, { ...at(0), inDays: 2 }),
      wish('fee', 100, { ...at(0), inDays: 2 }),
      wish('payment', 50, { ...at(0), currency: 'jpy' }),
      wish('dispute', 80, { ...at(0), currency: 'kwd' }),
      wish('payment', 30, { ...at(0), currency: 'kwd', inDays: 7 }),
    ]);
    const nothing = {
      opening: 0,
      payments: 0,
      fees: 0,
      refunds: 0,
      disputes: 0,
      pending: 0,
      disputed: 0,
      upcoming: [],
    };
    expect(await partsOf(account)).toEqual({
      object: 'balance_breakdown',
      since: midnight(-30),
      data: [
        {
          ...{ currency: 'eur', available: -1_140, opening: -500, payments: 4_000, fees: -140, refunds: -2_500 },
          ...{ disputes: -2_000, pending: 1_800, disputed: 2_000 },
          upcoming: [
            { available_on: midnight(1), amount: 700, available_after: -440 },
            { available_on: midnight(2), amount: 1_100, available_after: 660 },
          ],
          covered_on: midnight(2),
        },
        { ...nothing, currency: 'jpy', available: 50, payments: 50 },
        {
          ...{ ...nothing, currency: 'kwd', available: -80, disputes: -80, pending: 30, disputed: 80 },
          upcoming: [{ available_on: midnight(7), amount: 30, available_after: -50 }],
        },
      ],
    });
    expect(await partsOf(await server.account())).toMatchObject({ data: [] });
  });

  test('is the balance and the transactions, whatever has moved it, before and after it is sealed', async () => {
    const shownKinds = [
      'payment',
      'fee',
      'refund',
      'refund_failure',
      'refund_bounce',
      'refund_correction',
      'dispute',
    ] as const;
    const moreKinds = [
      'dispute_reversal',
      'payment_correction',
      'fee_correction',
      'refund_settled',
      'dispute_lost',
    ] as const;
    const kinds = [...shownKinds, ...moreKinds];
    const ofLater: readonly string[] = ['payment', 'fee', 'payment_correction', 'fee_correction'];
    const wishes = Array.from({ length: 180 }, (_, n): Wish => {
      const kind = kinds[n % kinds.length]!;
      const currency = ['eur', 'jpy', 'kwd'][Math.floor(n / 7) % 3]!;
      return wish(kind, 100 + ((n * 7_919) % 900), {
        ...at(-((n * 31) % 70)),
        currency,
        ...(ofLater.includes(kind) && { inDays: n % 9 }),
      });
    });
    const account = await accountWith(wishes);
    const check = async () => {
      const { data, since } = await partsOf(account);
      const { available, pending, disputed } = (await account.test.get('/v1/balance')).json;
      const amounts = (list: { currency: string; amount: number }[]) => list.map(({ amount }) => amount);
      const member = (name: string) => data.map((one: Record<string, number>) => one[name]);
      expect(member('available')).toEqual(amounts(available));
      expect(member('pending')).toEqual(amounts(pending));
      expect(member('disputed')).toEqual(amounts(disputed));
      const all: { type: string; amount: number; currency: string; available_on: number; status: string }[] = [];
      for (let after = ''; ; after = `&starting_after=${(all.at(-1) as unknown as { id: string }).id}`) {
        const page = (await account.test.get(`/v1/balance/transactions?limit=100${after}`)).json;
        all.push(...page.data);
        if (!page.has_more) break;
      }
      for (const parts of data) {
        const sum = (of: RegExp) =>
          all
            .filter((one) => one.currency === parts.currency && one.status === 'available' && one.available_on >= since)
            .filter(({ type }) => of.test(type))
            .reduce((total, { amount }) => total + amount, 0);
        const { payments, fees, refunds, disputes } = parts;
        expect([payments, fees, refunds, disputes]).toEqual([/^payment/, /^fee/, /^refund/, /^dispute/].map(sum));
      }
    };
    await check();
    await server.settled();
    const unsealed = async () =>
      (await server.sql.query('select 1 from postings p cross join ledger_sealer s where p.position >= s.sealed_to'))
        .rowCount;
    await expect.poll(unsealed).toBe(0);
    await check();
  });

  test('is for keys with the scope balance:read', async () => {
    const account = await server.account();
    const { client } = await server.key(account.id, { scopes: ['payments:write'] });
    expectRefusal(await client.get('/v1/balance/breakdown'), 'scope_missing');
  });
});
