import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { Checkout, cards, tokenOf } from './checkout.fixture.ts';

/** The pages of an account that the operator has suspended. */

let server: TestServer;
let account: TestAccount;
let checkout: Checkout;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  checkout = new Checkout(server, account);
});
afterAll(() => server.stop());

const sentence = 'This shop is not taking payments at the moment.';

/** A browser that has opened a page, and can press its buttons. */
async function openPage({ url }: { url: string }) {
  const { pathname } = new URL(url);
  const page = await server.anonymous.get(pathname);
  const [cookie = ''] = String(page.headers['set-cookie'] ?? '').split(';');
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
  const type = 'application/x-www-form-urlencoded';
  const browser: Client = server.anonymous.with({ Cookie: cookie, 'Content-Type': type });
  const press = (fields: Record<string, string>): Promise<Answer> =>
    browser.post(pathname, new URLSearchParams({ form_token, ...fields }).toString());
  return { page, press, read: () => server.anonymous.get(pathname) };
}

async function setStatus(verb: 'suspend' | 'resume'): Promise<void> {
  const before = verb === 'suspend' ? 'active' : 'suspended';
  await server.operator.run(`accounts.${verb}`, { id: account.id });
  const { isSuspended } = server.gateway.services;
  const { rows } = await server.sql.query('select tenant from tenants where account = $1', [account.id]);
  // It is known within a second.
  await expect
    .poll(async () => Promise.all(rows.map(({ tenant }) => isSuspended(tenant))), { timeout: 10_000 })
    .toEqual(rows.map(() => before === 'active'));
}

const card = {
  act: 'pay',
  email: 'ada@example.com',
  number: cards.good,
  expiry: '12 / 40',
  cvc: '123',
};

test('say that this shop takes no payments, and ask no processor; receipts stay, and it goes on when it is resumed', async () => {
  const coupon = { percent_off: 50, duration: 'once', code: 'half' };
  await account.test.post('/v1/coupons', coupon);
  const [open, challenged, paid] = [
    await checkout.create({ customer_email: null, allow_coupons: true }),
    await checkout.create(),
    await checkout.create(),
  ];
  const link = (await account.test.post('/v1/payment_links', { amount: 500, currency: 'eur' })).json;
  expect((await checkout.pay(challenged, cards.challenged))?.view.try.state).toBe('action');
  await checkout.pay(paid);
  const pages = { open: await openPage(open), challenged: await openPage(challenged), link: await openPage(link) };
  await setStatus('suspend');
  const stored = async () => {
    const counted = `select (select count(*) from payments) as payments, (select count(*) from attempts) as attempts,
      (select count(*) from checkout_sessions) as sessions, (select sum(coupon_tries) from checkout_sessions) as tries`;
    return (await server.sql.query(counted)).rows[0];
  };
  const before = await stored();
  for (const { read } of Object.values(pages)) {
    const { status, text } = await read();
    expect([status, text.includes(sentence)]).toEqual([200, true]);
    expect(text).not.toMatch(/<form|id="go"/);
  }
  for (const fields of [card, { act: 'coupon', coupon: 'half' }, { act: 'coupon', coupon: 'wrong' }]) {
    const { status, headers } = await pages.open.press(fields);
    expect([status, headers.location]).toEqual([303, new URL(open.url).pathname]);
  }
  expect((await pages.challenged.press({ act: 'another_way' })).status).toBe(303);
  const pressed = await pages.link.press({ email: 'ada@example.com' });
  expect([pressed.status, pressed.text.includes(sentence)]).toEqual([200, true]);
  // What the page calls refuses too, whatever the page has shown.
  expect((await checkout.pay(open, cards.good, { details: { email: 'ada@example.com' } }))?.view).toMatchObject({
    status: 'open',
    suspended: true,
  });
  expect((await checkout.calls.applyCoupon(tokenOf(open.url), 'half', '203.0.113.7'))?.view.amount_total).toBe(2_000);
  expect((await checkout.calls.closeTry(tokenOf(challenged.url), '203.0.113.7'))?.try.state).toBe('action');
  expect(await stored()).toEqual(before);
  expect((await openPage(paid)).page.text).toContain('Payment confirmed');
  expect(
    (await server.anonymous.get(new URL(open.url).pathname, { headers: { 'Accept-Language': 'de' } })).text,
  ).toContain('Dieser Shop nimmt derzeit keine Zahlungen an.');

  await setStatus('resume');
  expect((await pages.open.press(card)).status).toBe(303);
  expect(await checkout.get(open.id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
  expect((await pages.link.press({ email: 'ada@example.com' })).headers.location).toMatch(/^\/pay\//);
});
