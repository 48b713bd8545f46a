import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { numbers } from '../../numbers.ts';
import { isTorture, seed, shareOf } from '../../torture.ts';
import { at } from './days.ts';
import { MerchantOfSubscriptions } from './gateway.ts';
import { plants } from './plants.ts';
import { story, wayOfStory } from './story.ts';
import { TwoGateways } from './two_gateways.ts';
import { follow, type Walk, walk } from './walk.ts';

vi.setConfig({ testTimeout: shareOf(30, 2) * 60_000 });

/** Always the same walk, because a check in every test run must be deterministic. Under torture, or with TEST_SEED: another. */
const begin = isTorture || process.env.TEST_SEED !== undefined ? seed : 7;
const days = Number(process.env.SIMULATION_DAYS ?? shareOf(5 * 365, 100));
const ends = isTorture ? (['canceled', 'unpaid', 'past_due'] as const) : (['canceled'] as const);

let two: TwoGateways;
beforeAll(async () => {
  two = await TwoGateways.open(numbers(begin));
});
afterAll(() => two.close());

describe('subscriptions, whatever merchants do and whichever process dies', () => {
  test.each(ends)('end as an independent calculation expects (%s)', async (end) => {
    const way: Walk = {
      seed: begin,
      start: at(2024, 1, 31, 10),
      days,
      customers: isTorture ? ['anna', 'bert', 'cora'] : ['anna', 'bert'],
      dunning: { days: [1, 3, 5, 7], end },
    };
    const merchant = await MerchantOfSubscriptions.open(two, way);
    await walk(way, merchant);
    expect([...(await merchant.gaps()), ...(await two.violations())]).toEqual([]);
  });
});

describe('a calculation with a defect', () => {
  test('expects something else than the gateway shows', async () => {
    const merchant = await MerchantOfSubscriptions.open(two, wayOfStory);
    const { undetected } = await follow(wayOfStory, merchant, story);
    expect(undetected).toEqual([]);
  });
});

/** Under torture; the wrong models above show the same defects. */
describe.each(plants.slice(0, shareOf(plants.length, 0)))('$name', ({ plant, caught }) => {
  test('is detected and named', async () => {
    const merchant = await MerchantOfSubscriptions.open(two, wayOfStory);
    await two.plant(plant);
    const outcome = follow(wayOfStory, merchant, story).finally(() => two.unplant());
    await expect(outcome).rejects.toThrow(caught);
  });
});
