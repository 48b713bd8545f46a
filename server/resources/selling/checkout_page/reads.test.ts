import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Reads } from '../../../base/reads.ts';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';

/** What a page costs the database: everything but the session, and its payment, is known from requests before. */
let server: TestServer;
let account: TestAccount;
beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

/** The tables that are read, in order. A join is named by its first table. */
async function readsOf(act: () => Promise<unknown>): Promise<string[]> {
  const run = vi.spyOn(Reads.prototype as unknown as { run(sql: unknown, text: string): Promise<unknown> }, 'run');
  try {
    await act();
    return run.mock.calls.map(([, text]) => /\bfrom (?!unnest)(\w+)/.exec(text)?.[1] ?? text);
  } finally {
    run.mockRestore();
  }
}

/** What is kept for a moment is read again afterwards, and jobs read too: an act to which that happens is repeated. */
async function expectReads(act: () => Promise<unknown>, expected: string[]): Promise<void> {
  await expect.poll(() => readsOf(act)).toEqual(expected);
}

test('a page takes one read, and a receipt two', async () => {
  const { url } = (await account.test.post('/v1/checkout_sessions', { amount: 2_000, currency: 'eur' })).json;
  const tab = new CheckoutTab(server.anonymous, url);
  await tab.open();
  await expectReads(() => tab.open(), ['checkout_sessions']);
  expect((await tab.pay({ number: '4000000000000002' })).status).toBe(303);
  await expectReads(() => tab.open(), ['checkout_sessions']);
  expect((await tab.pay()).status).toBe(303);
  await expectReads(() => tab.open(), ['checkout_sessions', 'payments']);
});

test('a press reads the session for the page, for the card, for the try, and as it is then', async () => {
  const card = ['payment_methods', 'vault_contents', 'card_testing_tries'];
  const press = (number: string) => async () => {
    const { url } = (await account.test.post('/v1/checkout_sessions', { amount: 2_000, currency: 'eur' })).json;
    const tab = new CheckoutTab(server.anonymous, url);
    await tab.open();
    return readsOf(() => tab.pay({ number }));
  };
  const sessions = ['checkout_sessions', 'checkout_sessions', 'checkout_sessions'];
  await expect.poll(press('4000000000000002')).toEqual([...sessions, ...card, 'checkout_sessions']);
  await expect.poll(press('4242424242424242')).toEqual([...sessions, ...card, 'checkout_sessions', 'payments']);
});
