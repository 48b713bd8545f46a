import { expect } from 'vitest';
import { catalog } from '../../server/catalog.ts';
import { customerMailKinds } from '../../server/resources/people/accounts/mail_kinds.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { go, heading, loaded, longWalk, openDashboard } from './fixture.ts';
import { failedRenewal, frameOf, receiptsAreSent } from './read_mails.ts';

/** The pages about mails. That one is read and followed, `read_mails.ts` tests in every run. */

const dashboard = openDashboard();

longWalk('every kind is shown in each language that is chosen, in text and HTML', async () => {
  const tab = await dashboard.open('/settings/mail-preview');
  for (const [locale, dir] of [
    ['de', 'ltr'],
    ['ar', 'rtl'],
    ['ja', 'ltr'],
  ] as const)
    for (const kind of customerMailKinds) {
      await tab.goto(`${dashboard.place}/settings/mail-preview?kind=${kind}&locale=${locale}`);
      await frameOf(tab).locator(`html[lang="${locale}"][dir="${dir}"] h1`).waitFor();
    }
  for (const { kind } of catalog.personMailKinds) {
    await tab.goto(`${dashboard.place}/settings/mail-preview?kind=${kind}`);
    await frameOf(tab).locator('html[lang="en"] h1').waitFor();
    expect(await tab.getByRole('combobox', { name: 'Language' }).count()).toBe(0);
  }
  await tab.goto(`${dashboard.place}/settings/mail-preview?kind=invoice`);
  await tab.getByRole('combobox', { name: 'Language' }).waitFor();
  await tab.getByText('Text', { exact: true }).click();
  await tab.locator('pre').getByText('INV-').or(tab.locator('pre')).first().waitFor();
  await loaded(tab);
  await expectSoundOnTheWay(tab, 'the preview of mails, as text');
  await tab.getByText('HTML', { exact: true }).click();
  await expectSoundOnTheWay(tab, 'the preview of mails');
  await go(tab, '/settings/mails');
  await heading(tab, 'Customer mails').waitFor();
  await loaded(tab);
  await expectSoundOnTheWay(tab, 'the settings of mails');
  await go(tab, '/mails');
  await heading(tab, 'Mails').waitFor();
  await expectSoundOnTheWay(tab, 'the list of mails');
});

longWalk('who may not change them sees the switches; who may handle customers sends a mail again', async () => {
  const viewer = await dashboard.openAs(
    await dashboard.server.person(dashboard.account.id, 'viewer'),
    '/settings/mails',
  );
  await heading(viewer, 'Customer mails').waitFor();
  await viewer.getByText('Owners can change it.').waitFor();
  expect(await viewer.getByRole('switch', { disabled: true }).count()).toBe(8);
  expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0);
  const { server, account } = dashboard;
  await server.operator.run('accounts.update', {
    id: account.id,
    parameters: { mail: { receipt: true, payment_failed: true } },
  });
  await receiptsAreSent(dashboard);
  const { customer } = await failedRenewal(dashboard, { email: 'again@example.com' });
  const [mail] = (await account.test.get(`/v1/mails?customer=${customer.id}&kind=payment_failed`)).json.data;
  const support = await dashboard.openAs(
    await dashboard.server.person(dashboard.account.id, 'support'),
    `/mails/${mail.id}`,
  );
  await support.getByRole('button', { name: 'Send again' }).click();
  await support.getByRole('button', { name: 'Send it again' }).click();
  await expect.poll(() => support.url()).not.toContain(mail.id);
  await support.getByText('Failed payment mailed to again@example.com.').waitFor();
});
