import { expect } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, openDashboard } from './fixture.ts';

const dashboard = openDashboard();
const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
/** Not this one, which a page leaves out, nor the next, which may begin during the test. */
const year = new Date().getUTCFullYear() + 2;

longWalk(
  'times of a test clock are marked, with real time beside them; what ends with its period is not asked for',
  async () => {
    const clock = await dashboard.post('/v1/test_clocks', { frozen_time: Date.UTC(year, 2, 4, 10) / 1_000 });
    const customer = await dashboard.post('/v1/customers', { name: 'Ada', test_clock: clock.id });
    const method = await dashboard.post('/v1/payment_methods', { type: 'card', card, customer: customer.id });
    await dashboard.post(`/v1/customers/${customer.id}`, { default_payment_method: method.id });
    const payment = await dashboard.post('/v1/payments', {
      ...{ amount: 2000, currency: 'eur', payment_method: method.id, customer: customer.id },
    });
    const price = await dashboard.post('/v1/prices', {
      ...{
        unit_amount: 900,
        currency: 'eur',
        product_name: 'Pro',
        recurring: { interval: 'month', interval_count: 1 },
      },
    });
    const subscription = await dashboard.post('/v1/subscriptions', {
      ...{ customer: customer.id, items: [{ price: price.id }], cancel_at_period_end: true },
    });

    const tab = await dashboard.open('/payments');
    const row = tab.getByRole('row').filter({ hasText: '€20.00' });
    await row.getByText(`Mar 4, ${year}`).waitFor();
    await row.getByText('Test clock:').waitFor({ state: 'attached' });
    await row.getByText('real time:').waitFor();
    await tab.getByText('The newest in real time come first.').waitFor();
    await expectSoundOnTheWay(tab, 'payments of a test clock');
    await go(tab, '/events');
    const event = tab.getByRole('row').filter({ hasText: 'payment.succeeded' }).first();
    await event.getByText(`Mar 4, ${year}`).waitFor();
    await event.getByText('real time:').waitFor();
    await go(tab, '/');
    await tab.getByText('By real time: what a test clock did').waitFor();
    await expectSoundOnTheWay(tab, 'home with payments of a test clock');
    await go(tab, `/payments/${payment.id}`);
    await tab.getByText('Created in real time').waitFor();
    expect(await tab.getByText('Test clock:').count()).toBeGreaterThan(0);
    await expectSoundOnTheWay(tab, 'a payment of a test clock');

    const refused: string[] = [];
    tab.on('response', (response) => {
      if (response.status() === 400) refused.push(response.url());
    });
    await go(tab, `/subscriptions/${subscription.id}`);
    await tab.getByText('Ends ').first().waitFor();
    await loaded(tab);
    await expectSoundOnTheWay(tab, 'a subscription that ends');
    expect(refused).toEqual([]);
    expect(await tab.getByRole('heading', { name: 'Upcoming invoice' }).count()).toBe(0);
    await dashboard.post('/v1/invoice_items', {
      ...{ customer: customer.id, subscription: subscription.id, amount: 500, currency: 'eur', description: 'Setup' },
    });
    await tab.getByRole('heading', { name: 'Upcoming invoice' }).waitFor();
  },
);

longWalk('one’s own session can be told, however long the name of the browser is', async () => {
  const tab = await dashboard.open('/settings/profile');
  await heading(tab, 'My profile').waitFor();
  const badge = tab.getByText('This session');
  await badge.waitFor();
  for (const width of [1440, 1024, 375]) {
    await tab.setViewportSize({ width, height: 900 });
    const cell = (await tab.getByRole('cell').filter({ has: badge }).boundingBox())!;
    const box = (await badge.boundingBox())!;
    expect(box.x + box.width, `${width} px`).toBeLessThanOrEqual(cell.x + cell.width);
  }
});
