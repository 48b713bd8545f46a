import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, CDPSession, Route, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Keyring, newRootKey } from '../../../base/keyring.ts';
import type { PageRequest } from '../../../base/page.ts';
import { Secret } from '../../../base/secret.ts';
import { openBrowser } from '../../../test/browser.ts';
import { isTorture } from '../../../test/torture.ts';
import type { CheckoutPageCalls, OpenedPage, PressedInput, TryResult } from './calls.ts';
import { checkoutPage } from './page.ts';
import type { PageView } from './view.ts';
import { openView, viewedAt, views } from './views.fixture.ts';

/** The page by itself, in states that a whole gateway reaches with difficulty. */

const began = performance.now();
const clock = { now: () => viewedAt + performance.now() - began };

let server: Server;
let browser: Browser;
let base: string;
let view: PageView;
/** What the session is after a payment. */
let afterPaid: PageView;
let paid: PressedInput[];
/** What the next try is answered with, instead of a payment. */
let refusal: Omit<TryResult, 'view'> | undefined;

/** The config of the fields has the sum, as `session_calls.ts` does. With nothing to pay, there is no way to pay. */
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

const opened: Omit<OpenedPage, 'view'> = {
  async pay(input) {
    paid.push(input);
    if (refusal !== undefined) {
      const refused = refusal;
      refusal = undefined;
      return { view, ...refused };
    }
    view = afterPaid;
    return { view };
  },
  closeTry: async () => ({ view }),
  async applyCoupon(code) {
    const off = { TEN: 1_000, FREE: view.total }[code ?? ''];
    if (off !== undefined) view = discounted(view, off, code);
    else if (code === undefined) view = undiscounted(view);
    return {
      view,
      problems: off === undefined && code !== undefined ? [{ field: 'coupon', text: 'code_invalid' }] : [],
    };
  },
};
const calls: CheckoutPageCalls = { open: async () => ({ view, ...opened }) };

beforeAll(async () => {
  const keyring = new Keyring(new Secret(newRootKey()));
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
  afterPaid = { ...views.paid, successUrl: undefined };
  [view, paid, refusal] = [openView, [], undefined];
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

describe('a token of the fields whose try is refused', () => {
  const fulfil = (route: Route) => route.fulfill({ contentType: 'text/javascript', body: script });
  const press = async (tab: Tab) => {
    await tab.locator('#fields').filter({ hasText: 'fields for 4890' }).waitFor();
    await tab.locator('#email').fill('ada@example.com');
    await tab.locator('#pay-button').click();
  };

  test('for a wrong entry: it is said, the fields are there again, and another token pays', async () => {
    [view, refusal] = [withFields, { problems: [{ field: 'email', text: 'invalid' }] }];
    const tab = await openTab();
    await tab.route(`${host}/**`, fulfil);
    await tab.goto(`${base}/pay/token`);
    await press(tab);
    await tab.getByRole('alert').filter({ hasText: 'Email: Please check this entry.' }).waitFor();
    expect(await tab.evaluate('document.activeElement.id')).toBe('trouble');
    expect(await tab.inputValue('#confirmation')).toBe('');
    expect(await tab.inputValue('#email')).toBe('ada@example.com');
    await press(tab);
    await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
    expect(paid.map(({ instrument }) => instrument.kind)).toEqual(['confirmation', 'confirmation']);
    await tab.context().close();
  });

  test('for a while: the page says until when, and leads back by GET', async () => {
    [view, refusal] = [withFields, { retryAfter: 90 }];
    const tab = await openTab();
    await tab.route(`${host}/**`, fulfil);
    await tab.goto(`${base}/pay/token`);
    await press(tab);
    await tab.getByRole('heading', { name: 'Too many attempts. Please try again in 2 minutes.' }).waitFor();
    await tab.getByRole('link', { name: 'Continue' }).click();
    expect(paid).toHaveLength(1);
    await press(tab);
    await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
    expect(paid).toHaveLength(2);
    await tab.context().close();
  });
});

test('a script of the processor that fails leads to its page, by the same button', async () => {
  const broken = script.replace(
    '=> ({ confirmationToken:',
    "=> { throw new Error('a defect') }, unused: () => ({ confirmationToken:",
  );
  expect(broken).not.toBe(script);
  expect(await payWith((route) => route.fulfill({ contentType: 'text/javascript', body: broken }))).toBe('page');
});

test('a shop that redirects to another origin is reached all the same', async () => {
  const shop = createServer((request, response) => {
    // localhost and 127.0.0.1 are two origins.
    const { port } = shop.address() as AddressInfo;
    if (request.url === '/done') response.writeHead(302, { Location: `http://127.0.0.1:${port}/thanks` }).end();
    else
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<!doctype html><title>Thank you</title><h1>Thank you</h1>');
  });
  await new Promise<void>((resolve) => void shop.listen(0, '127.0.0.1', resolve));
  const successUrl = `http://localhost:${(shop.address() as AddressInfo).port}/done`;
  view = { ...openView, ways: [{ kind: 'page' }], successUrl };
  afterPaid = { ...views.paid, successUrl };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.locator('#email').fill('ada@example.com');
  await tab.locator('#pay-button').click();
  await tab.getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(tab.url()).toContain('127.0.0.1');
  await tab.context().close();
  shop.close();
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
])('the fields of a processor get the new sum: %s', async (_, delayMs) => {
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

/** What Chromium tells a screen reader: the live regions of its accessibility tree, with what they say. */
async function announced(devtools: CDPSession): Promise<string[]> {
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  const textOf = (id: string): string => {
    const node = nodes.find(({ nodeId }) => nodeId === id);
    if (node?.role?.value === 'StaticText') return String(node.name?.value);
    return (node?.childIds ?? []).map(textOf).join('');
  };
  const live = nodes.filter(({ properties = [] }) =>
    properties.some(({ name, value }) => name === 'live' && value.value !== 'off'),
  );
  return live.filter(({ ignored }) => !ignored).map(({ nodeId, role }) => `${role?.value}: ${textOf(nodeId)}`);
}

test.each<[string, PageView, string]>([
  ['a payment', openView, 'status: Confirming your payment'],
  ['a card that is kept', { ...views.setup, ways: [{ kind: 'own' }] }, 'status: Save card'],
])('while the button is busy, a screen reader is told so: %s', async (_, shown, expected) => {
  view = shown;
  const tab = await openTab();
  const devtools = await tab.context().newCDPSession(tab);
  await tab.goto(`${base}/pay/token`);
  const typed = { email: 'a@b.test', number: '4242424242424242', expiry: '12/40', cvc: '123' };
  for (const [field, value] of Object.entries(typed)) await tab.locator(`#${field}`).fill(value);
  expect(await announced(devtools)).not.toContain(expected);
  // While Chromium waits for an answer it tells nobody its tree: the form is not sent.
  await tab.evaluate(`document.forms.pay.addEventListener('submit', (event) => event.preventDefault())`);
  await tab.locator('#pay-button').click();
  expect(await announced(devtools)).toContain(expected);
  await tab.context().close();
});

test('a coupon is announced with the sum that it leads to', async () => {
  view = { ...openView, allowsCoupons: true };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.getByLabel('Discount code').fill('TEN');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByRole('button', { name: 'Remove TEN' }).waitFor();
  const devtools = await tab.context().newCDPSession(tab);
  await expect.poll(() => announced(devtools)).toContain('status: Pay €38.90');
  await tab.context().close();
});

test('a form that is refused because the browser has lost its cookie says so beside the field, and can be sent again', async () => {
  view = { ...openView, allowsCoupons: true };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  const typed = { email: 'a@b.test', number: '4242424242424242', expiry: '12/40', cvc: '123' };
  for (const [field, value] of Object.entries(typed)) await tab.locator(`#${field}`).fill(value);
  const code = tab.getByLabel('Discount code');
  await tab.context().clearCookies();
  await code.fill('TEN');
  await tab.getByRole('button', { name: 'Apply' }).click();
  const problem = tab.locator('#coupon-problem');
  await problem.filter({ hasText: 'Something went wrong. Please try again.' }).waitFor();
  expect(await tab.evaluate('document.activeElement.id')).toBe('coupon');
  expect(await code.getAttribute('aria-describedby')).toBe('coupon-problem');
  expect(await tab.inputValue('#number')).toBe('4242 4242 4242 4242');
  await code.fill('TEN');
  await tab.getByRole('button', { name: 'Apply' }).click();
  await tab.getByRole('button', { name: 'Pay €38.90' }).waitFor();
  await tab.context().clearCookies();
  await tab.getByRole('button', { name: 'Remove TEN' }).click();
  await problem.filter({ hasText: 'Something went wrong. Please try again.' }).waitFor();
  await tab.locator('#pay-button').click();
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  expect(paid).toHaveLength(1);
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
  view = { ...openView, expiresAt: clock.now() + 119_000 };
  const tab = await openTab();
  await tab.goto(`${base}/pay/token`);
  await tab.getByRole('status').filter({ hasText: 'This page expires in 2 minutes.' }).waitFor();
  await tab.context().close();
});

test('the wrong clock of a customer ends nothing', async () => {
  view = { ...openView, expiresAt: clock.now() + 600_000 };
  const tab = await openTab();
  const wrong = Date.now() + 7 * 86_400_000;
  await tab.clock.install({ time: wrong });
  await tab.clock.pauseAt(wrong + 1_000);
  let loads = 0;
  tab.on('load', () => (loads += 1));
  await tab.goto(`${base}/pay/token`);
  await tab.clock.runFor(470_000);
  expect(await tab.locator('#expiry-note').innerText()).toBe('');
  await tab.clock.runFor(20_000);
  expect(await tab.locator('#expiry-note').innerText()).toBe('This page expires in 2 minutes.');
  expect(loads).toBe(1);
  view = views.expired;
  await tab.clock.runFor(120_000);
  await tab.getByRole('heading', { name: 'This page has expired.' }).waitFor();
  await tab.context().close();
});

describe('a customer who goes back to the page as it was', () => {
  // Tests cannot make a browser keep a page: it says so by this event.
  const comeBack = (tab: Tab) =>
    tab.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);

  test('finds what was typed', async () => {
    const tab = await openTab();
    await tab.goto(`${base}/pay/token`);
    await tab.locator('#email').fill('ada@example.com');
    await comeBack(tab);
    await tab.evaluate('new Promise(requestAnimationFrame)');
    expect(await tab.inputValue('#email')).toBe('ada@example.com');
    await tab.context().close();
  });

  test('after a press of the button, finds how it stands now', async () => {
    view = views['a page of the processor'];
    const tab = await openTab();
    await tab.goto(`${base}/pay/token`);
    await tab.evaluate(`document.querySelector('#pay-button').setAttribute('aria-busy', 'true')`);
    view = views.unfinished;
    await comeBack(tab);
    await tab.getByRole('heading', { name: 'Your payment is not finished yet.' }).waitFor();
    await tab.context().close();
  });
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
