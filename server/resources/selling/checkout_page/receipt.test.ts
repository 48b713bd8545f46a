import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

/** The page of a session that is complete says what has become of the money, whatever the merchant does with it. */
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers of the API
async function post(path: string, body: object = {}): Promise<any> {
  const { status, json, text } = await account.test.post(`/v1/${path}`, body);
  expect(status, text).toBe(200);
  return json;
}

/** A session that is paid in its page, with the payment. */
async function paid(more: object = {}): Promise<{ tab: CheckoutTab; payment: string }> {
  const sold = { line_items: [{ name: 'Mug', unit_amount: 2_000, currency: 'eur' }] };
  const { id, url } = await post('checkout_sessions', { ...sold, ...more });
  const tab = new CheckoutTab(server.anonymous, url);
  await tab.open();
  expect((await tab.pay()).status).toBe(303);
  return { tab, payment: (await account.test.get(`/v1/checkout_sessions/${id}`)).json.payment };
}

/** Heading, amount, and the sums below the lines. */
async function shown(tab: CheckoutTab): Promise<string[]> {
  const { text } = await tab.open();
  const [, title = '', amount = ''] = /<h1 [^>]*>([^<]*)<\/h1><p class="amount"><bdi>([^<]*)/.exec(text) ?? [];
  const sums = [...text.matchAll(/<dt>([^<]*)<\/dt><dd><bdi>([^<]*)/g)].map(([, label, sum]) => `${label} ${sum}`);
  return [title, amount, ...sums];
}

describe('a payment that is only authorized', () => {
  const manual = { capture_method: 'manual', success_url: 'https://shop.test/done' };

  test('is not shown as paid, until it is captured; a part is shown as what it is', async () => {
    const { tab, payment } = await paid(manual);
    expect((await shown(tab)).slice(0, 3)).toEqual(['Payment authorized', '€20.00', 'Total €20.00']);
    await post(`payments/${payment}/capture`, { amount: 1_500 });
    expect((await shown(tab)).slice(0, 4)).toEqual([
      'Payment confirmed',
      '€15.00',
      'Total €20.00',
      'Amount paid €15.00',
    ]);
  });

  test('is shown as canceled once it is released', async () => {
    const { tab, payment } = await paid(manual);
    await post(`payments/${payment}/cancel`);
    expect((await shown(tab)).slice(0, 3)).toEqual(['Payment canceled', '€20.00', 'Total €20.00']);
    expect((await tab.open()).text).not.toContain('Print receipt');
  });
});

test('a payment that is refunded says how much of it, and in full that it is', async () => {
  const { tab, payment } = await paid();
  expect((await shown(tab)).slice(0, 3)).toEqual(['Payment confirmed', '€20.00', 'Total €20.00']);
  await post('refunds', { payment, amount: 500 });
  expect((await shown(tab)).slice(0, 4)).toEqual(['Payment confirmed', '€20.00', 'Total €20.00', 'Refunded -€5.00']);
  await post('refunds', { payment });
  expect((await shown(tab)).slice(0, 4)).toEqual(['Refunded', '€20.00', 'Total €20.00', 'Refunded -€20.00']);
});
