import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FakeStripe } from '../../../fakes/stripe/index.ts';
import { openBrowser } from '../../../test/browser.ts';
import { openStripeShop, type StripeShop } from '../../../test/stripe/stripe_shop.ts';
import { isTorture } from '../../../test/torture.ts';

/**
 * A customer pays at Stripe, in a browser: in its fields in our page, and on its own page where the fields cannot be had. Stripe is the
 * fake, with its stand-in for Stripe.js.
 */

let shop: StripeShop;
let stripe: FakeStripe;
let processor: string;
let browser: Browser;
/** What the browser has asked which origin for, and what it has complained about. */
let asked: Set<string>;
let complaints: string[];

beforeAll(async () => {
  shop = await openStripeShop();
  stripe = await shop.stripe({ rawCards: false });
  processor = await shop.processor(stripe, {
    settings: { api_base: stripe.url, publishable_key: stripe.publishableKey },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

type Session = { id: string; path: string };

async function session(parameters: object = {}): Promise<Session> {
  const sold = { line_items: [{ name: 'Espresso roast, 1 kg', unit_amount: 4_890, currency: 'eur' }] };
  const { json } = await shop.account.test.post('/v1/checkout_sessions', { ...sold, ...parameters });
  expect(json.error).toBeUndefined();
  return { id: json.id, path: new URL(json.url).pathname };
}

const read = async ({ id }: Session) => (await shop.account.test.get(`/v1/checkout_sessions/${id}`)).json;
/** The statuses of its tries, by name: time stands still, so that their ids have no order. */
const payments = async ({ id }: Session): Promise<string[]> => {
  const rows = await shop.rows('select status from payments where checkout_session = $1', [id]);
  return rows.map(({ status }) => status).sort();
};
const intents = () => stripe.world.all<{ id: string; object: string; status: string }>('payment_intent');

async function openTab(
  { path }: Session,
  options: BrowserContextOptions = {},
  before?: (tab: Tab) => unknown,
  asksEmail = true,
): Promise<Tab> {
  [asked, complaints] = [new Set(), []];
  const context = await browser.newContext({ viewport: { width: 375, height: 800 }, locale: 'en-US', ...options });
  const tab = await context.newPage();
  tab.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.add(new URL(request.url()).origin);
  });
  tab.on('console', (message) => complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await before?.(tab);
  // Its scripts may come later.
  await tab.goto(`${shop.server.baseUrl}${path}`, { waitUntil: 'commit' });
  if (asksEmail) await tab.getByLabel('Email').fill('ada@example.com');
  return tab;
}

const button = (tab: Tab) => tab.getByRole('button', { name: 'Pay €48.90' });
const heading = (tab: Tab, name: string) => tab.getByRole('heading', { level: 1, name }).waitFor();

async function typeCard(tab: Tab, number: string): Promise<void> {
  const card = tab.frameLocator('#fields iframe');
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiration date').fill('12 / 40');
  await card.getByLabel('Security code').fill('123');
}

/** On the page of Stripe's. */
async function payThere(tab: Tab, number = '4242424242424242'): Promise<void> {
  await heading(tab, 'Fake checkout');
  await tab.getByLabel('Card number').fill(number);
  await tab.getByLabel('Expiry').fill('12/40');
  await tab.getByLabel('Security code').fill('123');
  await tab.getByRole('button', { name: 'Pay 4890 eur' }).click();
}

async function isPaid(tab: Tab, made: Session): Promise<void> {
  await heading(tab, 'Payment confirmed');
  expect(await tab.locator('main').innerText()).toMatch(/€48\.90[\s\S]*Visa •••• \d{4}/);
  expect(await read(made)).toMatchObject({ status: 'complete', payment_status: 'paid' });
}

/** The browser has asked us and Stripe, and nobody else. */
function expectTwoHosts(): void {
  expect([...asked].sort()).toEqual([shop.server.baseUrl, stripe.url].sort());
}

describe('in the fields of Stripe', () => {
  test('a card is typed into the frame of Stripe, and a token of it is paid', async () => {
    const made = await session();
    const tab = await openTab(made);
    await typeCard(tab, '4242424242424242');
    await button(tab).click();
    await isPaid(tab, made);
    await tab.context().close();
    expectTwoHosts();
    expect(complaints).toEqual([]);
    expect(intents().at(-1)).toMatchObject({ status: 'succeeded', amount: 4_890, currency: 'eur' });
    const [token] = stripe.world.all<{ id: string; object: string }>('confirmation_token').slice(-1);
    expect(token).toMatchObject({
      payment_intent: intents().at(-1)!.id,
      payment_method_preview: { billing_details: { email: 'ada@example.com' } },
    });
  });

  test('the bank is asked, there and back', async () => {
    const made = await session();
    const tab = await openTab(made);
    await typeCard(tab, '4000000000003220');
    await button(tab).click();
    await heading(tab, 'Fake bank');
    expect(await read(made)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    await tab.getByRole('button', { name: 'Approve' }).click();
    await isPaid(tab, made);
    await tab.context().close();
    expectTwoHosts();
    expect(complaints).toEqual([]);
    expect(await payments(made)).toEqual(['succeeded']);
  });

  test('a refused authentication and a decline are said, and another card pays', async () => {
    const made = await session();
    const tab = await openTab(made);
    await typeCard(tab, '4000000000003220');
    await button(tab).click();
    await tab.getByRole('button', { name: 'Fail' }).click();
    await tab.getByRole('alert').filter({ hasText: 'Please try another card.' }).waitFor();
    for (const [number, says] of [
      ['4000000000000002', 'Your card was declined.'],
      ['4000000000000127', 'Security code: This code is not valid.'],
    ] as const) {
      await typeCard(tab, number);
      await button(tab).click();
      await tab.getByRole('alert').filter({ hasText: says }).waitFor();
    }
    await typeCard(tab, '4242424242424242');
    await button(tab).click();
    await isPaid(tab, made);
    await tab.context().close();
    expect(await payments(made)).toEqual(['failed', 'failed', 'failed', 'succeeded']);
  });

  test('what Stripe says of a card is shown, takes the focus, and is no try', async () => {
    const made = await session();
    const tab = await openTab(made);
    await button(tab).click();
    await tab.getByRole('alert').filter({ hasText: 'Your card details are incomplete.' }).waitFor();
    await typeCard(tab, '4242424242424241');
    await button(tab).click();
    await tab.getByRole('alert').filter({ hasText: 'Your card number is incorrect.' }).waitFor();
    expect(await tab.evaluate('document.activeElement.id')).toBe('trouble');
    await typeCard(tab, '4242424242424242');
    await button(tab).click();
    await isPaid(tab, made);
    await tab.context().close();
    expect(await payments(made)).toEqual(['succeeded']);
  });

  test('in the dark, they have the colours of the page', async () => {
    const tab = await openTab(await session(), { colorScheme: 'dark' });
    const field = tab.frameLocator('#fields iframe').getByLabel('Card number');
    const colours = `(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))`;
    const shown = field.evaluate((input) => {
      // biome-ignore lint/suspicious/noExplicitAny: it runs in the browser
      const { color, backgroundColor } = (globalThis as any).getComputedStyle(input);
      return [color, backgroundColor];
    });
    expect(await shown).toEqual(await tab.evaluate(colours));
    await tab.context().close();
  });
});

test('a saved card is paid without any script of Stripe, which comes with the choice of another card', async () => {
  const { test: client } = shop.account;
  const { id: customer } = (await client.post('/v1/customers', { email: 'ada@example.com' })).json;
  const processor_token = { processor_account: processor, token: 'pm_card_mastercard' };
  await client.post('/v1/payment_methods', { type: 'card', customer, processor_token });
  for (const takesAnother of [false, true]) {
    const made = await session({ customer });
    const tab = await openTab(made, {}, undefined, false);
    await tab.getByRole('radio', { name: 'Mastercard •••• 4444' }).waitFor();
    if (takesAnother) {
      await tab.getByLabel('Use another payment method').check();
      await typeCard(tab, '4242424242424242');
    }
    await button(tab).click();
    await heading(tab, 'Payment confirmed');
    expect(await tab.locator('main').innerText()).toContain(takesAnother ? 'Visa •••• 4242' : 'Mastercard •••• 4444');
    expect(asked.has(stripe.url)).toBe(takesAnother);
    await tab.context().close();
  }
});

describe('without the fields, the same button leads to the page of Stripe', () => {
  const isScript = (url: URL) => url.pathname.endsWith('/stripe.js');

  test('where JavaScript is off', async () => {
    const made = await session();
    const tab = await openTab(made, { javaScriptEnabled: false });
    await button(tab).click();
    await payThere(tab);
    await isPaid(tab, made);
    await tab.context().close();
    expectTwoHosts();
  });

  test('where its script is blocked', async () => {
    const made = await session();
    const tab = await openTab(made, {}, (one) => one.route(isScript, (route) => route.abort()));
    await button(tab).click();
    await payThere(tab);
    await isPaid(tab, made);
    await tab.context().close();
    expect(await payments(made)).toEqual(['succeeded']);
  });

  test('where its script comes too late; a press before 4 s are over waits for it', async () => {
    const made = await session();
    let answer = () => {};
    const late = new Promise<void>((resolve) => (answer = resolve));
    const tab = await openTab(made, {}, async (one) => {
      // Time passes in the browser when the test says so.
      await one.clock.install({ time: shop.clock.now() });
      await one.clock.pauseAt(shop.clock.now() + 1_000);
      await one.route(isScript, async (route) => {
        await late;
        await route.continue().catch(() => {});
      });
    });
    await button(tab).click();
    await tab.clock.runFor(3_900);
    expect(await button(tab).getAttribute('aria-busy')).toBe('true');
    expect(new URL(tab.url()).pathname).toBe(made.path);
    await tab.clock.runFor(200);
    await payThere(tab);
    answer();
    await isPaid(tab, made);
    await tab.context().close();
  });

  test.runIf(isTorture)('where its script comes after 10 s', async () => {
    const made = await session();
    const late = (one: Tab) =>
      one.route(isScript, (route) => setTimeout(() => route.continue().catch(() => {}), 10_000));
    const tab = await openTab(made, {}, late);
    await button(tab).click();
    await payThere(tab);
    await isPaid(tab, made);
    await tab.context().close();
  });

  test('a press while they load waits for them', async () => {
    const made = await session();
    let answer = () => {};
    const soon = new Promise<void>((resolve) => (answer = resolve));
    const tab = await openTab(made, {}, (one) =>
      one.route(isScript, async (route) => {
        await soon;
        await route.continue();
      }),
    );
    await button(tab).click();
    expect(await button(tab).getAttribute('aria-busy')).toBe('true');
    answer();
    // They are there, and nothing was typed into them yet.
    await tab.getByRole('alert').filter({ hasText: 'Your card details are incomplete.' }).waitFor();
    await typeCard(tab, '4242424242424242');
    await button(tab).click();
    await isPaid(tab, made);
    await tab.context().close();
    expect(await payments(made)).toEqual(['succeeded']);
  });

  test('who leaves the page of Stripe goes on there, or pays another way, once', async () => {
    const made = await session();
    const tab = await openTab(made, { javaScriptEnabled: false });
    await button(tab).click();
    await heading(tab, 'Fake checkout');
    await tab.getByRole('button', { name: 'Back' }).click();
    await heading(tab, 'Your payment is not finished yet.');
    await tab.getByRole('link', { name: 'Continue' }).click();
    await heading(tab, 'Fake checkout');
    await tab.goBack();
    await tab.getByRole('button', { name: 'Use another payment method' }).click();
    await tab.getByLabel('Email').waitFor({ state: 'detached' });
    await button(tab).click();
    await payThere(tab);
    await isPaid(tab, made);
    await tab.context().close();
    expect(await payments(made)).toEqual(['canceled', 'succeeded']);
  });
});
