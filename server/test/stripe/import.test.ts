import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImportOutcome } from '../../commands/import_stripe/outcome.ts';
import type { FakeStripe } from '../../fakes/stripe/index.ts';
import { Killed, MovingShop, move } from './moving.ts';
import { openStripeShop, type StripeShop } from './stripe_shop.ts';

/** A Stripe account that moves: both sides over real sockets, with one time for both. */

const day = 86_400;
const folder = mkdtempSync(join(tmpdir(), 'import-'));
let shop: StripeShop;
let fake: FakeStripe;

beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await shop.stop();
});

/** An account at Stripe, and the processor account that stands for it. */
async function open(): Promise<{ there: MovingShop; processor: string }> {
  fake = await shop.stripe({ account: `acct_${Math.random().toString(36).slice(2)}` });
  const there = new MovingShop(fake);
  return { there, processor: await shop.processor(fake) };
}

const here = async (path: string) => (await shop.account.test.get(`/v1/${path}`)).json.data;

test('customers, cards, prices and coupons are imported once, after a dry run that changes nothing', async () => {
  const { there, processor } = await open();
  const ada = await there.customer({ email: 'ada@example.com', name: 'Ada', phone: '+49 30 1', 'metadata[shop]': '7' });
  await there.ask('payment_methods/pm_card_mastercard/attach', { customer: ada.id });
  const bob = await there.ask('customers', { email: 'no address', name: 'x'.repeat(300) });
  const price = await there.price({ 'recurring[interval_count]': 3 });
  const tiered = await there.price({
    billing_scheme: 'tiered',
    tiers_mode: 'volume',
    'tiers[0][up_to]': 'inf',
    unit_amount: 5,
  });
  await there.ask('coupons', { id: 'SPRING', percent_off: '12.5', duration: 'forever', name: 'Spring' });

  const dry = await move(shop, there, processor, {});
  expect(dry.counts).toMatchObject({
    customers: { read: 2, created: 2, there: 0, left: 0 },
    payment_methods: { read: 2, created: 2 },
    prices: { read: 2, created: 1, left: 1 },
    coupons: { read: 1, created: 1 },
  });
  expect(await here(`customers?external_id=${ada.id}`)).toEqual([]);
  expect(dry.left).toEqual([expect.objectContaining({ id: tiered, reason: 'tiered' })]);

  const mapping = join(folder, 'ids.csv');
  const done = await move(shop, there, processor, { apply: true, mapping });
  expect(done.shown()).toEqual(dry.shown());
  const [customer] = await here(`customers?external_id=${ada.id}`);
  expect(customer).toMatchObject({ email: 'ada@example.com', name: 'Ada', phone: '+49 30 1', metadata: { shop: '7' } });
  const methods = await here(`payment_methods?customer=${customer.id}`);
  expect(methods.map((one: { card: { brand: string } }) => one.card.brand).sort()).toEqual(['mastercard', 'visa']);
  const visa = methods.find(
    (one: { metadata: Record<string, string> }) => one.metadata.stripe_payment_method === ada.card,
  );
  expect([customer.default_payment_method, visa.processor_token]).toEqual([visa.id, { processor_account: processor }]);
  const [other] = await here(`customers?external_id=${bob.id}`);
  expect([other.email, other.name]).toEqual([undefined, undefined]);
  expect(done.notes.map(({ id, message }) => [id, message.split(':')[0]])).toEqual([
    [bob.id, 'without email'],
    [bob.id, 'without name'],
  ]);
  expect((await here(`prices?external_id=${price}`))[0]).toMatchObject({
    ...{
      unit_amount: 1_500,
      currency: 'eur',
      product_name: 'Gold',
      recurring: { interval: 'month', interval_count: 3 },
    },
  });
  const lines = readFileSync(mapping, 'utf8').trim().split('\n');
  expect(lines[0]).toBe('object,stripe,tollgate');
  expect(lines).toContain(`customers,${ada.id},${customer.id}`);
  expect(lines).toContain(`payment_methods,${ada.card},${visa.id}`);
  expect(lines).toHaveLength(7);

  const before = await counted();
  const again = await move(shop, there, processor, { apply: true });
  expect(again.counts).toMatchObject({
    customers: { read: 2, created: 0, there: 2 },
    payment_methods: { read: 2, created: 0, there: 2 },
    prices: { read: 2, created: 0, there: 1, left: 1 },
    coupons: { read: 1, created: 0, there: 1 },
  });
  expect(await counted()).toEqual(before);
  expect(there.violations).toEqual([]);
});

async function counted(): Promise<unknown> {
  return shop.rows(`select (select count(*) from customers) as customers, (select count(*) from payment_methods) as methods,
    (select count(*) from prices) as prices, (select count(*) from coupons) as coupons,
    (select count(*) from subscriptions) as subscriptions`);
}

test('a subscription is billed by one side: by Stripe up to the boundary, here from then on', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  await there.ask('coupons', { id: 'ALWAYS', amount_off: 500, currency: 'eur', duration: 'forever' });
  const plain = await there.subscribed(price, { 'metadata[plan]': 'gold', 'items[0][quantity]': 2 });
  const discounted = await there.subscribed(price, { 'discounts[0][coupon]': 'ALWAYS' });
  const trialing = await there.subscribed(price, { trial_end: Math.floor(shop.clock.now() / 1_000) + 9 * day });
  const archived = await there.subscribed(await there.price({ unit_amount: 700 }));
  const oldPrice = there.subscription(archived.subscription).items.data[0]!.price;
  await there.ask(`prices/${oldPrice.id}`, { active: 'false' });
  const left = await there.subscribed(price);
  await there.ask(`subscriptions/${left.subscription}`, { 'pause_collection[behavior]': 'void' });
  // Its cardholder has authenticated at Stripe.
  const { id: european, card } = await there.customer({}, 'pm_card_authenticationRequiredOnSetup');
  fake.world.setUp.add(card);
  await there.ask('subscriptions', { customer: european, 'items[0][price]': price });

  await shop.later(5 * day);
  const dry = await move(shop, there, processor, { takeOver: true });
  expect(there.subscription(plain.subscription).cancel_at_period_end).toBe(false);
  const done = await move(shop, there, processor, { takeOver: true, apply: true });
  expect(done.shown()).toEqual(dry.shown());
  expect(done.counts.subscriptions).toMatchObject({ read: 6, created: 5, left: 1 });
  expect(done.left).toEqual([expect.objectContaining({ id: left.subscription, reason: 'paused' })]);
  for (const { subscription } of [plain, discounted, trialing, archived])
    expect(there.subscription(subscription)).toMatchObject({
      ...{ cancel_at_period_end: true, metadata: { tollgate_take_over: processor } },
    });
  const [made] = await here(`subscriptions?external_id=${plain.subscription}`);
  const periodEnd = there.subscription(plain.subscription).items.data[0]!.current_period_end;
  expect(made).toMatchObject({
    ...{ status: 'active', current_period_end: periodEnd, billing_cycle_anchor: periodEnd, metadata: { plan: 'gold' } },
    items: [{ quantity: 2 }],
  });
  expect(made.latest_invoice).toBeUndefined();
  const [trial] = await here(`subscriptions?external_id=${trialing.subscription}`);
  expect(trial).toMatchObject({ status: 'trialing', trial_end: there.subscription(trialing.subscription).trial_end });
  expect((await here(`prices?external_id=${oldPrice.id}`))[0].active).toBe(false);

  await shop.later(5 * day);
  expect(there.charges(trialing.customer)).toEqual([{ amount: 1_500, by: 'Tollgate' }]);
  await shop.later(25 * day);
  expect(there.charges(plain.customer)).toEqual([
    { amount: 3_000, by: 'Stripe' },
    { amount: 3_000, by: 'Tollgate' },
  ]);
  expect(there.charges(discounted.customer)).toEqual([
    { amount: 1_000, by: 'Stripe' },
    { amount: 1_000, by: 'Tollgate' },
  ]);
  expect(there.charges(european).map(({ by }) => by)).toEqual(['Stripe', 'Tollgate']);
  expect(there.charges(archived.customer).map(({ by }) => by)).toEqual(['Stripe', 'Tollgate']);
  expect(there.charges(left.customer)).toEqual([{ amount: 1_500, by: 'Stripe' }]);
  expect(there.subscription(plain.subscription).status).toBe('canceled');
  expect((await here(`subscriptions?external_id=${plain.subscription}`))[0].status).toBe('active');

  const later = await move(shop, there, processor, { takeOver: true, apply: true });
  expect([later.ok, later.counts.subscriptions]).toMatchObject([true, { created: 0, there: 5 }]);
  const tooLate = await move(shop, there, processor, { undo: true, apply: true });
  expect(tooLate.left.map(({ reason }) => reason)).toEqual(Array(5).fill('billed_here'));
  expect(there.violations).toEqual([]);
});

test('undo gives back what was not billed here, and it can be taken over again', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  const [one, canceled] = [await there.subscribed(price), await there.subscribed(price)];
  await shop.later(5 * day);
  await move(shop, there, processor, { takeOver: true, apply: true });
  const [gone] = await here(`subscriptions?external_id=${canceled.subscription}`);
  await shop.account.test.post(`/v1/subscriptions/${gone.id}/cancel`);
  const dry = await move(shop, there, processor, { undo: true });
  expect(there.subscription(one.subscription).cancel_at_period_end).toBe(true);
  const undone = await move(shop, there, processor, { undo: true, apply: true });
  expect(undone.shown()).toEqual(dry.shown());
  expect([undone.ok, undone.counts.subscriptions]).toMatchObject([true, { read: 2, lifted: 1, left: 1 }]);
  expect(undone.left).toMatchObject([{ id: canceled.subscription, reason: 'canceled_here' }]);
  expect(there.subscription(one.subscription)).toMatchObject({ cancel_at_period_end: false, metadata: {} });
  expect((await here(`subscriptions?external_id=${one.subscription}`))[0].status).toBe('canceled');

  await shop.later(28 * day);
  expect(there.charges(one.customer).map(({ by }) => by)).toEqual(['Stripe', 'Stripe']);
  expect(there.charges(canceled.customer).map(({ by }) => by)).toEqual(['Stripe']);

  const again = await move(shop, there, processor, { takeOver: true, apply: true });
  expect([again.ok, again.counts.subscriptions]).toMatchObject([true, { created: 1, there: 1 }]);
  await shop.later(32 * day);
  expect(there.charges(one.customer).map(({ by }) => by)).toEqual(['Stripe', 'Stripe', 'Tollgate']);
  expect(there.violations).toEqual([]);
});

/** Runs it again and again, and kills each run one request later than the one before, until one comes to its end. */
async function killedEverywhere(work: (dies: () => boolean) => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    let requests = 0;
    try {
      await work(() => ++requests > kills);
      return kills;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

test('wherever a run is killed, the next one finishes it, and nothing is doubled', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  const moved = await there.subscribed(price);
  await shop.later(5 * day);
  const before = await shop.rows('select count(*)::int as n from customers');
  const kills = await killedEverywhere((dies) => move(shop, there, processor, { takeOver: true, apply: true }, dies));
  expect(kills).toBeGreaterThan(12);
  const customers = await here(`customers?external_id=${moved.customer}`);
  expect(await shop.rows('select count(*)::int as n from customers')).toEqual([{ n: before[0].n + 1 }]);
  expect(await here(`payment_methods?customer=${customers[0].id}`)).toHaveLength(1);
  expect(await here(`subscriptions?customer=${customers[0].id}`)).toHaveLength(1);
  await killedEverywhere((dies) => move(shop, there, processor, { undo: true, apply: true }, dies));
  expect(there.subscription(moved.subscription)).toMatchObject({ cancel_at_period_end: false, metadata: {} });
  await killedEverywhere((dies) => move(shop, there, processor, { takeOver: true, apply: true }, dies));
  await shop.later(32 * day);
  expect(there.charges(moved.customer).map(({ by }) => by)).toEqual(['Stripe', 'Tollgate']);
  const statuses = (await here(`subscriptions?customer=${customers[0].id}`)).map(
    (one: { status: string }) => one.status,
  );
  expect(statuses.sort()).toEqual(['active', 'canceled']);
});

test('what either side refuses is reported, and a subscription that the gateway refuses stays with Stripe', async () => {
  const { there, processor } = await open();
  const dear = await there.price({ unit_amount: 1_500_000 });
  const trial_end = Math.floor(shop.clock.now() / 1_000) + 20 * day;
  const tooMuch = await there.subscribed(dear, { trial_end, 'items[0][quantity]': 1_000_000 });
  const refused = await there.subscribed(await there.price(), { trial_end });
  there.subscription(refused.subscription).ended_at = 1; // Stripe takes no changes of it
  const found = await move(shop, there, processor, { takeOver: true, apply: true });
  expect(found.left).toMatchObject([
    { id: tooMuch.subscription, reason: 'refused', message: expect.stringContaining('999999999999') },
  ]);
  expect(there.subscription(tooMuch.subscription)).toMatchObject({ cancel_at_period_end: false, metadata: {} });
  expect(found.attention).toMatchObject([{ id: refused.subscription, reason: 'refused_there' }]);
  expect(await here(`subscriptions?external_id=${refused.subscription}`)).toEqual([]);
});

test('a key of another account at Stripe is noticed with the first card', async () => {
  const [{ there }, { processor }] = [await open(), await open()];
  await there.customer();
  await there.customer();
  await expect(move(shop, there, processor, { apply: true })).rejects.toThrow(
    `${processor} does not know a card that Stripe lists: --stripe-key is a key of another account`,
  );
});

test('a subscription that nobody would bill, or both would, is never passed over in silence', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  const [lapsed, stuck, twice] = [
    await there.subscribed(price),
    await there.subscribed(price),
    await there.subscribed(price),
  ];
  await shop.later(5 * day);
  await move(shop, there, processor, { takeOver: true, apply: true });
  const [doubled] = await here(`subscriptions?external_id=${twice.subscription}`);
  // As if killed between the mark and the creation, long ago; and as if somebody had let Stripe go on.
  for (const { subscription } of [lapsed, stuck]) {
    const [made] = await here(`subscriptions?external_id=${subscription}`);
    await shop.account.test.post(`/v1/subscriptions/${made.id}`, { external_id: '' });
    await shop.account.test.post(`/v1/subscriptions/${made.id}/cancel`);
  }
  await there.ask(`subscriptions/${stuck.subscription}`, { 'pause_collection[behavior]': 'void' });
  await there.ask(`subscriptions/${twice.subscription}`, { cancel_at_period_end: 'false' });
  const found = await move(shop, there, processor, { takeOver: true });
  expect(found.attention).toMatchObject([{ id: stuck.subscription, reason: 'half_way' }]);
  expect(found.notes).toMatchObject([{ id: twice.subscription, message: expect.stringContaining('marked to end') }]);
  await shop.later(1 * day);
  const markedAgain = await move(shop, there, processor, { takeOver: true, apply: true });
  expect(markedAgain).toMatchObject({ ok: false });
  expect(there.subscription(twice.subscription)).toMatchObject({ cancel_at_period_end: true });
  expect((await here(`subscriptions?external_id=${twice.subscription}`))[0].id).toBe(doubled.id);
  await shop.later(32 * day);
  const after = await move(shop, there, processor, { takeOver: true });
  expect(after.attention.map(({ id, reason }) => [id, reason])).toEqual([[stuck.subscription, 'lapsed']]);
  expect(there.charges(twice.customer).map(({ by }) => by)).toEqual(['Stripe', 'Tollgate']);
});

test('one whose undoing was interrupted until it ended at Stripe needs attention, and one that ended later does not', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  const [lapsed, ended] = [await there.subscribed(price), await there.subscribed(price)];
  await shop.later(5 * day);
  await move(shop, there, processor, { takeOver: true, apply: true });
  await move(shop, there, processor, { undo: true, apply: true });
  // As if killed before the mark was lifted.
  const mark = { cancel_at_period_end: 'true', 'metadata[tollgate_take_over]': processor };
  await there.ask(`subscriptions/${lapsed.subscription}`, mark);
  await there.ask(`subscriptions/${ended.subscription}`, { cancel_at_period_end: 'true' });
  await shop.later(32 * day);
  for (const wish of [{ undo: true }, { takeOver: true }]) {
    const { attention } = await move(shop, there, processor, wish);
    expect(attention).toMatchObject([{ id: lapsed.subscription, reason: 'lapsed' }]);
  }
});

test('a subscription that another run has created meanwhile is not given back', async () => {
  const { there, processor } = await open();
  const price = await there.price();
  const { subscription } = await there.subscribed(price);
  await there.ask(`prices/${price}`, { active: 'false' });
  await shop.later(5 * day);
  const wish = { takeOver: true, apply: true };
  let other: Awaited<ReturnType<typeof move>> | undefined;
  // The other run comes to its end, and deactivates the price, when this one has marked the subscription.
  const slow = await move(shop, there, processor, wish, async (request) => {
    if (request === `Stripe: POST /v1/subscriptions/${subscription}`)
      other ??= await move(shop, there, processor, wish);
    return false;
  });
  expect(other?.counts.subscriptions).toMatchObject({ created: 1 });
  expect(slow.counts.subscriptions).toMatchObject({ created: 0, there: 1, left: 0 });
  expect(there.subscription(subscription).cancel_at_period_end).toBe(true);
});

test('a subscription that another run creates while it is given back ends at Stripe', async () => {
  const { there, processor } = await open();
  const { customer, subscription } = await there.subscribed(await there.price());
  await shop.later(5 * day);
  const wish = { takeOver: true, apply: true };
  await move(shop, there, processor, { apply: true });
  const [price] = await here(`prices?external_id=${there.subscription(subscription).items.data[0]!.price.id}`);
  const sell = (active: boolean) => shop.account.test.post(`/v1/prices/${price.id}`, { active });
  let isMarked = false;
  let other: Awaited<ReturnType<typeof move>> | undefined;
  // It is refused here once it is marked. The other run creates it when this one has seen that it is not here.
  const slow = await move(shop, there, processor, wish, async (request) => {
    if (isMarked && other === undefined && request === 'GET /subscriptions') {
      await sell(true);
      other = await move(shop, there, processor, wish);
    }
    if (!isMarked && request === `Stripe: POST /v1/subscriptions/${subscription}`) {
      isMarked = true;
      await sell(false);
    }
    return false;
  });
  expect(other?.counts.subscriptions).toMatchObject({ created: 1 });
  expect(slow.counts.subscriptions).toMatchObject({ created: 0, there: 1, left: 0 });
  await shop.later(28 * day);
  expect(there.charges(customer).map(({ by }) => by)).toEqual(['Stripe', 'Tollgate']);
});

test('a subscription that was given back here during a run is not counted as moved', async () => {
  const { there, processor } = await open();
  const { subscription } = await there.subscribed(await there.price());
  await shop.later(5 * day);
  const apply = { apply: true };
  let isMarked = false;
  let isUndone = false;
  // Another run takes it over, and an undo gives it back, when this one has read back its mark.
  const slow = await move(shop, there, processor, { takeOver: true, ...apply }, async (request) => {
    if (isMarked && !isUndone && request.startsWith(`Stripe: GET /v1/subscriptions/${subscription}`)) {
      isUndone = true;
      await move(shop, there, processor, { takeOver: true, ...apply });
      await move(shop, there, processor, { undo: true, ...apply });
    }
    isMarked ||= request === `Stripe: POST /v1/subscriptions/${subscription}`;
    return false;
  });
  expect((await here(`subscriptions?external_id=${subscription}`))[0].status).toBe('canceled');
  expect(slow.counts.subscriptions).toMatchObject({ created: 0, there: 0, left: 1 });
  expect(slow.attention).toMatchObject([{ id: subscription, reason: 'undo_unfinished' }]);
});

test('Stripe goes on with a subscription that was given back after a run has read what is here', async () => {
  const { there, processor } = await open();
  const { customer, subscription } = await there.subscribed(await there.price());
  await shop.later(5 * day);
  const apply = { apply: true };
  await move(shop, there, processor, { takeOver: true, ...apply });
  let undo: Awaited<ReturnType<typeof move>> | undefined;
  const slow = await move(shop, there, processor, { takeOver: true, ...apply }, async (request) => {
    if (request === 'GET /subscriptions') undo ??= await move(shop, there, processor, { undo: true, ...apply });
    return false;
  });
  expect(undo?.counts.subscriptions).toMatchObject({ lifted: 1 });
  expect(there.subscription(subscription)).toMatchObject({ cancel_at_period_end: false, metadata: {} });
  expect(slow.counts.subscriptions).toMatchObject({ created: 0, there: 0, left: 1 });
  await shop.later(28 * day);
  expect(there.charges(customer).map(({ by }) => by)).toEqual(['Stripe', 'Stripe']);
});

test('a run that fails knows which subscriptions it has marked and not created', async () => {
  const { there, processor } = await open();
  const { subscription } = await there.subscribed(await there.price());
  await shop.later(5 * day);
  const wish = { takeOver: true, apply: true };
  const failed = new ImportOutcome();
  const isMark = (request: string) => request === `Stripe: POST /v1/subscriptions/${subscription}`;
  await expect(move(shop, there, processor, wish, isMark, failed)).rejects.toThrow(Killed);
  expect([...failed.begun]).toEqual([subscription]);
  const done = await move(shop, there, processor, wish);
  expect([done.begun.size, done.counts.subscriptions.created]).toEqual([0, 1]);
});
