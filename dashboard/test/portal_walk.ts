import type { Locator, Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import type { TestAccount } from '../../server/test/harness.ts';
import { typedCard } from '../../server/test/pay_page.ts';
import { expectSoundOnTheWay, openContext } from './browser.ts';
import { type Fixture, go, heading } from './fixture.ts';
import { failedRenewal, frameOf } from './read_mails.ts';

/** What a customer does without anybody's help: pays a renewal that has failed, signs in, cancels, takes it back, and gets the invoice. */

const email = 'grace@example.com';
const phone = { width: 375, height: 812 };

/** With the keys alone, as somebody who sees no pointer: to the control, from where the focus is. */
async function reach(tab: Tab, control: Locator): Promise<void> {
  await control.waitFor();
  for (let steps = 0; steps < 80; steps++) {
    if ((await control.and(tab.locator(':focus')).count()) === 1) return;
    await tab.keyboard.press('Tab');
  }
  throw new Error(`no key leads to ${control}`);
}

async function pressKey(tab: Tab, control: Locator): Promise<void> {
  await reach(tab, control);
  await tab.keyboard.press('Enter');
}

/** The code that the dashboard of this gateway shows, because no mail leaves it. */
async function shownCode(tab: Tab): Promise<string> {
  await go(tab, '/settings/mail-preview');
  await heading(tab, 'Mail preview').waitFor();
  const row = tab
    .getByRole('row')
    .filter({ hasText: email })
    .filter({ has: tab.locator('code') });
  await row.waitFor();
  await expectSoundOnTheWay(tab, 'a code for the portal');
  return row.locator('code').innerText();
}

/** Declares the test. */
export function helpThemselves(dashboard: Fixture): void {
  test('a renewal fails; the customer pays it on a phone by the mailed link, signs in by a code, cancels, takes it back, and gets the invoice', async () => {
    // An account of its own: others have processors with pages to pay on.
    const { server, browser } = dashboard;
    const account = await server.account();
    const owner = await server.person(account.id, 'owner');
    expect((await owner.client.post('/v1/account', { mail: { payment_failed: true } })).status).toBe(200);
    const { customer, invoice } = await failedRenewal({ ...dashboard, account }, { name: 'Grace Hopper', email });
    const [mail] = (await account.test.get(`/v1/mails?customer=${customer.id}&kind=payment_failed`)).json.data;
    const merchant = await dashboard.openAs(owner, `/mails/${mail.id}`);
    const link = frameOf(merchant).getByRole('link', { name: /^Pay €15\.00/ });
    const mailed = (await link.getAttribute('href'))!;

    const context = await openContext(browser);
    const tab = await context.newPage();
    await tab.setViewportSize(phone);
    try {
      await tab.goto(mailed);
      await tab.getByText(invoice.number).first().waitFor();
      await tab.getByRole('button', { name: /^Pay/ }).click();
      const { email: _, ...card } = typedCard('5555555555554444');
      for (const [field, value] of Object.entries(card)) await tab.locator(`#${field}`).fill(value);
      await tab.getByRole('checkbox', { name: /^Save/ }).check();
      await tab.getByRole('button', { name: 'Pay €15.00' }).click();
      await tab.getByText('Paid').first().waitFor();
      expect(tab.url()).toBe(invoice.hosted_url);

      await tab.goto(`${server.baseUrl}/portal/test/${account.id}`);
      await reach(tab, tab.getByLabel('Email'));
      await tab.keyboard.type(email);
      await pressKey(tab, tab.getByRole('button', { name: 'Send code' }));
      await tab.getByRole('status').waitFor();
      await reach(tab, tab.getByLabel('Code'));
      await tab.keyboard.type(await shownCode(merchant));
      await pressKey(tab, tab.getByRole('button', { name: 'Sign in' }));
      await tab.getByRole('heading', { name: 'Your account' }).waitFor();
      await tab.getByText('Mastercard •••• 4444').first().waitFor();

      await pressKey(tab, tab.getByRole('link', { name: 'Manage' }));
      await pressKey(tab, tab.getByRole('link', { name: 'Cancel subscription' }));
      await reach(tab, tab.getByLabel('Reason'));
      await tab.keyboard.type('Too');
      await pressKey(tab, tab.getByRole('button', { name: 'Cancel subscription' }));
      await tab.getByText('Your changes were saved.').waitFor();
      await tab.getByText(/^Ends on/).waitFor();
      await pressKey(tab, tab.getByRole('link', { name: 'Manage' }));
      await pressKey(tab, tab.getByRole('button', { name: 'Keep subscription' }));
      await tab.getByText(/Renews on/).waitFor();

      const pdf = await tab.getByRole('link', { name: 'Invoice (PDF)' }).first().getAttribute('href');
      const saved = await tab.request.get(new URL(pdf!, tab.url()).href);
      expect((await saved.body()).subarray(0, 5).toString()).toBe('%PDF-');
      expect(saved.headers()['content-disposition']).toContain(`${invoice.number}.pdf`);
    } finally {
      await context.close();
    }
    await seenByMerchant(account, merchant, invoice.subscription);
  });
}

/** The subscription pays with the new card from now on; what the customer did stands in its timeline and in the audit log. */
async function seenByMerchant(account: TestAccount, tab: Tab, id: string): Promise<void> {
  const subscription = (await account.test.get(`/v1/subscriptions/${id}`)).json;
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: false });
  const method = (await account.test.get(`/v1/payment_methods/${subscription.default_payment_method}`)).json;
  expect(method.card).toMatchObject({ last4: '4444' });
  await go(tab, `/subscriptions/${id}`);
  const timeline = tab.getByRole('listitem');
  const told = async (words: string) => {
    await timeline.filter({ hasText: words }).filter({ hasText: 'by the customer' }).first().waitFor();
  };
  await eventually(() => told('Cancellation taken back'));
  await told('Subscription will end with the current period');
  await tab.getByText('Reason: Too expensive.').waitFor();
  await go(tab, `/settings/audit-log?subject=${id}`);
  await heading(tab, 'Audit log').waitFor();
  await tab.getByRole('link', { name: 'the customer', exact: true }).first().waitFor();
  expect(await tab.getByText('by a command').count()).toBe(0);
}
