import type { Page as Tab } from 'playwright-core';

/** Pays on the page of a checkout session, with the card that succeeds. */
export async function payOnPage(page: Tab): Promise<void> {
  await page.locator('[name=number]').fill('4242424242424242');
  await page.locator('[name=expiry]').fill('12/40');
  await page.locator('[name=cvc]').fill('123');
  await page.locator('#pay-button').click();
  await page.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
}

export const typeEmail = (page: Tab) => page.locator('[name=email]').fill('ada@example.com');

/** Goes on from the page of a payment link, and pays. */
export async function goOnAndPay(page: Tab): Promise<void> {
  await typeEmail(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await payOnPage(page);
}
