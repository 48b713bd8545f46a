import type { Page as Tab } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, heading } from './fixture.ts';

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
const lostWords = 'The gateway cannot be reached.';

/** What people meet when something fails. Declares the tests. */
export function failures(dashboard: Fixture): void {
  /** Not watched: the browser complains about what fails here. */
  async function openUnwatched(path: string): Promise<Tab> {
    const tab = await dashboard.context.newPage();
    onTestFinished(() => tab.close());
    await tab.goto(dashboard.place + path);
    return tab;
  }

  /** Nothing gets through, as if the server were stopped. */
  const cut = (tab: Tab) => tab.route('**', (route) => route.abort('connectionrefused'));
  const button = (tab: Tab, name: string) => tab.getByRole('button', { name, exact: true });

  test('a refund whose answer is lost with the connection: a bar says so, the button comes back, and pressing again refunds once', async () => {
    const method = await dashboard.post('/v1/payment_methods', { type: 'card', card });
    const payment = await dashboard.post('/v1/payments', { amount: 2000, currency: 'eur', payment_method: method.id });
    const tab = await openUnwatched(`/payments/${payment.id}`);
    await button(tab, 'Refund').click();
    await tab.getByLabel('Amount').fill('5.00');
    const keys: string[] = [];
    await tab.route('**/v1/refunds', async (route) => {
      keys.push(route.request().headers()['idempotency-key']!);
      if (keys.length === 1) await route.fetch();
      await cut(tab);
      return route.abort('connectionreset');
    });
    await button(tab, 'Refund €5.00').click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByText('Pressing “Refund €5.00” again is safe: it takes effect once.').waitFor();
    await tab.getByText('Trying again until it is back.').waitFor();
    expect(await button(tab, 'Refund €5.00').isDisabled()).toBe(true);
    await expectSoundOnTheWay(tab, 'a gateway that cannot be reached');
    await tab.unrouteAll();
    await tab.getByText('Trying again until it is back.').waitFor({ state: 'detached' });
    tab.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']!);
    });
    await button(tab, 'Refund €5.00').click();
    await tab.getByText('Refund of €5.00: succeeded').waitFor();
    expect(new Set(keys).size).toBe(1);
    const { json } = await dashboard.account.test.get(`/v1/refunds?payment=${payment.id}`);
    expect(json.data).toHaveLength(1);
  });

  test('a page whose files are gone reloads by itself once, says so in words, and opens when they are back', async () => {
    const tab = await openUnwatched('/refunds');
    await heading(tab, 'Refunds').waitFor();
    let loads = 0;
    tab.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    // As after an upgrade, which has other files.
    await tab.route('**/assets/*', (route) =>
      loads === 0 ? route.fulfill({ status: 404, body: 'There is no such file.\n' }) : route.continue(),
    );
    await tab.getByRole('link', { name: 'Coupons', exact: true }).click();
    await heading(tab, 'Coupons').waitFor();
    expect(loads).toBe(1);
    // A file that stays away: no second reload.
    await tab.unrouteAll();
    await tab.route(/assets\/(?!index)[\w-]+\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await tab.getByRole('link', { name: 'Prices', exact: true }).click();
    await heading(tab, 'This page could not be loaded').waitFor();
    await expectSoundOnTheWay(tab, 'a page that could not be loaded');
    expect(loads).toBe(1);
    // Without a gateway a reload would leave an empty window.
    await cut(tab);
    await button(tab, 'Try again').click();
    await tab.getByText(`${lostWords} The page opens by itself when it is back.`).waitFor();
    expect(loads).toBe(1);
    await tab.unrouteAll();
    await button(tab, 'Try again').click();
    await heading(tab, 'Prices').waitFor();
    expect(loads).toBe(2);
  });
}
