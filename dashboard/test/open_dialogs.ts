import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, loaded, refusedAt } from './fixture.ts';

/** Reads again what the page shows, as the browser does when its window gets the focus after a while. */
async function readAgain(tab: Tab): Promise<void> {
  await tab.clock.fastForward(60_000);
  await tab.evaluate("dispatchEvent(new Event('visibilitychange'))");
}

type Lost = { keys: string[] };

/** The gateway takes the first request of this kind. Its answer is lost, as are the other tries of the SDK; later requests are answered. */
async function loseAnswers(tab: Tab, address: string): Promise<Lost> {
  const keys: string[] = [];
  await tab.route(address, async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    keys.push(request.headers()['idempotency-key']!);
    if (keys.length > 3) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort('connectionreset');
  });
  return { keys };
}

/** Dialogs that are open while somebody else changes what they are about, after an answer was lost, or after a refusal. Declares the tests. */
export function openDialogs(dashboard: Fixture): void {
  let tab: Tab;
  let processor: string;

  async function openAt(path: string): Promise<void> {
    tab = await dashboard.open();
    await tab.clock.install();
    await tab.goto(`${dashboard.place}${path}`);
    await loaded(tab);
  }

  const button = (name: string) => tab.getByRole('button', { name, exact: true });
  const dialog = () => tab.getByRole('dialog');
  const setRules = (...currencies: string[]) =>
    dashboard.post('/v1/routing', {
      rules: currencies.map((one) => ({ when: { currency: [one] }, use: [processor] })),
    });

  /** Until these rules are shown. */
  const becomeRules = (...currencies: string[]) =>
    expect
      .poll(async () =>
        (await tab.locator('ol.divided > li').allInnerTexts()).map((text) => /[A-Z]{3}/.exec(text)?.[0].toLowerCase()),
      )
      .toEqual(currencies);

  beforeAll(async () => {
    processor = (await dashboard.post('/v1/processor_accounts', { connector: 'simulator', name: 'Harbor' })).id;
  });

  afterAll(() => setRules());

  test('a dialog that moves a rule follows the other rules, and closes when the rule cannot be moved there', async () => {
    await setRules('usd', 'eur', 'gbp');
    await openAt('/settings/routing');

    await button('Move rule 2 down').click();
    await dialog().getByText('GBP: it becomes rule 2.').waitFor();
    await setRules('usd', 'eur');
    await readAgain(tab);
    await becomeRules('usd', 'eur');
    await dialog().waitFor({ state: 'detached' });

    await button('Move rule 2 up').click();
    await dialog().getByText('USD: it becomes rule 2.').waitFor();
    await setRules('jpy', 'usd', 'eur');
    await readAgain(tab);
    await dialog().getByText('EUR: it becomes rule 1.').waitFor();
    await dialog().getByText('JPY: it becomes rule 2.').waitFor();
    await setRules('eur', 'usd');
    await readAgain(tab);
    await becomeRules('eur', 'usd');
    await dialog().waitFor({ state: 'detached' });
  });

  test('another try sends other rules with another idempotency key', async () => {
    await setRules('usd', 'eur', 'gbp');
    await openAt('/settings/routing');
    const { keys } = await loseAnswers(tab, '**/v1/routing');
    await button('Move rule 1 down').click();
    await button('Make it rule 2').click();
    await dialog().getByRole('alert').waitFor();
    await setRules('usd', 'eur', 'gbp', 'jpy');
    await readAgain(tab);
    await becomeRules('usd', 'eur', 'gbp', 'jpy');
    await button('Make it rule 2').click();
    await tab.getByText('Rule 1 is now rule 2').waitFor();
    await becomeRules('eur', 'usd', 'gbp', 'jpy');
    expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 0, 3]);
  });

  test('a key that was revoked for a narrower one, whose secret was lost with the answer: another try shows it', async () => {
    const { json } = await dashboard.owner.client.post('/v1/api_keys', { name: 'Export', kind: 'secret' });
    await dashboard.server.sql.query(
      `insert into api_key_uses (tenant, key_id, scope, last_used) select tenant, id, 'balance:read', now() from api_keys where id = $1`,
      [json.id],
    );
    await openAt(`/api-keys/${json.id}`);
    const { keys } = await loseAnswers(tab, '**/roll');
    await button('Narrow the key').click();
    await tab.getByRole('combobox', { name: 'Keep the old key working' }).click();
    await tab.getByRole('option', { name: 'Not at all' }).click();
    await button('Create a key with balance:read').click();
    await dialog().getByRole('alert').waitFor();
    await readAgain(tab);
    await tab.getByText('Revoked', { exact: true }).first().waitFor({ state: 'attached' });
    await button('Create a key with balance:read').click();
    const narrower = dashboard.server.client((await tab.getByTestId('secret').textContent())!);
    expect((await narrower.get('/v1/balance')).status).toBe(200);
    expect(new Set(keys).size).toBe(1);
  });

  test('what the API refuses stands at its field, until it is edited; another try is another intent', async () => {
    await openAt('/customers');
    const keys: string[] = [];
    tab.on('request', (request) => {
      if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']!);
    });
    await button('Create customer').click();
    await dialog().getByLabel('Name').fill('Ada');
    await dialog().getByLabel('Email').fill('ada@example');
    await button('Create Ada').click();
    await refusedAt(tab, 'Email', 'It must look like an email address');
    await expectSoundOnTheWay(tab, 'a form with a refusal');
    expect(await tab.getByTestId('failure').count()).toBe(0);
    await button('Create Ada').click();
    await expect.poll(() => keys.length).toBe(2);
    await refusedAt(tab, 'Email', 'It must look like an email address');
    await dialog().getByLabel('Email').fill('ada@example.com');
    await tab.getByRole('alert').waitFor({ state: 'detached' });
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Ada');
    await tab.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(new Set(keys).size).toBe(3);
  });

  test('a part of a parameter stands at the input that sends it, and what no input sends stands below them', async () => {
    await openAt('/prices');
    const refuse = (param: string, reason: string) =>
      tab.route('**/v1/prices', (route) => {
        const error = { type: 'invalid_request_error', code: 'parameter_invalid', param };
        const message = `The parameter ${param} is invalid: ${reason}`;
        return route.fulfill({ status: 400, json: { error: { ...error, message } } });
      });
    await button('Create price').click();
    await dialog().getByLabel('Product name').fill('Plan');
    await dialog().getByLabel('Unit amount').fill('9');
    const create = () => button('Create €9.00 per month').click();
    for (const [param, label] of [
      ['recurring[interval_count]', 'Every'],
      ['currency', 'Currency'],
      ['unit_amount', 'Unit amount'],
    ] as const) {
      await refuse(param, 'it must be another.');
      await create();
      await refusedAt(tab, label, 'It must be another.');
      expect(await tab.getByRole('alert').count()).toBe(1);
    }
    await refuse('tax_code', 'it must be known.');
    await create();
    await tab.getByTestId('failure').getByText('Tax code: it must be known.').waitFor();
    expect(await tab.getByRole('alert').count()).toBe(1);
    await tab.unrouteAll();
  });
}
