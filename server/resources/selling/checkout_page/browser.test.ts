import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, Route, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Keyring, newRootKey } from '../../../base/keyring.ts';
import type { PageRequest } from '../../../base/page.ts';
import { Secret } from '../../../base/secret.ts';
import { openBrowser } from '../../../test/browser.ts';
import { isTorture } from '../../../test/torture.ts';
import type { CheckoutPageCalls, PressedInput } from './calls.ts';
import { checkoutPage } from './page.ts';
import type { PageView } from './view.ts';
import { openView, views } from './views.fixture.ts';

/** The page by itself, in states that a whole gateway reaches with difficulty. */

let server: Server;
let browser: Browser;
let base: string;
let view: PageView;
let paid: PressedInput[];

/** The fields are told the sum, as `session_calls.ts` does. With nothing to pay, there is no way to pay. */
function withTotal(before: PageView, total: number): PageView {
  const ways = before.ways.map((way) =>
    way.kind === 'fields' ? { ...way, publicConfig: { ...way.publicConfig, amount: String(total) } } : way,
  );
  return { ...before, total, ways: total === 0 ? [] : ways };
}

let undiscounted = (shown: PageView): PageView => shown;
function discounted(shown: PageView, discount: number, code: string | undefined): PageView {
  undiscounted = () => shown;
  return { ...withTotal(shown, shown.total - discount), subtotal: shown.total, discount, coupon: { code } };
}

const calls: CheckoutPageCalls = {
  find: async () => view,
  async pay(_, input) {
    paid.push(input);
    view = views.paid;
    return { view: { ...view, successUrl: undefined } };
  },
  closeTry: async () => ({ view }),
  async applyCoupon(_, code) {
    const off = { TEN: 1_000, FREE: view.total }[code ?? ''];
    if (off !== undefined) view = discounted(view, off, code);
    else if (code === undefined) view = undiscounted(view);
    return {
      view,
      problems: off === undefined && code !== undefined ? [{ field: 'coupon', text: 'coupon_invalid' }] : [],
    };
  },
};

beforeAll(async () => {
  const keyring = new Keyring(new Secret(newRootKey()));
  const clock = { now: () => Date.now() };
  const page = checkoutPage({ keyring, publicUrl: () => base, clock, calls });
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const [path = '', query = ''] = request.url!.split('?');
    const params = { token: path.split('/').at(-1)! };
    const { method, headers } = request;
    const rendered = await page.render({ method, headers, body, query, params, address: '127.0.0.1' } as PageRequest);
    response.writeHead(rendered.status, { ...rendered.headers, 'Content-Type': rendered.contentType });
    response.end(rendered.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
  base = `http://localhost:${(server.address() as AddressInfo).port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
beforeEach(() => {
  [view, paid] = [openView, []];
});

async function openTab(width = 1440): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'en-US' });
  return context.newPage();
}

const host = 'https://js.processor.test';
const withFields: PageView = {
  ...openView,
  ways: [
    {
      kind: 'fields',
      script: `${host}/v1.js`,
      hosts: [{ origin: host, use: 'script', reason: 'its fields' }],
      publicConfig: { publishable_key: 'pk_test_1', mode: 'payment', amount: '4890', currency: 'eur' },
    },
    { kind: 'page' },
  ],
};

/** As much of the processor's script as the page uses. A token names the sum that the fields were told. */
const script = `window.Stripe = (key) => ({
  elements: (options) => ({
    options,
    update(change) { Object.assign(options, change); },
    create: () => ({
      on(name, handler) {
        if (name === 'ready') setTimeout(() => { handler(); document.body.dataset.ready = 'yes'; }, 10);
      },
      mount(place) { place.textContent = 'fields for ' + options.amount; },
    }),
    submit: async () => ({}),
  }),
  createConfirmationToken: async ({ elements }) => ({ confirmationToken: { id: 'ctoken_' + elements.options.amount } }),
});`;

async function payWith(answer: (route: Route) => unknown): Promise<string | undefined> {
  view = withFields;
  const tab = await openTab();
  await tab.route(`${host}/**`, answer);
  await tab.goto(`${base}/pay/token`);
  await tab.locator('#email').fill('ada@example.com');
  await expect
    .poll(
      () =>
        tab
          .locator('#fields')
          .count()
          .then(async (n) => n === 0 || (await tab.locator('#fields').innerText()) !== ''),
      { timeout: 15_000 },
    )
    .toBe(true);
  await tab.waitForTimeout(50);
  await tab.locator('#pay-button').click();
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  await tab.context().close();
  return paid[0]?.instrument.kind;
}

describe('the fields of a processor', () => {
  test('give us a token, never a number', async () => {
    expect(await payWith((route) => route.fulfill({ contentType: 'text/javascript', body: script }))).toBe(
      'confirmation',
    );
    expect(paid).toHaveLength(1);
  });

  test('that are blocked lead to the page of the processor, by the same button', async () => {
    expect(await payWith((route) => route.abort())).toBe('page');
  });

  test.runIf(isTorture)('that come after 4 s do too', async () => {
    const late = (route: Route) =>
      setTimeout(() => route.fulfill({ contentType: 'text/javascript', body: script }).catch(() => {}), 10_000);
    expect(await payWith(late)).toBe('page');
  });
});

test('a coupon changes the sums in place, and what was typed stays; a wrong one is said at its field', async () => {
  view = views['many lines'];
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.locator('#number').fill('4242424242424242');
  await tab.getByLabel('Discount code').fill('NO');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByText('This code is not valid.').waitFor();
  await tab.getByLabel('Discount code').fill('TEN');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByRole('button', { name: 'Pay €90.00' }).waitFor();
  expect(await tab.inputValue('#number')).toBe('4242 4242 4242 4242');
  await tab.context().close();
});

const tokenOf = (input: PressedInput | undefined) =>
  input?.instrument.kind === 'confirmation' ? input.instrument.token.open() : undefined;

test.each([
  ['while they are open', 0],
  ['before they have come', 400],
])('the fields of a processor are told another sum: %s', async (_, delayMs) => {
  view = { ...withFields, allowsCoupons: true };
  const tab = await openTab();
  await tab.route(`${host}/**`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await route.fulfill({ contentType: 'text/javascript', body: script });
  });
  await tab.goto(`${base}/pay/token`);
  await tab.locator('#email').fill('ada@example.com');
  if (delayMs === 0) await tab.locator('body[data-ready]').waitFor();
  await tab.getByLabel('Discount code').fill('TEN');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByRole('button', { name: 'Pay €38.90' }).waitFor();
  expect(await tab.locator('#summary').innerText()).toMatch(/Discount TEN[\s\S]*-€10\.00/);
  await tab.locator('body[data-ready]').waitFor();
  await tab.locator('#pay-button:not([aria-busy])').waitFor();
  await tab.locator('#pay-button').click();
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  expect(paid.map(tokenOf)).toEqual(['ctoken_3890']);
  await tab.context().close();
});

test('a coupon that takes everything off leaves no card to ask for; taking it back asks for one again', async () => {
  view = { ...openView, allowsCoupons: true };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  const apply = async () => {
    await tab.getByLabel('Discount code').fill('FREE');
    await tab.getByRole('button', { name: 'Apply' }).click();
    await tab.getByRole('button', { name: 'Pay €0.00' }).waitFor();
  };
  await tab.locator('#email').fill('ada@example.com');
  await apply();
  expect(await tab.locator('#number').isVisible()).toBe(false);
  await tab.getByRole('button', { name: 'Remove FREE' }).click();
  await tab.getByRole('button', { name: 'Pay €48.90' }).waitFor();
  expect(await tab.locator('#number').isVisible()).toBe(true);
  expect(await tab.inputValue('#email')).toBe('ada@example.com');
  await apply();
  await tab.locator('#pay-button').click();
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  expect(paid.map(({ instrument }) => instrument.kind)).toEqual(['page']); // nothing is charged
  await tab.context().close();
});

test('a double press is one try', async () => {
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  for (const [field, value] of Object.entries({
    email: 'a@b.test',
    number: '4242424242424242',
    expiry: '12/40',
    cvc: '123',
  }))
    await tab.locator(`#${field}`).fill(value);
  await tab.locator('#pay-button').dblclick();
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  expect(paid).toHaveLength(1);
  await tab.context().close();
});

test('the end of the session is announced two minutes before', async () => {
  view = { ...openView, expiresAt: Date.now() + 119_000 };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.getByRole('status').filter({ hasText: 'This page expires in 2 minutes.' }).waitFor();
  await tab.context().close();
});

test('an outcome that is not known is asked for until it is', async () => {
  view = views.confirming;
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.getByRole('heading', { name: 'Confirming your payment' }).waitFor();
  view = views.paid;
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  expect(await tab.getByRole('button', { name: 'Print receipt' }).isVisible()).toBe(true);
  await tab.context().close();
});

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

test.runIf(isTorture).each(Object.entries<PageView>(views))(
  'axe finds nothing, and nothing is wider than the screen: %s',
  async (_, shown) => {
    const tab = await openTab();
    for (const locale of ['en', 'ar'])
      for (const width of [320, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          view = { ...shown, locale };
          await tab.setViewportSize({ width, height: 900 });
          await tab.emulateMedia({ colorScheme });
          await tab.goto(`${base}/pay/token`);
          const where = `${locale}, ${width} px, ${colorScheme}`;
          expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth'), where).toBeLessThanOrEqual(0);
          await tab.evaluate(axe());
          const found =
            'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))';
          expect(await tab.evaluate(found), where).toEqual([]);
        }
    await tab.context().close();
  },
);
