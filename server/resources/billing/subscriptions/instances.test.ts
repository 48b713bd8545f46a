import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places, shareOf } from '../../../test/torture.ts';
import { Billing, cards, type Shown } from './billing.fixture.ts';

const dayMs = 86_400_000;

/** Two instances bill the same subscriptions of one database. */
describe.each(places)('with a %s processor', (SIMULATOR) => {
  let clock: VirtualClock;
  let servers: TestServer[];
  let account: TestAccount;
  let billing: Billing;

  beforeAll(async () => {
    clock = virtualClock(Date.now());
    const options = { environment: { SIMULATOR }, clock };
    const first = await startServer(options);
    servers = [first, await startServer({ ...options, databaseUrl: first.databaseUrl })];
  });
  afterAll(async () => {
    for (const one of servers.reverse()) await one.stop();
  });
  beforeEach(async () => {
    account = await servers[0]!.account();
    billing = new Billing(account);
  });

  async function passes(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await servers[0]!.settled();
  }

  async function dailySubscriptions(count: number, number = cards.pays): Promise<Shown[]> {
    const price = await billing.price(500, { interval: 'day' });
    const made: Shown[] = [];
    for (let n = 0; n < count; n++)
      made.push(await billing.subscribe(await billing.customer(undefined, number), price));
    return made;
  }

  const numberOf = ({ number }: Shown) => Number(number.replace('INV-', ''));

  async function expectPeriods(subscriptions: readonly Shown[], days: number): Promise<void> {
    const numbers: number[] = [];
    for (const subscription of subscriptions) {
      const invoices = (await billing.invoices(subscription)).sort((one, two) => numberOf(one) - numberOf(two));
      const start = subscription.current_period_start;
      // In the order of their numbers, each period once.
      expect(invoices.map(({ period_start }) => (period_start - start) / 86_400)).toEqual(
        Array.from({ length: days + 1 }, (_, day) => day),
      );
      numbers.push(...invoices.map(numberOf));
    }
    expect(numbers.sort((one, two) => one - two)).toEqual(numbers.map((_, at) => at + 1));
    expect(await violationsOf(servers[0]!.sql, { rest: true })).toEqual([]);
  }

  test('each period is invoiced and charged once, in numbers without gaps', async () => {
    const subscriptions = await dailySubscriptions(shareOf(60, 12));
    const days = shareOf(10, 2);
    for (let day = 0; day < days; day++) await passes(dayMs);
    await expectPeriods(subscriptions, days);
  });

  test('after three days of downtime every missed period is invoiced, oldest first', async () => {
    const subscriptions = await dailySubscriptions(3);
    await passes(3 * dayMs);
    await expectPeriods(subscriptions, 3);
    for (const one of subscriptions)
      expect(await billing.subscription(one)).toMatchObject({
        status: 'active',
        current_period_start: one.current_period_start + 3 * 86_400,
      });
  });

  test('a method that failed meanwhile: the missed periods are open, and each has its own retries', async () => {
    const [subscription] = await dailySubscriptions(1);
    await billing.pays({ id: subscription.customer }, cards.declines);
    await passes(3 * dayMs);
    const open = (await billing.invoices(subscription)).filter(({ status }) => status === 'open');
    expect(open).toHaveLength(3);
    expect(new Set(open.map(({ attempt_count }) => attempt_count))).toEqual(new Set([1]));
    await billing.pays({ id: subscription.customer }, cards.pays);
    await passes(1_000);
    await expectPeriods([subscription], 3);
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active' });
  });
});
