import { readFileSync } from 'node:fs';
import type { Page as Tab } from 'playwright-core';
import { expect, test } from 'vitest';
import { readPdf } from '../../server/documents/read_pdf.fixture.ts';
import { Billing, cards } from '../../server/resources/billing/subscriptions/billing.fixture.ts';
import { eventually } from '../../server/test/eventually.ts';
import { expectSoundOnTheWay } from './browser.ts';
import { type Fixture, go, heading } from './fixture.ts';

/** Mails to customers: switched on, seen, and followed to the invoice that they are about. */

const seller = { legal_name: 'Ελληνικός Καφές ΑΕ', legal_address: 'Αθήνα' };
const buyers = { ar: 'محمد بن سلمان', ja: '株式会社北極光' } as const;

/** The mail as it is shown, in its sandbox. */
export const frameOf = (tab: Tab) => tab.frameLocator('iframe');

/** What is switched is known within a second: until a payment has its receipt. */
export async function receiptsAreSent({ account }: Fixture): Promise<void> {
  const billing = new Billing(account);
  const { id: customer } = await billing.post('customers', { email: 'first@example.com' });
  const { id: payment_method } = await billing.method(cards.pays, customer);
  const mailsOfNext = async () => {
    const { id } = await billing.post('payments', { amount: 100, currency: 'eur', customer, payment_method });
    return (await billing.get(`mails?payment=${id}`)).data.length;
  };
  await eventually(async () => expect(await mailsOfNext()).toBe(1));
}

/** Somebody whose renewal has failed, a month after it began. */
export async function failedRenewal({ account, server }: Fixture, details: object) {
  const billing = new Billing(account);
  const clock = await billing.clock('2035-05-01');
  const customer = await billing.customer(clock);
  await billing.post(`customers/${customer.id}`, details);
  const subscription = await billing.subscribe(customer, await billing.price(1_500));
  await billing.pays(customer, cards.declines);
  await billing.advance(clock, '2035-06-01T12:00');
  await server.settled();
  const [, invoice] = await billing.invoices(subscription);
  return { customer, invoice };
}

/** Declares the tests. */
export function readMails(dashboard: Fixture): void {
  test('an owner switches mails on; a renewal fails; the mail is read in the preview, and leads to the invoice and its PDF', async () => {
    const tab = await dashboard.open('/settings/mails');
    await heading(tab, 'Customer mails').waitFor();
    await tab.getByText('Shown here only').waitFor();
    expect(await tab.getByRole('switch', { checked: true }).count()).toBe(0);
    await tab.getByRole('button', { name: 'Choose the recommended ones' }).click();
    await tab.getByRole('switch', { name: /^Invoice/ }).click({ force: true });
    await tab.getByRole('button', { name: 'Save', exact: true }).click();
    await tab.getByText('Customer mails saved').waitFor();
    await eventually(async () => {
      const { json } = await dashboard.owner.client.get('/v1/account');
      expect(Object.values(json.mail).filter(Boolean)).toHaveLength(6);
    });
    expect((await dashboard.owner.client.post('/v1/branding', seller)).status).toBe(200);
    const known = { name: buyers.ja, email: 'hokkyoku@example.com', address: { city: buyers.ar } };
    await receiptsAreSent(dashboard);
    const { customer, invoice } = await failedRenewal(dashboard, known);
    await go(tab, '/settings/mail-preview');
    await heading(tab, 'Mail preview').waitFor();
    await tab.getByRole('link', { name: 'Failed payment' }).click();
    await heading(tab, 'Failed payment').waitFor();
    await tab.getByText('Failed payment mailed to hokkyoku@example.com.').waitFor();
    const link = frameOf(tab).getByRole('link', { name: /^Pay €15\.00/ });
    await link.waitFor();
    await expectSoundOnTheWay(tab, 'a mail');

    const opening = tab.context().waitForEvent('page');
    await link.click();
    const page = await opening;
    await page.getByText(invoice.number).first().waitFor();
    expect(page.url()).toBe(invoice.hosted_url);
    await page.close();

    await go(tab, `/invoices/${invoice.id}`);
    const saving = tab.waitForEvent('download');
    await tab.getByRole('button', { name: 'PDF' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`${invoice.number}.pdf`);
    const { pages } = await readPdf(readFileSync(await saved.path()));
    const text = pages.flat().join('\n').normalize('NFKC');
    expect(text).toContain(seller.legal_name);
    expect(text).toContain(buyers.ja);
    // The words of an Arabic line stand in the order in which they are drawn.
    for (const word of buyers.ar.split(' ')) expect(text).toContain(word);

    for (const path of [`/invoices/${invoice.id}`, `/customers/${customer.id}`]) {
      await go(tab, path);
      await tab.getByRole('heading', { name: 'Mails', exact: true }).waitFor();
      await tab.getByRole('link', { name: 'Failed payment', exact: true }).first().waitFor();
      await tab.getByText('Failed payment mailed to hokkyoku@example.com.').first().waitFor();
    }
  });

  test('the sandbox of a mail runs no script, and cannot reach the dashboard; a page of its own opens without it', async () => {
    const tab = await dashboard.open('/settings/mail-preview');
    await frameOf(tab).getByRole('heading').waitFor();
    const frame = tab.frames().find((one) => one.url().includes('/mail/'))!;
    const answer = await tab.request.get(frame.url());
    expect(answer.headers()['content-security-policy']).toContain(
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    );
    const sandbox = await tab.locator('iframe').getAttribute('sandbox');
    expect(sandbox).not.toMatch(/script|same-origin|forms|top-navigation/);
    expect(await tab.evaluate('(() => { try { return frames[0].document.title } catch { return "closed" } })()')).toBe(
      'closed',
    );
  });
}
