import type { Page as Tab } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../server/test/harness.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, go, heading, loaded, longWalk } from './fixture.ts';

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
    const bar = (await tab.locator('footer', { hasText: lostWords }).boundingBox())!;
    const last = (await tab.locator('nav a', { hasText: 'Settings' }).boundingBox())!;
    expect(last.y + last.height, 'the navigation ends above the bar').toBeLessThanOrEqual(bar.y);
    await tab.unrouteAll();
    await tab.evaluate("dispatchEvent(new Event('online'))"); // as the browser says it, before the next question
    await tab.getByText('Trying again until it is back.').waitFor({ state: 'detached' });
    tab.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']!);
    });
    // The same change still, in a form that was opened again.
    await tab.reload();
    await button(tab, 'Refund').click();
    await tab.getByText('Continued from what you typed before.').waitFor();
    await button(tab, 'Refund €5.00').click();
    await tab.getByText('Refund of €5.00: succeeded').waitFor();
    expect(new Set(keys).size).toBe(1);
    const { json } = await dashboard.account.test.get(`/v1/refunds?payment=${payment.id}`);
    expect(json.data).toHaveLength(1);
  });

  test('a page whose files are gone reloads by itself once; if they stay away it says so, and opens when they are back', async () => {
    const tab = await openUnwatched('/refunds');
    await heading(tab, 'Refunds').waitFor();
    let loads = 0;
    tab.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    // As after an upgrade, which has other files. The pages of another group are in a file that is not loaded yet.
    await tab.route('**/assets/*', (route) =>
      loads === 0 ? route.fulfill({ status: 404, body: 'There is no such file.\n' }) : route.continue(),
    );
    await tab.getByRole('link', { name: 'Events', exact: true }).click();
    await heading(tab, 'Events').waitFor();
    expect(loads).toBe(1);
    // A file that stays away: no second reload.
    await tab.unrouteAll();
    await tab.route(/assets\/(?!index)[\w-]+\.js/, (route) => route.fulfill({ status: 404, body: '' }));
    await tab.getByRole('link', { name: 'Balance', exact: true }).click();
    await heading(tab, 'This page could not be loaded').waitFor();
    await expectSoundOnTheWay(tab, 'a page that could not be loaded');
    expect(loads).toBe(1);
    await tab.unrouteAll();
    await button(tab, 'Try again').click();
    await heading(tab, 'Balance').waitFor();
    expect(loads).toBe(2);
  });

  longWalk('a page that is opened while the server is stopped waits for it, and opens by itself', async () => {
    const tab = await openUnwatched('/refunds');
    await heading(tab, 'Refunds').waitFor();
    await cut(tab);
    await tab.getByRole('link', { name: 'Events', exact: true }).click();
    // A reload would leave an empty window.
    await tab.getByText(`${lostWords} The page opens by itself when it is back.`).waitFor();
    await button(tab, 'Try again').click();
    await tab.getByText('Trying again until it is back.').waitFor();
    await expectSoundOnTheWay(tab, 'a page without a gateway');
    await tab.unrouteAll();
    await heading(tab, 'Events').waitFor();
  });

  longWalk(
    'a server that is stopped and started again: the bar comes and goes by itself, and the page opens',
    async () => {
      const instance = { databaseUrl: dashboard.server.databaseUrl, purpose: 'dev' } as const;
      const first = await startServer(instance);
      const tab = await dashboard.context.newPage();
      onTestFinished(() => tab.close());
      await tab.goto(`${dashboard.place.replace(dashboard.server.baseUrl, first.baseUrl)}/refunds`);
      await heading(tab, 'Refunds').waitFor();
      await tab.locator('[data-live=connected]').waitFor();
      await first.stop();
      // Nobody clicks: the connection for changes is gone.
      await tab.getByText('Trying again until it is back.').waitFor();
      await heading(tab, 'Refunds').waitFor();
      await tab.getByRole('link', { name: 'Events', exact: true }).click();
      await tab.getByText(`${lostWords} The page opens by itself when it is back.`).waitFor();
      const second = await startServer({ ...instance, environment: { PORT: String(first.gateway.port) } });
      onTestFinished(() => second.stop());
      await heading(tab, 'Events').waitFor();
      expect(await tab.getByText('Trying again until it is back.').count()).toBe(0);
    },
  );

  test('before any script has run, the shape of a page is there', async () => {
    const tab = await dashboard.open();
    await tab.route('**/assets/*.js', (route) => route.abort('connectionreset'));
    await tab.goto(dashboard.place);
    expect(await tab.locator('#shell .top').getByText('Tollgate').isVisible()).toBe(true);
    expect(await tab.locator('#root > *').count()).toBe(0);
  });

  /** What the tab keeps of what was typed. */
  const drafts = (tab: Tab) =>
    tab.evaluate<string>('JSON.stringify(sessionStorage)').then((all) => all.match(/tollgate.draft/g)?.length ?? 0);

  async function typeCustomer(tab: Tab, name: string): Promise<void> {
    await button(tab, 'Create customer').click();
    await tab.getByLabel('Name').fill(name);
  }

  test('a session that ends in the middle of a form: signing in over the page goes on, and Esc asks', async () => {
    const person = await dashboard.server.person(dashboard.account.id, 'developer');
    const tab = await dashboard.openAs(person, '/customers');
    await typeCustomer(tab, 'Grace Hopper');
    await person.alone.delete('/v1/sessions');
    await tab.getByText('Your session has ended').waitFor();
    expect(await tab.getByRole('textbox', { name: 'Email' }).last().inputValue()).toBe(person.email);
    await expectSoundOnTheWay(tab, 'signing in again');
    await tab.keyboard.press('Escape');
    await tab.getByLabel('Password', { exact: true }).fill(person.password);
    await tab.keyboard.press('Enter');
    await tab.getByText('Your session has ended').waitFor({ state: 'detached' });
    expect(await drafts(tab)).toBe(1);
    await tab.keyboard.press('Escape');
    await tab.getByText('Discard what you typed?').waitFor();
    await button(tab, 'Keep editing').click();
    await button(tab, 'Create Grace Hopper').click();
    await heading(tab, 'Grace Hopper').waitFor();
    expect(await drafts(tab)).toBe(0);
  });

  longWalk('what is typed into a form survives other pages, until it is discarded', async () => {
    const tab = await dashboard.open('/customers');
    await typeCustomer(tab, 'Mary Jackson');
    await go(tab, '/coupons');
    await heading(tab, 'Coupons').waitFor();
    await go(tab, '/customers');
    await button(tab, 'Create customer').click();
    await tab.getByText('Continued from what you typed before.').waitFor();
    await expectSoundOnTheWay(tab, 'a form with a draft');
    expect(await tab.getByLabel('Name').inputValue()).toBe('Mary Jackson');
    await tab.keyboard.press('Escape');
    await tab.getByText('Discard what you typed?').waitFor();
    await expectSoundOnTheWay(tab, 'a form that asks');
    await button(tab, 'Discard').click();
    await tab.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await drafts(tab)).toBe(0);
    await button(tab, 'Create customer').click();
    expect(await tab.getByLabel('Name').inputValue()).toBe('');
    // Nothing was typed: Esc closes.
    await tab.keyboard.press('Escape');
    await tab.getByRole('dialog').waitFor({ state: 'detached' });
  });

  longWalk(
    'a change that meets an ended session is sent by another press; somebody else gets nothing of it',
    async () => {
      const [person, other] = [
        await dashboard.server.person(dashboard.account.id, 'developer'),
        await dashboard.server.person(dashboard.account.id, 'developer'),
      ];
      const tab = await dashboard.openAs(person, '/customers');
      await tab.route('**/v1/changes', (route) => route.abort('connectionreset')); // nobody learns of it before the press
      await tab.reload();
      await typeCustomer(tab, 'Katherine Johnson');
      await person.alone.delete('/v1/sessions');
      await button(tab, 'Create Katherine Johnson').click();
      await tab.getByLabel('Password', { exact: true }).fill(person.password);
      await tab.keyboard.press('Enter');
      await tab.getByText('You have signed in again').waitFor();
      expect(await drafts(tab)).toBe(1);

      // Somebody else signs in over the page: nothing of it is left.
      await tab.context().clearCookies();
      await button(tab, 'Create Katherine Johnson').click();
      await button(tab, 'Sign in as somebody else, and discard what was typed').click();
      await tab.getByLabel('Email').fill(other.email);
      await tab.getByLabel('Password', { exact: true }).fill(other.password);
      await tab.keyboard.press('Enter');
      await heading(tab, 'Home').waitFor();
      expect(await drafts(tab)).toBe(0);
      await go(tab, '/customers');
      await button(tab, 'Create customer').click();
      expect(await tab.getByLabel('Name').inputValue()).toBe('');
      await tab.getByLabel('Name').fill('Dorothy Vaughan');

      // Another tab of this browser signs in as the first one: this tab shows nothing of the second.
      const [name = '', value = ''] = (await dashboard.server.person(dashboard.account.id, 'viewer')).cookie.split('=');
      await tab
        .context()
        .addCookies([{ name, value, url: dashboard.server.baseUrl, httpOnly: true, secure: true, sameSite: 'Strict' }]);
      await tab.evaluate("dispatchEvent(new Event('visibilitychange'))");
      await tab.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await drafts(tab)).toBe(0);
    },
  );

  longWalk('evidence survives other pages and a reload, is gone once it is saved, and at signing out', async () => {
    const person = await dashboard.server.person(dashboard.account.id, 'owner');
    const method = await dashboard.post('/v1/payment_methods', {
      type: 'card',
      card: { ...card, number: '4000000000000259' },
    });
    await dashboard.post('/v1/payments', { amount: 2000, currency: 'eur', payment_method: method.id });
    const list = async () => (await dashboard.account.test.get('/v1/disputes')).json.data;
    await expect.poll(async () => (await list()).length).toBeGreaterThan(0);
    const [{ id }] = await list();
    const tab = await dashboard.openAs(person, `/disputes/${id}`);
    const words = tab.getByLabel('Explanation', { exact: true });
    await words.fill('It was delivered on Monday.');
    await go(tab, '/payments');
    await heading(tab, 'Payments').waitFor();
    await tab.goBack();
    await expect.poll(() => words.inputValue()).toBe('It was delivered on Monday.');
    await tab.reload();
    await expect.poll(() => words.inputValue()).toBe('It was delivered on Monday.');
    await button(tab, 'Save as draft').click();
    await button(tab, 'Save draft').click();
    await tab.getByText('Draft saved').waitFor();
    await loaded(tab);
    expect(await drafts(tab)).toBe(0);
    expect(await words.inputValue()).toBe('It was delivered on Monday.');
    await words.fill('It was delivered on Tuesday.');
    expect(await drafts(tab)).toBe(1);
    await tab.getByRole('button', { name: /^Account/ }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(tab, 'Sign in').waitFor();
    expect(await drafts(tab)).toBe(0);
  });
}
