import { readFileSync } from 'node:fs';
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { samples } from '../../server/base/images/images.fixture.ts';
import { type FakeStripe, startFakeStripe } from '../../server/fakes/stripe/index.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { heading, longWalk, markup, openDashboard, refusedAt } from './fixture.ts';

const dashboard = openDashboard();

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe({ port: 0, rawCards: true });
});
afterAll(() => stripe?.close());

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
const methodWith = async (more: object = {}) =>
  (await dashboard.post('/v1/payment_methods', { type: 'card', card, ...more })).id;
const go = (tab: Tab, page: string) =>
  tab.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: page }).click();

longWalk('an owner changes the account, which the operator’s terms stand beside; a viewer only sees it', async () => {
  const tab = await dashboard.open('/settings/account');
  await tab.getByText('1, 3, 5 and 7 days after the first failure').waitFor();
  await tab.getByText(`npx tollgate accounts set ${dashboard.account.id}`).waitFor();
  await expectSoundOnTheWay(tab, 'the account');
  await tab.getByRole('button', { name: 'Change what happens when a charge fails' }).click();
  await tab.getByLabel('Days after the first failure').fill('2, 1');
  await expectSoundOnTheWay(tab, 'dunning');
  await tab.getByRole('button', { name: 'Save', exact: true }).click();
  await refusedAt(tab, 'Days after the first failure', 'It must be ascending');
  await tab.getByLabel('Days after the first failure').fill('2, 9');
  await tab.getByText('Failed charges are retried 2 and 9 days after').waitFor();
  await tab.getByRole('button', { name: 'Save', exact: true }).click();
  await tab.getByText('2 and 9 days after the first failure').waitFor();
  await tab.getByRole('button', { name: 'Change the name' }).click();
  await tab.getByRole('textbox', { name: 'Name' }).fill(markup);
  await tab.getByRole('dialog').getByRole('button', { name: 'Change the name' }).click();
  await tab
    .getByRole('button', { name: /^Account/ })
    .getByText(markup)
    .waitFor();
  const viewer = await dashboard.server.person(dashboard.account.id, 'viewer');
  const other = await dashboard.openAs(viewer, '/settings/account');
  await other.getByText('Owners and developers can change them').waitFor();
  await other.getByText('2 and 9 days after').waitFor();
  expect(await other.getByRole('button', { name: /^Change/ }).count()).toBe(0);
  expect((await viewer.client.post('/v1/account', { name: 'Mine' })).json.error.code).toBe('role_missing');
});

longWalk('an owner sets the branding beside a preview of it; a developer only sees it', async () => {
  const tab = await dashboard.open('/settings/branding');
  const preview = tab.getByRole('img', { name: 'How the checkout page will look' });
  const save = tab.getByRole('button', { name: 'Save' });
  await preview.getByText('Pay €48.00').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await tab.getByLabel('Name', { exact: true }).fill(markup);
  await preview.getByText(markup).waitFor();
  await tab.getByLabel('Color', { exact: true }).fill('#ffd500');
  const css = await preview.getByText('Pay €48.00').getAttribute('style');
  expect(css).toBe('background: rgb(255, 213, 0); color: rgb(0, 0, 0);');
  await tab.getByLabel('Support email').fill('help@shop.example');
  await tab.getByLabel('Address', { exact: true }).fill('Ring 1\n1010 Wien');
  await tab.getByLabel('Legal name').fill('Ring Shop GmbH');
  await tab.getByLabel('Legal address').fill('Ring 2\n1010 Wien');
  await tab.getByLabel('Tax ID').fill('ATU1');
  await tab.getByLabel('Footer').fill('FN 1');
  await tab.getByLabel('Terms').fill('http://shop.example');
  const picture = { name: 'logo.webp', mimeType: 'image/webp', buffer: samples.transparentWebp };
  const chooseFile = async (file: typeof picture) => {
    const [chooser] = await Promise.all([
      tab.waitForEvent('filechooser'),
      tab.getByRole('button', { name: /^(Upload|Replace) logo/ }).click(),
    ]);
    await chooser.setFiles(file);
  };
  await chooseFile({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await tab.getByText('Choose a PNG, JPEG or WebP picture').waitFor();
  await chooseFile(picture);
  await expect.poll(() => preview.locator('canvas').getAttribute('width')).toBe('24');
  await expectSoundOnTheWay(tab, 'branding that is typed');
  await save.click();
  await refusedAt(tab, 'Terms', 'It must be an https address');
  await tab.getByLabel('Terms').fill('https://shop.example/terms');
  await save.click();
  await tab.getByText('Branding saved').waitFor();
  // What is served is a picture for a browser.
  const drawn = () => tab.evaluate("document.querySelector('[role=img] img')?.naturalWidth");
  await expect.poll(drawn).toBe(24);
  expect((await dashboard.owner.client.get('/v1/branding')).json).toMatchObject({
    display_name: markup,
    support_address: 'Ring 1\n1010 Wien',
    logo: { type: 'image/webp' },
    ...{ legal_name: 'Ring Shop GmbH', legal_address: 'Ring 2\n1010 Wien', tax_id: 'ATU1', document_footer: 'FN 1' },
  });
  await tab.getByText('Dark', { exact: true }).click();
  await expectSoundOnTheWay(tab, 'branding');
  await chooseFile({ ...picture, buffer: samples.transparentWebp.subarray(0, 90) });
  await save.click();
  await tab.getByRole('alert').filter({ hasText: 'It is not a well-formed WebP file' }).waitFor();
  await tab.getByRole('button', { name: 'Discard changes' }).click();
  await tab.getByRole('button', { name: 'Remove logo' }).click();
  await save.click();
  await expect.poll(() => preview.locator('img').count()).toBe(0);
  const developer = await dashboard.server.person(dashboard.account.id, 'developer');
  const other = await dashboard.openAs(developer, '/settings/branding');
  await other.getByText('Owners can change it').waitFor();
  expect(await other.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
  expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
});

async function openDelete(tab: Tab): Promise<void> {
  await tab.getByRole('button', { name: 'More' }).click();
  await tab.getByRole('menuitem', { name: 'Delete' }).click();
}

longWalk(
  'a processor is added, verified, seen at work, disabled and deleted; its key is never shown again',
  async () => {
    const tab = await dashboard.open('/settings/processors');
    await tab.getByText('No test processors').waitFor();
    await expectSoundOnTheWay(tab, 'no processors');
    await tab.getByRole('button', { name: 'Add processor' }).click();
    await tab.getByRole('combobox', { name: 'Connector' }).click();
    await tab.getByRole('option', { name: 'stripe' }).click();
    await tab.getByRole('textbox', { name: 'Name' }).fill(markup);
    await tab.getByLabel('API base').fill(stripe.url);
    await tab.getByLabel('Raw cards').check();
    expect(await tab.getByRole('button', { name: /^Add </ }).isDisabled()).toBe(true);
    await tab.getByLabel('Secret key').fill('sk_test_wrong12345678');
    await expectSoundOnTheWay(tab, 'a new processor');
    await tab.getByRole('button', { name: /^Add </ }).click();
    await heading(tab, markup).waitFor();
    await tab.getByText('No requests in the last 24 hours').waitFor();
    await tab
      .getByText(/\/processors\/pa_/)
      .first()
      .waitFor();
    const id = tab.url().split('/').at(-1)!;

    await tab.getByRole('button', { name: 'Verify' }).click();
    await tab.getByRole('button', { name: 'Verify with stripe' }).click();
    await tab.getByRole('alert').getByText('Stripe').waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('button', { name: 'Update' }).click();
    await tab.getByLabel('Secret key').fill(stripe.secretKey);
    await tab.getByText('Secret key: the old value is destroyed').waitFor();
    await tab
      .getByRole('dialog')
      .getByRole('button', { name: /^Update/ })
      .click();
    await tab.getByText(/ updated$/).waitFor();
    await tab.getByRole('button', { name: 'Verify' }).click();
    await tab.getByRole('button', { name: 'Verify with stripe' }).click();
    await tab.getByText(/^Stripe accepts the key of/).waitFor();
    const verified = tab.locator('dl > div', { hasText: 'Last verified' });
    await expect.poll(() => verified.innerText()).not.toContain('Never');

    const payment_method = await methodWith();
    await dashboard.post('/v1/payments', { amount: 2_000, currency: 'eur', payment_method });
    await tab.reload();
    await tab.getByText('1 approved, 0 declined').waitFor();
    await expectSoundOnTheWay(tab, 'a processor');
    await go(tab, 'Processors');
    await tab.getByRole('row', { name: /100%.* ms \/ .* ms/ }).waitFor();
    await expectSoundOnTheWay(tab, 'processors');
    expect(await tab.content()).not.toContain(stripe.secretKey);

    await tab.getByRole('link', { name: markup }).click();
    await openDelete(tab);
    await tab
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await tab.getByRole('alert').getByText('cannot be deleted, because there are payments of it').waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('button', { name: 'Disable' }).click();
    await tab
      .getByRole('dialog')
      .getByRole('button', { name: /^Disable/ })
      .click();
    await tab.getByRole('button', { name: 'Enable' }).waitFor();
    const { json } = await dashboard.account.test.get(`/v1/processor_accounts/${id}`);
    expect(json).toMatchObject({ enabled: false, name: markup, settings: { raw_cards: true } });
    const spare = await dashboard.post('/v1/processor_accounts', { connector: 'simulator', name: 'Spare' });
    await tab.goto(`${dashboard.place}/settings/processors/${spare.id}`);
    await openDelete(tab);
    await tab.getByRole('button', { name: 'Delete Spare' }).click();
    await tab.waitForURL(`${dashboard.place}/settings/processors`);
  },
);

longWalk('live processors and routing are for owners alone', async () => {
  const developer = await dashboard.server.person(dashboard.account.id, 'developer');
  const tab = await dashboard.openAs(developer, '/settings/processors');
  await tab.getByRole('button', { name: 'Add processor' }).waitFor();
  await tab.getByText('Live', { exact: true }).click();
  await tab.getByText('Owners can add an account at a processor. ').waitFor();
  expect(await tab.getByRole('button', { name: 'Add processor' }).count()).toBe(0);
  const live = developer.client.with({ 'X-Tollgate-Mode': 'live' });
  const made = { connector: 'stripe', name: 'Mine', credentials: { secret_key: 'sk_live_12345678' } };
  expect((await live.post('/v1/processor_accounts', made)).json.error.code).toBe('role_missing');
  const owner = dashboard.owner.client.with({ 'X-Tollgate-Mode': 'live' });
  expect((await owner.post('/v1/processor_accounts', { ...made, enabled: false })).status).toBe(200);
});

longWalk(
  'rules are added, moved and deleted, and the question is answered with why earlier ones do not match',
  async () => {
    const names = ['Harbor', 'Quay'];
    for (const name of names) await dashboard.post('/v1/processor_accounts', { connector: 'simulator', name });
    const tab = await dashboard.open('/settings/routing');
    await tab.getByText(/^No rules\. The enabled processors are tried/).waitFor();
    const add = async (use: string, fields: Record<string, string>) => {
      await tab.getByRole('button', { name: 'Add rule', exact: true }).click();
      const dialog = tab.getByRole('dialog');
      for (const [label, value] of Object.entries(fields))
        await dialog.getByRole('textbox', { name: label }).fill(value);
      await tab.getByRole('combobox', { name: 'First processor' }).click();
      await tab.getByRole('option', { name: use }).click();
    };
    const confirm = (name: string | RegExp) => tab.getByRole('dialog').getByRole('button', { name }).click();
    await add('Quay', {});
    await confirm('Add rule 1');
    await tab.getByText('There are no rules', { exact: false }).waitFor({ state: 'detached' });
    await add('Harbor', { 'Amount below': '50.00' });
    for (const code of ['USD', 'GBP']) {
      await tab.getByRole('dialog').getByRole('combobox', { name: 'Currencies' }).fill(code);
      await tab.getByRole('option', { name: code }).click();
    }
    await tab.getByRole('textbox', { name: 'Amount below' }).focus(); // closes the list
    await tab.getByText('Rule 1 of 2. USD or GBP · amount below 50.00: Harbor.').waitFor();
    await expectSoundOnTheWay(tab, 'a new rule');
    await confirm('Add rule 1');
    await tab.getByText('Rule 2 matches: every payment.').waitFor();
    await tab.getByText('Rule 1 does not match: the rule takes GBP or USD, and the currency is EUR.').waitFor();
    await tab.getByRole('combobox', { name: 'Currency', exact: true }).fill('usd');
    await tab.getByRole('option', { name: 'USD' }).click();
    await tab.getByText('Rule 1 matches: GBP or USD · amount below 50.00.').waitFor();
    await tab.getByRole('combobox', { name: 'Billing country' }).fill('germ');
    await tab.getByRole('option', { name: 'Germany (DE)' }).click();
    await tab.getByRole('listitem').getByText('Tried').waitFor();
    await expectSoundOnTheWay(tab, 'routing');
    await tab.getByRole('button', { name: 'Move rule 1 down' }).click();
    await confirm('Make it rule 2');
    await tab.getByRole('alert').getByText('rule 1 takes everything that it could match').waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('button', { name: 'Delete rule 1' }).click();
    await confirm('Delete rule 1');
    await tab
      .locator('ol')
      .getByText(/^GBP or USD · /)
      .waitFor({ state: 'detached' });
    const { rules } = (await dashboard.account.test.get('/v1/routing')).json;
    expect(rules).toEqual([{ use: [expect.stringMatching(/^pa_/)] }]);
    await dashboard.post('/v1/routing', { rules: [] });
  },
);

longWalk('the palette finds by an id, an email, a card with an amount, a number and a reference', async () => {
  const customer = await dashboard.post('/v1/customers', { name: markup, email: 'Grace@example.com' });
  const payment_method = await methodWith({ customer: customer.id });
  const payment = await dashboard.post('/v1/payments', { amount: 4_321, currency: 'eur', payment_method });
  const { data: attempts } = (await dashboard.account.test.get(`/v1/payments/${payment.id}/attempts`)).json;
  expect(attempts).toMatchObject([{ state: 'approved', reference: expect.any(String) }]);
  const { reference } = attempts[0];
  const billed = { customer: customer.id, amount: 700, currency: 'eur', description: 'x' };
  const item = await dashboard.post('/v1/invoice_items', billed);
  const invoice = await dashboard.post('/v1/invoices', { customer: customer.id });
  const { number } = await dashboard.post(`/v1/invoices/${invoice.id}/finalize`, {});
  const tab = await dashboard.open('/settings/account');
  await heading(tab, 'Account').waitFor();
  const search = async (text: string) => {
    await tab.keyboard.press('Control+k');
    await tab.getByPlaceholder('Search payments').fill(text);
  };
  const hit = (name: RegExp) => tab.getByRole('dialog').getByRole('button', { name });
  await search('grace@EXAMPLE.com');
  await hit(/Grace@example.com/).waitFor();
  await expectSoundOnTheWay(tab, 'what was found');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.place}/customers/${customer.id}`);
  await search('4242 43.21');
  await hit(/€43.21.*succeeded, card 4242/).click();
  await tab.waitForURL(`${dashboard.place}/payments/${payment.id}`);
  await search(number);
  await hit(/€7.00|INV-/).waitFor();
  await tab.getByPlaceholder('Search payments').fill(reference);
  await hit(/€43.21/).waitFor();
  await tab.getByPlaceholder('Search payments').fill(item.id);
  await hit(/^x/).click();
  await tab.waitForURL(`${dashboard.place}/invoices/${invoice.id}`);
  const waiting = await dashboard.post('/v1/invoice_items', billed);
  await search(waiting.id);
  await hit(/^x/).click();
  await tab.waitForURL(`${dashboard.place}/customers/${customer.id}`);
  await search('nothing like it');
  await tab.getByText('No results').waitFor();
  await tab.getByText('names, emails, phone numbers, descriptions, products').waitFor();
  await expectSoundOnTheWay(tab, 'nothing found');
  // Enter before the answer opens what is found when it comes.
  await tab.getByPlaceholder('Search payments').fill(customer.id);
  await tab.keyboard.press('Enter');
  await tab.waitForURL(`${dashboard.place}/customers/${customer.id}`);
});

longWalk('a view is saved, seen in another browser, and removed; the export is what the filter selects', async () => {
  const payment_method = await methodWith();
  const pay = (more: object) =>
    dashboard.post('/v1/payments', { amount: 100, currency: 'eur', payment_method, ...more });
  const held = await Promise.all(
    Array.from({ length: 30 }, (_, at) => pay({ capture_method: 'manual', description: `${at}, ${markup}` })),
  );
  await pay({});
  const tab = await dashboard.open('/payments?status=requires_capture');
  await tab.getByRole('button', { name: 'Views' }).click();
  await tab.getByLabel('View name').fill(markup);
  await tab.getByRole('button', { name: 'Save' }).click();
  await tab.getByRole('button', { name: markup, exact: true }).waitFor();
  await expectSoundOnTheWay(tab, 'views');
  await tab.keyboard.press('Escape');
  await tab.getByRole('button', { name: 'Export' }).click();
  await tab.getByRole('checkbox', { name: 'Customer name' }).waitFor();
  await tab.getByRole('checkbox', { name: 'Metadata (JSON)' }).check();
  await tab.getByRole('checkbox', { name: 'Advice' }).uncheck();
  await expectSoundOnTheWay(tab, 'the columns of an export');
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.getByRole('button', { name: /^Export \d+ columns/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^payments-test-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const head = lines[0]!.split(',');
  expect(head).toEqual(
    expect.arrayContaining(['customer.name', 'payment_method.card.last4', 'amount_decimal', 'net_decimal', 'metadata']),
  );
  expect(head).not.toContain('advice');
  const ids = lines.slice(1).map((line) => line.split(',')[0]);
  expect(ids.toSorted()).toEqual(held.map(({ id }) => id).toSorted());
  expect(lines[1]).toContain('""document.title=1""');
  await tab.getByRole('button', { name: 'Columns and density' }).click();
  await tab.getByRole('checkbox', { name: 'Customer' }).uncheck();
  await tab.getByRole('columnheader', { name: 'Customer' }).waitFor({ state: 'detached' });
  await tab.reload();
  await tab.getByRole('columnheader', { name: 'Status' }).waitFor();
  expect(await tab.getByRole('columnheader', { name: 'Customer' }).count()).toBe(0);

  const elsewhere = await dashboard.openAs(dashboard.owner, '/payments');
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await elsewhere.getByRole('button', { name: markup, exact: true }).click();
  await elsewhere.waitForURL(`${dashboard.place}/payments?status=requires_capture`);
  await elsewhere.getByRole('button', { name: 'Views' }).click();
  await elsewhere.getByRole('button', { name: /^Remove the view/ }).click();
  await elsewhere.getByText('No views yet').waitFor();
  expect((await dashboard.owner.client.get('/v1/saved_views')).json.data).toEqual([]);
});
