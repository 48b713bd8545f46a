import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { officialClient } from './official_client.fixture.ts';

/** The stand-in for Stripe.js in a browser, on a page of another origin, under the policy that Stripe's own script needs. */

let fake: FakeStripe;
let shop: Server;
let browser: Browser;
/** Everything that reached the shop. */
const requests: string[] = [];

const shopScript = (key: string) => `
const stripe = Stripe('${key}');
const elements = stripe.elements({ mode: 'payment', amount: 2000, currency: 'eur', setupFutureUsage: 'off_session' });
window.change = (amount) => elements.update({ amount });
elements.create('payment').on('ready', () => document.body.dataset.ready = 'yes').mount('#card');
document.forms[0].addEventListener('submit', async (event) => {
  event.preventDefault();
  const { error } = await elements.submit();
  const made = error ? { error } : await stripe.createConfirmationToken({ elements, params: { return_url: location.href } });
  document.querySelector('output').value = made.error ? made.error.message : made.confirmationToken.id;
  if (!made.error) await fetch('/token', { method: 'POST', body: made.confirmationToken.id });
});`;

beforeAll(async () => {
  fake = await startFakeStripe({ port: 0 });
  shop = createServer(async (request, response) => {
    const body = (await request.toArray()).map(String).join('');
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
    const policy = `default-src 'none'; script-src 'self' ${fake.url}; frame-src ${fake.url}; connect-src 'self'`;
    const isScript = request.url === '/shop.js';
    response.writeHead(200, {
      'content-security-policy': policy,
      'content-type': isScript ? 'text/javascript' : 'text/html',
    });
    const page = `<!doctype html><title>Shop</title><form><div id="card"></div><button>Pay</button></form><output></output>
<script src="${fake.url}/endive/stripe.js"></script><script src="/shop.js"></script>`;
    response.end(isScript ? shopScript(fake.publishableKey) : page);
  }).listen(0, 'localhost');
  await once(shop, 'listening');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
  await fake.close();
});

test('a card that is typed into its frame becomes a token, and its number never reaches the shop', async () => {
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon')) complaints.push(message.text());
  });
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await tab.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
  await tab.locator('body[data-ready=yes]').waitFor();
  const pay = tab.getByRole('button', { name: 'Pay' });
  const output = tab.locator('output');
  await pay.click();
  await expect.poll(() => output.textContent()).toBe('Your card details are incomplete.');
  const card = tab.frameLocator('iframe');
  await card.getByLabel('Card number').fill('4242 4242 4242 4242');
  await card.getByLabel('Expiration date').fill('12 / 34');
  await card.getByLabel('Security code').fill('123');
  await pay.click();
  await expect.poll(() => output.textContent()).toMatch(/^ctoken_/);
  const token = (await output.textContent()) ?? '';
  expect(fake.world.find(token)).toMatchObject({
    ...{ payment_intent: null, setup_future_usage: 'off_session', use_stripe_sdk: true },
    payment_method_preview: { card: { brand: 'visa', last4: '4242', exp_year: 2_034 } },
  });
  await expect.poll(() => requests.join('\n')).toContain(token);
  expect(requests.join('\n')).not.toMatch(/4242.?4242/);
  expect(complaints).toEqual([]);
  const { stripe } = officialClient(fake);
  // It serves a payment of the sum that the fields were told, which has changed meanwhile.
  const payBy = (confirmation_token: string, amount: number) =>
    stripe.paymentIntents.create({
      ...{ amount, currency: 'eur', confirm: true, confirmation_token, return_url: 'https://shop.test/back' },
      allowed_payment_method_types: ['card'],
    });
  await expect(payBy(token, 1_800)).rejects.toThrow('the fields were told 2000 eur');
  expect((await payBy(token, 2_000)).status).toBe('succeeded');
  expect(await tab.evaluate('try { change(0) } catch (error) { error.message }')).toContain('takes an amount');
  await tab.evaluate('change(1800)');
  await pay.click();
  await expect.poll(() => output.textContent()).not.toBe(token);
  const next = (await output.textContent()) ?? '';
  expect((await payBy(next, 1_800)).status).toBe('succeeded');
});
