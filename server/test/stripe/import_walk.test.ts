import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { testMs, until } from '../processes/child.ts';
import { Children } from '../processes/children.ts';
import { limitMs, shareOf } from '../torture.ts';
import { MovingShop } from './moving.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

vi.setConfig({ testTimeout: testMs });

/** A Stripe account moves by the command alone, as its guide says. */

const day = 86_400;
const people = shareOf(1_000, 16);
const children = new Children();
let shop: StripeShop;

beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(async () => {
  await children.cleanUp();
  await shop.stop();
});

/** The command, in a process. */
function importing(there: MovingShop, processor: string, ...options: string[]) {
  const environment = {
    TOLLGATE_API_BASE: shop.server.baseUrl,
    TOLLGATE_API_KEY: shop.account.testKey,
    NODE_EXTRA_CA_CERTS: join(inject('certificateDir'), 'ca.pem'),
    STRIPE_KEY: there.fake.secretKey,
  };
  const args = ['import', 'stripe', '--processor-account', processor, '--stripe-key', 'env:STRIPE_KEY', ...options];
  return children.tollgate(args, { cwd: children.directory(), environment });
}

const rowsOf = async (table: string): Promise<number> =>
  (await shop.rows(`select count(*)::int as n from ${table}`))[0].n;

test(`${people} customers move by a command that is killed twice: nothing is doubled, and each is charged once`, async () => {
  const there = new MovingShop(await shop.stripe({ seed: 7 }));
  const processor = await shop.processor(there.fake);
  const price = await there.price();
  const subscribed = [];
  for (let n = 0; n < people; n += 1) subscribed.push(await there.subscribed(price));
  await shop.later(5 * day);
  // Neither a limit nor a lost answer stops it.
  there.fake.faults.add({ kind: 'rate_limit_429', path: '/v1/', probability: 0.01 });
  there.fake.faults.add({ kind: 'reset_after', path: '/v1/subscriptions', times: 2, skip: 1 });

  const killedAt = async (table: string, rows: number) => {
    const child = importing(there, processor, '--apply', '--take-over');
    await until(`${rows} of ${table}`, limitMs, async () => (await rowsOf(table)) >= rows || child.ending);
    child.signal('SIGKILL');
    expect((await child.ends()).signal).toBe('SIGKILL');
  };
  await killedAt('customers', people / 2);
  await killedAt('subscriptions', people / 4);
  const last = importing(there, processor, '--apply', '--take-over', '--json');
  const { code } = await last.ends(limitMs);
  expect([code, last.stderr]).toEqual([0, '']);
  const { counts, left, attention } = JSON.parse(last.stdout);
  expect([left, attention]).toEqual([[], []]);
  expect(counts.subscriptions.created + counts.subscriptions.there).toBe(people);

  for (const table of ['customers', 'payment_methods', 'subscriptions'])
    expect(await rowsOf(table), table).toBe(people);
  expect(await rowsOf('prices')).toBe(1);
  there.fake.faults.clear();
  await shop.later(28 * day);
  const charges = subscribed.map(({ customer }) =>
    there
      .charges(customer)
      .map(({ by }) => by)
      .join(', then '),
  );
  expect(new Set(charges)).toEqual(new Set(['Stripe, then Tollgate']));

  const after = importing(there, processor, '--take-over');
  expect((await after.ends(limitMs)).code).toBe(0);
  expect(after.stdout).toMatch(new RegExp(`subscriptions +${people} +0 +${people} +0\n`));
  expect(after.stdout).toContain('Everything that fits is here already.');
});

test.each([
  [['--stripe-key', 'sk_test_1'], 'name a source'],
  [['--undo', '--mapping', 'ids.csv'], '--mapping has nothing to write with --undo'],
  [['--take-over', '--undo'], '--take-over and --undo exclude each other'],
  [['--stripe-key', 'env:LIVE_KEY'], '--stripe-key is a key for live mode, and the account here is in test mode'],
  [['--processor-account', 'acct_1'], '--processor-account takes an id such as pa_'],
])('%j is refused in a sentence', async (options, sentence) => {
  const environment = {
    ...{ TOLLGATE_API_BASE: shop.server.baseUrl, TOLLGATE_API_KEY: shop.account.testKey },
    ...{ STRIPE_KEY: 'sk_test_12345678', LIVE_KEY: 'sk_live_12345678' },
  };
  const args = ['import', 'stripe', '--processor-account', 'pa_1', '--stripe-key', 'env:STRIPE_KEY', ...options];
  const { code, stderr } = await children.run(args, { cwd: children.directory(), environment });
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
