import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PortalSettings, portalDefaults } from '../../../operations/portal_settings.ts';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import type { Answer } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { decideOn } from '../../../test/pay_page.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { Billing, cards, type Shown } from '../../billing/subscriptions/billing.fixture.ts';
import { CustomerHand, operationNamed } from './customer_walk.fixture.ts';
import { methodsView } from './methods.ts';
import { PortalBrowser } from './portal.fixture.ts';
import { nothingAllowed, type PortalVisit } from './visit.ts';

let server: TestServer;
let account: TestAccount;
let billing: Billing;
let hand: CustomerHand;
let gold: Shown;
let silver: Shown;
let custom: Shown;

beforeAll(async () => {
  server = await startServer({ isAlone: true });
  account = await server.account();
  billing = new Billing(account);
  hand = new CustomerHand(server);
  gold = await billing.price(1_500);
  silver = await billing.post('prices', priced('Silver', 500));
  custom = await billing.post('prices', priced('Agreed', 100));
});
afterAll(() => server.stop());
beforeEach(() => allow({}));
afterEach(async () => {
  expect(await violationsOf(server.sql, { rest: true })).toEqual([]);
});

const priced = (product_name: string, unit_amount: number) => ({
  ...{ product_name, unit_amount, currency: 'eur', recurring: { interval: 'month' } },
});

const allow = (settings: Partial<PortalSettings>) =>
  server.operator.run('portal_settings.update', {
    account: account.id,
    mode: 'test',
    parameters: { ...portalDefaults, ...settings },
  });

const home = () => `/portal/test/${account.id}`;
const of = (customer: Shown) => ({ account: account.id, mode: 'test' as const, customer: customer.id });
const run = (customer: Shown, name: string, id: string, parameters: Record<string, unknown> = {}) =>
  hand.run(of(customer), operationNamed(name), { id, parameters });

async function signedIn(customer: Shown, more: object = {}): Promise<PortalBrowser> {
  const link = await billing.post('portal_sessions', { customer: customer.id, ...more });
  return new PortalBrowser(server.anonymous).signIn(link);
}

async function subscriber(price = gold, more: object = {}): Promise<{ customer: Shown; subscription: Shown }> {
  const customer = await billing.customer(undefined);
  return { customer, subscription: await billing.subscribe(customer, price, more) };
}

describe('the first page', () => {
  test('shows what is the customer’s own: subscriptions, methods, invoices, payments, details', async () => {
    const { customer, subscription } = await subscriber();
    await billing.post(`customers/${customer.id}`, { name: 'Ada <i>', email: 'ada@example.com', phone: '+49 30 1' });
    const browser = await signedIn(customer, { return_url: 'https://shop.example/account' });
    const { number, hosted_url } = await billing.get(`invoices/${subscription.latest_invoice}`);
    const texts = [
      'Gold',
      '€15.00 / month',
      'Active · Renews on',
      'Visa •••• 4242',
      'Default',
      'Expiry date: ',
      '12/2060',
    ];
    for (const text of [
      ...texts,
      number,
      'Paid',
      'Ada &lt;i&gt;',
      'ada@example.com',
      '+49 30 1',
      'Sign out everywhere',
    ])
      expect(browser.text.replaceAll(/<\/?bdi>/g, ''), text).toContain(text);
    expect(browser.text.split('id="payments"')[1]).toContain(number); // what the payment was for
    expect(browser.text).toContain('href="https://shop.example/account"');
    expect(browser.text).not.toContain(new URL(hosted_url).pathname); // it is paid
    expect(browser.text).not.toContain('<script');
    expect(browser.page!.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  test('leads to the invoice and the receipt as PDF, and to the page on which an open invoice is paid', async () => {
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer);
    const links = [...browser.text.matchAll(/href="([^"]+\.pdf)"/g)].map(([, link]) => link!);
    expect(links.map((link) => link.split('/').at(-1))).toEqual(['invoice.pdf', 'receipt.pdf']);
    const { number } = await billing.get(`invoices/${subscription.latest_invoice}`);
    for (const link of links) {
      const { status, headers, bytes } = await browser.open(link);
      expect([status, headers['content-type'], bytes.subarray(0, 5).toString()]).toEqual([
        200,
        'application/pdf',
        '%PDF-',
      ]);
    }
    expect((await browser.open(links[0]!)).headers['content-disposition']).toBe(`inline; filename="${number}.pdf"`);
    const items = [{ amount: 700, description: 'Setup' }];
    const draft = await billing.post('invoices', { customer: customer.id, currency: 'eur', items });
    const { hosted_url } = await billing.post(`invoices/${draft.id}/finalize`);
    await browser.open(home());
    expect(browser.text).toContain(`href="${new URL(hosted_url).pathname}">Pay <bdi>€7.00`);
  });

  test('has more invoices behind a link, and nobody else has', async () => {
    const customer = await billing.customer(undefined, '');
    const items = [{ amount: 700, description: 'Setup' }];
    const made: string[] = [];
    for (let count = 0; count < 8; count++) {
      const draft = await billing.post('invoices', { customer: customer.id, currency: 'eur', items });
      made.unshift((await billing.post(`invoices/${draft.id}/finalize`)).number);
    }
    const browser = await signedIn(customer);
    const shown = () => [...browser.text.matchAll(/<bdi>(INV-\d+)</g)].map(([, number]) => number);
    expect(shown()).toEqual(made.slice(0, 6));
    await browser.open(/href="([^"]+invoices\?after=[^"]+)"/.exec(browser.text)![1]!);
    expect(shown()).toEqual(made.slice(6));
  });

  test('is in the language of the customer, else in that of the browser', async () => {
    const customer = await billing.post('customers', { name: 'Ada', locale: 'ja' });
    const browser = await signedIn(customer);
    expect(browser.text).toContain('<html lang="ja" dir="ltr">');
    expect(browser.text).toContain('お客様のアカウント');
  });

  test('of a suspended account says so, and offers nothing that could be done', async () => {
    const other = await server.account();
    const customer = await new Billing(other).post('customers', { name: 'Ada' });
    const link = (await other.test.post('/v1/portal_sessions', { customer: customer.id })).json;
    const unused = (await other.test.post('/v1/portal_sessions', { customer: customer.id })).json;
    const browser = await new PortalBrowser(server.anonymous).signIn(link);
    expect(browser.text).toContain('Add payment method');
    await server.operator.run('accounts.suspend', { id: other.id });
    await expect.poll(async () => (await browser.open(browser.path)).text).toContain('not taking payments');
    // Nobody has signed in on these.
    for (const address of [unused.url, `/portal/test/${other.id}`])
      expect((await new PortalBrowser(server.anonymous).open(address)).text).toContain('not taking payments');
    expect(browser.text).not.toContain('Add payment method');
    const named = { account: other.id, mode: 'test', customer: customer.id } as const;
    const refused = await hand.run(named, operationNamed('customers.update'), {
      id: customer.id,
      parameters: { name: 'Eve' },
    });
    expect(refused.code).toBe('portal_not_allowed');
  });
});

test('every answer keeps its address to itself, is stored by nobody, and may do nothing that it need not', async () => {
  const { customer, subscription } = await subscriber();
  const link = await billing.post('portal_sessions', { customer: customer.id });
  const browser = new PortalBrowser(server.anonymous);
  const at = (path: string) => `${home()}/${path}`;
  const shown = await browser.open(link.url);
  const pressed = await browser.send();
  const first = await browser.open(home());
  const answers: [number, Answer][] = [
    [200, shown],
    [303, pressed],
    [200, first],
    [404, await browser.open(link.url)],
    [200, await browser.open(at('details'))],
    [400, await browser.send({ email: 'x' })],
    [403, await browser.send({ form_token: 'x' })],
    [404, await browser.open(at('nothing'))],
    [404, await browser.open('/portal/test/acct_0000000000000000000000')],
    [404, await browser.open(`/portal/link/${'x'.repeat(60)}`)],
    [200, await browser.open(at(`invoices/${subscription.latest_invoice}/invoice.pdf`))],
    [404, await browser.open(at('invoices/in_0000000000000000000000/invoice.pdf'))],
    [200, await new PortalBrowser(server.anonymous).open(home())],
    [400, await server.anonymous.form(home(), 'a'.repeat(9_000))],
  ];
  for (const [index, [status, answer]] of answers.entries()) {
    expect(answer.status, `${index}`).toBe(status);
    expect(answer.headers, `${index}`).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
    });
    expect(answer.headers['content-security-policy'], `${index}`).not.toMatch(/unsafe-|\*|script-src/);
    expect(answer.text, `${index}`).not.toContain('<script');
  }
});

describe('each switch off refuses what it is about, sent by hand too', () => {
  type Case = { call: (made: Made) => [string, string, Record<string, unknown>?]; on: Partial<PortalSettings> };
  type Made = Awaited<ReturnType<typeof subscriber>>;
  const item = ({ subscription }: Made) => subscription.items[0].id;
  const cases: Record<keyof PortalSettings, Case> = {
    add_method: {
      on: { add_method: true },
      call: ({ customer }) => ['checkout_sessions.create', '', { customer: customer.id }],
    },
    remove_method: {
      on: { remove_method: true },
      call: ({ customer }) => ['payment_methods.detach', customer.default_payment_method],
    },
    default_method: {
      on: { default_method: true },
      call: ({ customer: { id, default_payment_method } }) => ['customers.update', id, { default_payment_method }],
    },
    cancel: {
      on: { cancel: 'now' },
      call: ({ subscription }) => ['subscriptions.cancel', subscription.id, { reason: 'unused' }],
    },
    pause: { on: { pause: true }, call: ({ subscription }) => ['subscriptions.pause', subscription.id] },
    resume: { on: { resume: true }, call: ({ subscription }) => ['subscriptions.resume', subscription.id] },
    change_price: {
      on: {},
      call: (made) => ['subscriptions.update', made.subscription.id, { items: [{ id: item(made), price: silver.id }] }],
    },
    change_quantity: {
      on: { change_quantity: true },
      call: (made) => ['subscriptions.update', made.subscription.id, { items: [{ id: item(made), quantity: 2 }] }],
    },
    edit_details: {
      on: { edit_details: true },
      call: ({ customer }) => ['customers.update', customer.id, { name: 'Eve' }],
    },
  };

  test.each(Object.keys(portalDefaults) as (keyof PortalSettings)[])('%s', async (name) => {
    const made = await subscriber();
    made.customer = await billing.get(`customers/${made.customer.id}`);
    const { on, call } = cases[name];
    const before = await billing.subscription(made.subscription);
    // All others are on.
    const all = { ...nothingAllowed, pause: true, resume: true, change_quantity: true, edit_details: true };
    await allow({
      ...all,
      add_method: true,
      default_method: true,
      cancel: 'now',
      remove_method: true,
      [name]: nothingAllowed[name],
    });
    const [operation, id, parameters] = call(made);
    expect((await run(made.customer, operation, id, parameters)).code).toBe('portal_not_allowed');
    expect(await billing.subscription(made.subscription)).toEqual(before);
    await allow({ ...nothingAllowed, ...on, ...(name === 'change_price' && { change_price: [gold.id, silver.id] }) });
    expect((await run(made.customer, operation, id, parameters)).code).toBe(
      name === 'resume' ? 'subscription_not_updatable' : undefined,
    );
  });

  test('canceling: at the end of the period is not now; what nobody may cancel nobody takes back', async () => {
    const { customer, subscription } = await subscriber();
    await allow({ cancel: 'period_end' });
    expect((await run(customer, 'subscriptions.cancel', subscription.id)).code).toBe('portal_not_allowed');
    const atEnd = { at_period_end: true };
    expect((await run(customer, 'subscriptions.cancel', subscription.id, atEnd)).code).toBeUndefined();
    await allow({ cancel: 'off' });
    const back = { cancel_at_period_end: false };
    expect((await run(customer, 'subscriptions.update', subscription.id, back)).code).toBe('portal_not_allowed');
  });

  test.each([
    ['to a price that is not in the list', () => ({ price: custom.id })],
    ['to an unknown price', () => ({ price: 'price_1' })],
    ['to nothing', () => ({ quantity: 0 })],
    ['away', () => ({ deleted: true })],
  ])('changing an item %s', async (_what, change) => {
    const { customer, subscription } = await subscriber();
    await allow({ change_price: [gold.id, silver.id], change_quantity: true });
    const items = [{ id: subscription.items[0].id, ...change() }];
    for (const [name, id, parameters] of [
      ['subscriptions.update', subscription.id, { items }],
      ['invoices.preview', '', { items, subscription: subscription.id }],
    ] as const)
      expect((await run(customer, name, id, parameters)).code, name).toBe('portal_not_allowed');
  });

  test('adding an item, and leaving a price that was agreed in another way', async () => {
    await allow({ change_price: [gold.id, silver.id] });
    const { customer, subscription } = await subscriber(custom);
    for (const items of [[{ price: gold.id }], [{ id: subscription.items[0].id, price: gold.id }]])
      expect((await run(customer, 'subscriptions.update', subscription.id, { items })).code).toBe('portal_not_allowed');
  });

  test('holds from the next request on, whatever page is open', async () => {
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer);
    await browser.open(`${home()}/subscriptions/${subscription.id}/cancel`);
    await allow({ cancel: 'off' });
    const { status, text } = await browser.send({ reason: 'other' });
    expect([status, text.includes('Nothing was changed.')]).toEqual([400, true]);
    expect((await browser.open(browser.path)).status).toBe(404);
    expect((await billing.subscription(subscription)).cancel_at_period_end).toBe(false);
  });
});

describe('a customer', () => {
  test('cancels at the end of the period with a reason, and takes it back', async () => {
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer, { flow: 'subscription_cancel', subscription: subscription.id });
    expect(browser.text).toContain('It stays active until');
    await browser.press({ reason: 'too_expensive' });
    expect(browser.text).toContain('Your changes were saved.');
    expect(browser.text).toContain('Ends on');
    const canceled = { cancel_at_period_end: true, cancellation_reason: 'too_expensive' };
    expect(await billing.subscription(subscription)).toMatchObject(canceled);
    await browser.open(`${home()}/subscriptions/${subscription.id}`);
    await browser.press({ act: 'keep' });
    const kept = await billing.subscription(subscription);
    expect(kept.cancel_at_period_end).toBe(false);
    expect(kept).not.toHaveProperty('cancellation_reason');
    expect(browser.text).toContain('Renews on');
  });

  test('cancels at once where that is allowed', async () => {
    await allow({ cancel: 'now' });
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer, { flow: 'subscription_cancel', subscription: subscription.id });
    expect(browser.text).toContain('It ends immediately.');
    await browser.press();
    expect((await billing.subscription(subscription)).status).toBe('canceled');
    expect(browser.text).toContain('Ended');
  });

  test('pauses and resumes', async () => {
    await allow({ pause: true, resume: true });
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer);
    await browser.open(`${home()}/subscriptions/${subscription.id}/pause`);
    await browser.press();
    expect((await billing.subscription(subscription)).status).toBe('paused');
    await browser.open(`${home()}/subscriptions/${subscription.id}/resume`);
    await browser.press();
    expect((await billing.subscription(subscription)).status).toBe('active');
  });

  test('changes the price and the quantity, after a preview of what is charged; that is charged', async () => {
    await allow({ change_price: [silver.id, gold.id], change_quantity: true });
    const { customer, subscription } = await subscriber(silver);
    const [item] = subscription.items;
    const browser = await signedIn(customer, { flow: 'subscription_update', subscription: subscription.id });
    const path = browser.path;
    expect(browser.text).toContain('Gold');
    const wish = { [`price_${item.id}`]: gold.id, [`quantity_${item.id}`]: '2' };
    const { text, status } = await browser.send(wish);
    expect(status).toBe(200);
    const preview = await billing.post('invoices/preview', {
      subscription: subscription.id,
      items: [{ id: item.id, price: gold.id, quantity: 2 }],
      proration: 'invoice_now',
    });
    expect(preview.amount_due).toBeGreaterThan(2_400);
    expect(text).toContain('Due today');
    expect(text).toContain(`€${(preview.amount_due / 100).toFixed(2)}`);
    expect((await billing.subscription(subscription)).items).toEqual(subscription.items);
    expect(text).toContain('name="act" value="confirm"');
    await browser.press({ ...wish, act: 'confirm' }, path);
    const [after] = (await billing.subscription(subscription)).items;
    expect(after).toMatchObject({ price: gold.id, quantity: 2 });
    const [newest] = (await billing.get(`invoices?subscription=${subscription.id}`)).data;
    expect(newest).toMatchObject({ status: 'paid', billing_reason: 'subscription_update' });
  });

  test('whose card is declined has not changed anything', async () => {
    await allow({ change_price: [silver.id, gold.id] });
    const { customer, subscription } = await subscriber(silver);
    await billing.pays(customer, cards.declines);
    const [item] = subscription.items;
    const browser = await signedIn(customer, { flow: 'subscription_update', subscription: subscription.id });
    const { status, text } = await browser.send({ [`price_${item.id}`]: gold.id, act: 'confirm' });
    expect(status).toBe(400);
    expect(text).toContain('Your card was declined.');
    expect((await billing.subscription(subscription)).items).toEqual(subscription.items);
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active' });
  });

  test('whose bank asks to confirm the charge has not changed anything, and can add a card, which is confirmed then', async () => {
    await allow({ change_price: [silver.id, gold.id] });
    const { customer, subscription } = await subscriber(silver);
    await billing.pays(customer, cards.challenges);
    const [item] = subscription.items;
    const browser = await signedIn(customer, { flow: 'subscription_update', subscription: subscription.id });
    const path = browser.path;
    const wish = { [`price_${item.id}`]: gold.id, act: 'confirm' };
    const { status, text } = await browser.send(wish);
    expect(status).toBe(400);
    for (const part of ['Your bank asks you to confirm this payment.', 'Nothing was changed.', 'Add payment method'])
      expect(text).toContain(part);
    expect((await billing.subscription(subscription)).items).toEqual(subscription.items);
    const { headers } = await browser.send({ act: 'add' }, `${home()}/payment_methods`);
    const tab = new CheckoutTab(server.anonymous, new URL(String(headers.location), server.baseUrl).href);
    await tab.open();
    const challenge = String((await tab.pay({ number: '4000002500003155' })).headers.location);
    await decideOn(new URL(challenge, server.baseUrl).href, 'approve', new Agent({ connect: { ca: server.ca } }));
    const [method] = (await billing.get(`customers/${customer.id}/payment_methods`)).data;
    await browser.open(home());
    await browser.press({ act: 'default', method: method.id }, `${home()}/payment_methods`);
    await browser.open(path);
    await browser.press(wish, path);
    expect((await billing.subscription(subscription)).items).toMatchObject([{ price: gold.id }]);
  });

  test.each(['0', '-1', '1.5', '', 'x', '10000000'])('cannot have %j of it', async (quantity) => {
    await allow({ change_quantity: true });
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer, { flow: 'subscription_update', subscription: subscription.id });
    const { status, text } = await browser.send({ [`quantity_${subscription.items[0].id}`]: quantity, act: 'confirm' });
    expect([status, text.includes('Please check this entry.')]).toEqual([400, true]);
  });

  test('adds a card by a checkout session, makes it the default, and removes it', async () => {
    const customer = await billing.customer(undefined);
    const browser = await signedIn(customer);
    const { headers } = await browser.send({ act: 'add' }, `${home()}/payment_methods`);
    const tab = new CheckoutTab(server.anonymous, new URL(String(headers.location), server.baseUrl).href);
    await tab.open();
    const { headers: done } = await tab.pay({ number: '5555555555554444' });
    expect(done.location).toBe(`${server.baseUrl}${home()}?saved#payment_methods`);
    await browser.open(String(done.location).split('#')[0]!);
    expect(browser.text).toContain('Mastercard •••• 4444');
    const [method] = (await billing.get(`customers/${customer.id}/payment_methods`)).data;
    await browser.press({ act: 'default', method: method.id }, `${home()}/payment_methods`);
    expect((await billing.get(`customers/${customer.id}`)).default_payment_method).toBe(method.id);
    await browser.open(`${home()}/payment_methods/${method.id}/remove`);
    await browser.press();
    expect(browser.text).not.toContain('4444');
    expect(await billing.get(`customers/${customer.id}`)).not.toHaveProperty('default_payment_method');
  });

  test('chooses which card pays, also for a subscription that has a card of its own', async () => {
    const customer = await billing.customer(undefined);
    const { id: own } = await billing.method('5555555555554444', customer.id);
    const { id: chosen } = await billing.method('378282246310005', customer.id);
    const [one, other] = [
      await billing.subscribe(customer, gold, { default_payment_method: own }),
      await billing.subscribe(customer, silver),
    ];
    const browser = await signedIn(customer);
    expect(browser.text.replaceAll(/<\/?bdi>/g, '')).toContain('Mastercard •••• 4444</span>');
    const act = { act: 'default', method: chosen };
    await allow({ default_method: false });
    expect((await browser.send(act, `${home()}/payment_methods`)).status).toBe(400);
    expect((await run(customer, 'subscriptions.update', one.id, { default_payment_method: chosen })).code).toBe(
      'portal_not_allowed',
    );
    await allow({});
    await browser.press(act, `${home()}/payment_methods`);
    expect((await billing.get(`customers/${customer.id}`)).default_payment_method).toBe(chosen);
    expect((await billing.subscription(one)).default_payment_method).toBe(chosen);
    // It goes on with that of the customer.
    expect(await billing.subscription(other)).not.toHaveProperty('default_payment_method');
  });

  test.each([
    [['subscriptions.update'], { goTo: '/portal/acct_1#payment_methods' }],
    [['subscriptions.update', 'customers.update'], { goTo: '/portal/acct_1?saved#payment_methods' }],
  ])('reads that nothing was changed only where that is so: %j', async (admitted, expected) => {
    const calls = {
      read: async () => ({ data: [{ id: 'sub_1', status: 'active', default_payment_method: 'pm_1' }] }),
      change: async (_who: object, name: string) => (admitted.includes(name) ? {} : { error: { status: 400 } }),
    };
    const visit = { who: { base: '/portal/acct_1', customer: { id: 'cus_1' } }, calls } as unknown as PortalVisit;
    const form = new URLSearchParams({ act: 'default', method: 'pm_2' });
    expect(await methodsView.act!(visit, '', form)).toEqual(expected);
  });

  test('edits contact details, and the page names what is wrong with them', async () => {
    const customer = await billing.post('customers', {
      name: 'Ada',
      email: 'ada@example.com',
      address: { state: 'BE' },
    });
    const browser = await signedIn(customer);
    await browser.open(`${home()}/details`);
    const typed = { name: 'Ada L.', email: 'ada@lovelace.example', line1: 'Elbe 1', city: 'Hamburg', country: 'DE' };
    for (const wrong of [{ email: '' }, { email: 'x' }, { country: 'Germany' }, { name: 'a'.repeat(300) }]) {
      const { status, text } = await browser.send({ ...typed, ...wrong });
      expect([status, text.includes('aria-invalid="true"')], JSON.stringify(wrong)).toEqual([400, true]);
    }
    await browser.press(typed);
    expect(await billing.get(`customers/${customer.id}`)).toMatchObject({
      name: 'Ada L.',
      email: 'ada@lovelace.example',
      address: { line1: 'Elbe 1', city: 'Hamburg', country: 'DE', state: 'BE' },
    });
  });

  test('is in the audit log and in timelines', async () => {
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer, { flow: 'subscription_cancel', subscription: subscription.id });
    await browser.press();
    const owner = await server.person(account.id, 'owner');
    const { data } = (await owner.client.get(`/v1/audit_log?subject=${subscription.id}`)).json;
    expect(data).toMatchObject([
      { action: 'subscriptions.cancel', actor: 'the customer', details: { customer: customer.id, mode: 'test' } },
    ]);
    expect(data[0]).not.toHaveProperty('address');
    const timeline = (await owner.client.get(`/v1/timeline/${subscription.id}`)).json.data;
    expect(timeline.find(({ type }: Shown) => type === 'audit')).toMatchObject({ by: { name: 'the customer' } });
  });

  test('pressing a button twice at the same moment does it once', async () => {
    await allow({ cancel: 'now' });
    const { customer, subscription } = await subscriber();
    const browser = await signedIn(customer, { flow: 'subscription_cancel', subscription: subscription.id });
    const answers = await Promise.all([browser.send(), browser.send(), browser.send()]);
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    const { data } = await billing.get('events?type=subscription.canceled&limit=100');
    expect(data.filter((event: Shown) => event.data.object.id === subscription.id)).toHaveLength(1);
  });

  test('who sends the form of another session is refused', async () => {
    const customer = await billing.customer(undefined);
    const [one, other] = [await signedIn(customer), await signedIn(customer)];
    await one.open(`${home()}/details`);
    const [, form_token = ''] = /name="form_token" value="([^"]*)"/.exec(one.text) ?? [];
    expect((await other.send({ form_token }, `${home()}/details`)).status).toBe(403);
    expect((await one.send({}, undefined, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  });
});

describe('the settings', () => {
  test('have defaults, change only what they name, and are of one mode', async () => {
    const other = await server.account();
    const owner = await server.person(other.id, 'owner');
    const { json } = await owner.client.get('/v1/portal_settings');
    const url = `${server.baseUrl}/portal/test/${other.id}`;
    expect(json).toEqual({ object: 'portal_settings', ...portalDefaults, url });
    const changed = await owner.client.post('/v1/portal_settings', { cancel: 'off', pause: true });
    expect(changed.json).toEqual({ ...json, cancel: 'off', pause: true });
    const live = owner.client.with({ 'X-Tollgate-Mode': 'live' });
    const liveUrl = `${server.baseUrl}/portal/${other.id}`;
    expect((await live.get('/v1/portal_settings')).json).toEqual({ ...json, url: liveUrl });
    const { data } = (await owner.client.get('/v1/audit_log?action=portal_settings.updated')).json;
    expect(data).toMatchObject([
      { details: { mode: 'test', from: { cancel: 'period_end', pause: false }, to: { cancel: 'off', pause: true } } },
    ]);
  });

  test('take prices that are active, recur, and are of the same mode, each once', async () => {
    const owner = await server.person(account.id, 'owner');
    const inactive = await billing.post('prices', priced('Old', 5));
    await billing.post(`prices/${inactive.id}`, { active: false });
    const once = await billing.post('prices', { product_name: 'Once', unit_amount: 5, currency: 'eur' });
    for (const [ids, code] of [
      [['price_1'], 'resource_missing'],
      [[inactive.id], 'parameter_invalid'],
      [[once.id], 'parameter_invalid'],
      [[gold.id, gold.id], 'parameter_invalid'],
      [Array(21).fill(gold.id), 'parameter_invalid'],
    ] as const)
      expect((await owner.client.post('/v1/portal_settings', { change_price: ids })).json.error.code).toBe(code);
    const live = owner.client.with({ 'X-Tollgate-Mode': 'live' });
    expect((await live.post('/v1/portal_settings', { change_price: [gold.id] })).json.error.code).toBe(
      'resource_missing',
    );
  });
});
