import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CheckoutTab } from '../../../test/checkout_tab.ts';
import type { Answer } from '../../../test/client.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { decideOn } from '../../../test/pay_page.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { shareOf } from '../../../test/torture.ts';
import { Billing, cards, type Shown } from '../../billing/subscriptions/billing.fixture.ts';
import { Checkout } from '../checkout_sessions/checkout.fixture.ts';

let server: TestServer;
let account: TestAccount;
let billing: Billing;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  billing = new Billing(account);
});
afterAll(() => server.stop());
afterEach(async () => {
  expect(await violationsOf(server.sql, { rest: true })).toEqual([]);
});

/** An invoice of 7 euros that waits to be paid. */
async function opened(customer?: Shown): Promise<Shown> {
  const payer = customer ?? (await billing.customer(undefined, ''));
  const items = [{ amount: 700, description: 'Setup <b>' }];
  const { id } = await billing.post('invoices', { customer: payer.id, currency: 'eur', items });
  return billing.post(`invoices/${id}/finalize`);
}

/** A subscription in February whose renewal was declined. */
async function unpaidRenewal(
  until = '2026-02-01T02:00',
  interval = 'month',
  shop = billing,
): Promise<{ subscription: Shown; invoice: Shown; clock: Shown }> {
  const clock = await shop.clock('2026-01-01');
  const customer = await shop.customer(clock);
  const subscription = await shop.subscribe(customer, await shop.price(1_000, { interval }));
  await shop.pays(customer, cards.declines);
  await shop.advance(clock, until);
  const invoice = (await shop.invoices(subscription)).find(({ status }) => status === 'open');
  return { subscription, invoice, clock };
}

const invoiceOf = ({ id }: Shown) => billing.get(`invoices/${id}`);
const tabAt = (url: string) => new CheckoutTab(server.anonymous, url);

/** Presses the button of the page of an invoice; returns a tab on the page that it leads to. */
async function press({ hosted_url }: Shown): Promise<CheckoutTab> {
  const tab = tabAt(hosted_url);
  await tab.open();
  const { status, headers } = await tab.send({});
  expect(status).toBe(303);
  const page = new CheckoutTab(server.anonymous, new URL(String(headers.location), hosted_url).href, tab);
  await page.open();
  return page;
}

const locationOf = ({ headers }: Answer) => String(headers.location);
const paymentsOf = async ({ id }: Shown) =>
  (await server.sql.query('select status, checkout_session from payments where invoice = $1 order by id', [id])).rows;

describe('the address of the page', () => {
  test('is there from when an invoice is finalized, in its events too', async () => {
    const customer = await billing.customer(undefined, '');
    const items = [{ amount: 700, description: 'Setup' }];
    const draft = await billing.post('invoices', { customer: customer.id, currency: 'eur', items });
    expect(draft).not.toHaveProperty('hosted_url');
    const { hosted_url } = await billing.post(`invoices/${draft.id}/finalize`);
    expect(hosted_url).toMatch(new RegExp(`^${server.baseUrl}/i/\\d+-${draft.id}-[\\w-]{22}$`));
    const { data } = await billing.get('events?type=invoice.finalized&limit=1');
    expect(data[0].data.object).toMatchObject({ id: draft.id, hosted_url });
  });

  test('is there for what a subscription bills', async () => {
    const { subscription } = await unpaidRenewal();
    for (const { hosted_url } of await billing.invoices(subscription))
      expect((await tabAt(hosted_url).open()).status).toBe(200);
  });

  test.each([
    ['cut', (url: string) => url.slice(0, -1)],
    ['of another tenant', (url: string) => url.replace(/\/i\/\d+/, '/i/99')],
    ['of another invoice', (url: string) => url.replace(/in_\w+/, 'in_00000000000000000000000000')],
    ['with another hash', (url: string) => `${url.slice(0, -22)}${'A'.repeat(22)}`],
    ['of another noun', (url: string) => url.replace('/i/', '/pay/')],
  ] as const)('%s finds nothing', async (kind, changed) => {
    const pages = kind === 'of another noun' ? 1 : 3;
    const { hosted_url } = await opened();
    for (const path of ['', '/invoice.pdf', '/receipt.pdf'].slice(0, pages))
      expect((await server.anonymous.get(`${new URL(changed(hosted_url)).pathname}${path}`)).status).toBe(404);
  });
});

describe('the page', () => {
  test('shows what is owed, keeps its address to itself, and writes nothing', async () => {
    const invoice = await opened();
    const page = await tabAt(invoice.hosted_url).open();
    for (const text of [invoice.number, 'Setup &lt;b&gt;', '€7.00', 'Pay ']) expect(page.text).toContain(text);
    expect(page.headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(page.text).not.toContain('<script');
    const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
    expect(data).toEqual([]);
  });

  test('has the invoice as PDF, and the receipt once it is paid', async () => {
    const invoice = await opened();
    const path = new URL(invoice.hosted_url).pathname;
    const pdf = await server.anonymous.get(`${path}/invoice.pdf`);
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${invoice.number}.pdf"`,
    });
    expect((await server.anonymous.get(`${path}/receipt.pdf`)).status).toBe(404);
    await (await press(invoice)).pay();
    expect((await server.anonymous.get(`${path}/receipt.pdf`)).headers['content-type']).toBe('application/pdf');
  });

  test('refuses a form of another site', async () => {
    const { hosted_url } = await opened();
    const tab = tabAt(hosted_url);
    await tab.open();
    expect((await tab.send({}, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await tab.send({ form_token: 'x' })).status).toBe(403);
  });

  test('of an invoice that was given up has no button once its customer is deleted', async () => {
    const invoice = await opened();
    await billing.post(`invoices/${invoice.id}/mark_uncollectible`);
    expect((await tabAt(invoice.hosted_url).open()).text).toContain('<form');
    await account.test.delete(`/v1/customers/${invoice.customer}`);
    const page = await tabAt(invoice.hosted_url).open();
    expect(page.text).not.toContain('<form');
    expect(page.text).toContain(invoice.number);
  });

  test('of a void invoice has no button, and one of a suspended account says so', async () => {
    const gone = await opened();
    await billing.post(`invoices/${gone.id}/void`);
    const page = await tabAt(gone.hosted_url).open();
    expect(page.text).toContain('Void');
    expect(page.text).not.toContain('<form');
    const other = new Billing(await server.account());
    const customer = await other.customer(undefined, '');
    const items = [{ amount: 700, description: 'Setup' }];
    const draft = await other.post('invoices', { customer: customer.id, currency: 'eur', items });
    const { hosted_url } = await other.post(`invoices/${draft.id}/finalize`);
    await server.operator.run('accounts.suspend', { id: other.account.id });
    await expect
      .poll(async () => (await tabAt(hosted_url).open()).text)
      .toContain('This shop is not taking payments at the moment.');
  });
});

/** The sessions of an invoice, for which the button was pressed several times at one moment: the older one, and the newest. */
async function severalSessions(): Promise<{ invoice: Shown; older: CheckoutTab; newest: CheckoutTab }> {
  for (;;) {
    const invoice = await opened();
    const tabs = await Promise.all([press(invoice), press(invoice), press(invoice), press(invoice)]);
    const inOrder = tabs.sort((one, other) => (one.path < other.path ? -1 : 1));
    const [older, newest] = [inOrder[0]!, inOrder.at(-1)!];
    if (older.path !== newest.path) return { invoice, older, newest };
  }
}

describe('paying', () => {
  test('leads to a checkout session that is bound to the invoice, and back', async () => {
    const invoice = await opened();
    const page = await press(invoice);
    const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
    expect(data).toMatchObject([{ invoice: invoice.id, amount_total: 700, status: 'open' }]);
    // Another press goes on with it.
    expect((await press(invoice)).path).toBe(page.path);
    expect(locationOf(await page.pay())).toBe(invoice.hosted_url);
    const paid = await invoiceOf(invoice);
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 700, attempt_count: 1 });
    expect(await paymentsOf(invoice)).toEqual([{ status: 'succeeded', checkout_session: data[0].id }]);
    expect((await tabAt(invoice.hosted_url).open()).text).toContain('Paid');
    const { data: events } = await billing.get('events?limit=20');
    const types = events
      .filter(
        ({ data }: Shown) => [invoice.id, data[0]?.id].includes(data.object.id) || data.object.invoice === invoice.id,
      )
      .map(({ type }: Shown) => type);
    expect(types.filter((type: string) => type === 'invoice.paid')).toHaveLength(1);
    expect(types.filter((type: string) => type === 'checkout_session.completed')).toHaveLength(1);
  });

  test('does not offer the saved cards of the customer: the address may have been passed on', async () => {
    const invoice = await opened(await billing.customer(undefined));
    const page = await press(invoice);
    expect((await page.open()).text).not.toContain('name="saved"');
    expect((await page.open()).text).not.toContain('4242');
  });

  test('a decline is an attempt of the invoice; the next card pays it', async () => {
    const invoice = await opened();
    const page = await press(invoice);
    expect(locationOf(await page.pay({ number: '4000000000000002' }))).toContain('/pay/');
    expect(await invoiceOf(invoice)).toMatchObject({
      status: 'open',
      attempt_count: 1,
      last_failure: { code: 'card_declined' },
    });
    await page.open();
    await page.pay();
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', attempt_count: 2 });
  });

  test('a card that has expired is an attempt without a processor', async () => {
    const invoice = await opened();
    const page = await press(invoice);
    await page.pay({ number: '4000000000000069' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'open', attempt_count: 1 });
  });

  test('while the bank asks, nobody else charges it; the page goes on there', async () => {
    const invoice = await opened();
    const page = await press(invoice);
    const challenge = locationOf(await page.pay({ number: cards.challenges }));
    expect(
      (
        await billing.refused(`invoices/${invoice.id}/pay`, {
          payment_method: (await billing.method(cards.pays, invoice.customer)).id,
        })
      ).code,
    ).toBe('invoice_not_payable');
    expect((await tabAt(invoice.hosted_url).open()).text).toContain('Continue');
    expect((await press(invoice)).path).toBe(page.path);
    const back = await decideOn(
      new URL(challenge, invoice.hosted_url).href,
      'approve',
      new Agent({ connect: { ca: server.ca } }),
    );
    expect(back).toBe(invoice.hosted_url);
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', attempt_count: 1 });
    // The customer is there: nobody has to be told.
    const { data } = await billing.get('events?type=invoice.payment_action_required');
    expect(data.filter(({ data: about }: Shown) => about.object.id === invoice.id)).toEqual([]);
  });

  test('where several sessions were begun at one moment, the page leads to the one that is being paid', async () => {
    const { invoice, older, newest } = await severalSessions();
    await older.pay({ number: cards.challenges });
    expect((await press(invoice)).path).toBe(older.path);
    expect((await newest.open()).text).toContain('Confirming your payment');
    await older.open();
    await older.send({ act: 'another_way' });
    await newest.open();
    await newest.pay();
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', attempt_count: 2 });
  });

  test('where the bank asks about the payment of a request, the page leads to the bank', async () => {
    const invoice = await opened(await billing.customer(undefined));
    const { id: payment_method } = await billing.method(cards.challenges, invoice.customer);
    const back = 'https://shop.example/back';
    const { payment } = await billing.post(`invoices/${invoice.id}/pay`, { payment_method, return_url: back });
    const { url } = (await billing.get(`payments/${payment}`)).next_action.redirect_to_url;
    const tab = tabAt(invoice.hosted_url);
    expect((await tab.open()).text).toContain(`<a class="first" href="${url}" rel="noreferrer">Continue</a>`);
    expect(await decideOn(url, 'approve', new Agent({ connect: { ca: server.ca } }))).toContain(back);
    expect((await tab.open()).text).toContain('Paid');
  });

  test('"another way" gives the invoice back, and it can be paid', async () => {
    const invoice = await opened();
    const page = await press(invoice);
    await page.pay({ number: cards.challenges });
    await page.open();
    await page.send({ act: 'another_way' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'open', attempt_count: 1 });
    await page.open();
    await page.pay();
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', attempt_count: 2 });
  });

  test('what was paid elsewhere cannot be paid again, whatever page is still open', async () => {
    const invoice = await opened(await billing.customer(undefined));
    const page = await press(invoice);
    await billing.post(`invoices/${invoice.id}/pay`);
    const answer = await page.pay();
    expect(answer.status).toBe(303);
    expect(await paymentsOf(invoice)).toHaveLength(1);
    const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
    expect(data).toMatchObject([{ status: 'expired', expired_reason: 'invoice_paid' }]);
    const { data: expired } = await billing.get('events?type=checkout_session.expired&limit=5');
    expect(expired.filter((event: Shown) => event.data.object.id === data[0].id)).toHaveLength(1);
    const { text } = await page.open();
    expect(text).not.toContain('name="number"');
    expect(text).toContain(`href="${invoice.hosted_url}"`);
    expect((await tabAt(invoice.hosted_url).open()).text).toContain('Paid');
  });

  test('several tabs, a request and the page at the same moment pay once', async () => {
    for (let round = 0; round < 4; round++) {
      const invoice = await opened(await billing.customer(undefined));
      const tabs = await Promise.all([press(invoice), press(invoice), press(invoice)]);
      await Promise.all([
        ...tabs.map((tab) => tab.pay()),
        account.test.post(`/v1/invoices/${invoice.id}/pay`),
        account.test.post(`/v1/invoices/${invoice.id}/pay`),
      ]);
      expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', amount_paid: 700 });
      expect((await paymentsOf(invoice)).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
      const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
      const states = data.map(({ status }: Shown) => status);
      expect(states.filter((status: string) => !['complete', 'expired'].includes(status))).toEqual([]);
    }
  });

  test('a card that is declined on the page does not end the retries of the card on file', async () => {
    const { invoice } = await unpaidRenewal();
    expect(invoice.next_payment_attempt).toBeGreaterThan(0);
    const page = await press(invoice);
    await page.pay({ number: '4000000000000127' }); // a wrong code: that very card is never to be tried again
    const { next_payment_attempt, last_failure, attempt_count } = await invoiceOf(invoice);
    expect([last_failure.code, attempt_count]).toEqual(['incorrect_cvc', invoice.attempt_count + 1]);
    expect(next_payment_attempt).toBe(invoice.next_payment_attempt);
  });

  test('a renewal that was declined is paid, and its subscription is active again', async () => {
    const { subscription, invoice } = await unpaidRenewal();
    expect((await billing.subscription(subscription)).status).toBe('past_due');
    const page = await press(invoice);
    await page.pay();
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
    const after = await billing.subscription(subscription);
    expect(after.status).toBe('active');
    expect(after).not.toHaveProperty('default_payment_method');
  });
});

/** The method of the payment that has paid an invoice. */
async function methodThatPaid({ id }: Shown): Promise<string> {
  const { payment } = await billing.get(`invoices/${id}`);
  return (await billing.get(`payments/${payment}`)).payment_method;
}

describe('a card that the customer keeps while paying a renewal', () => {
  test('becomes that of the subscription in the same commit, and pays the next renewal', async () => {
    const { subscription, invoice, clock } = await unpaidRenewal();
    await (await press(invoice)).pay({ save: 'yes' });
    const method = await methodThatPaid(invoice);
    expect(await billing.subscription(subscription)).toMatchObject({
      status: 'active',
      default_payment_method: method,
    });
    const { data } = await billing.get('events?type=subscription.updated&limit=1');
    expect(data[0].data.object).toMatchObject({ status: 'active', default_payment_method: method });
    await billing.advance(clock, '2026-03-01T02:00');
    const [, , march] = await billing.invoices(subscription);
    expect(march).toMatchObject({ status: 'paid', attempt_count: 1 });
    expect(await methodThatPaid(march)).toBe(method);
  });

  test('does so after its bank has asked, too', async () => {
    const { subscription, invoice } = await unpaidRenewal();
    const challenge = locationOf(await (await press(invoice)).pay({ number: cards.challenges, save: 'yes' }));
    expect(await billing.subscription(subscription)).not.toHaveProperty('default_payment_method');
    await decideOn(new URL(challenge, invoice.hosted_url).href, 'approve', new Agent({ connect: { ca: server.ca } }));
    const default_payment_method = await methodThatPaid(invoice);
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active', default_payment_method });
  });

  test.each([true, false])('does so on the page of a processor, if the processor keeps it: %s', async (isKept) => {
    const shop = new Billing(await server.account());
    await shop.post('processor_accounts', { connector: 'simulator', name: 'Simulator' });
    const { subscription, invoice, clock } = await unpaidRenewal(undefined, undefined, shop);
    const page = await press(invoice);
    const goTo = locationOf(await page.send({ act: 'pay', way: 'page', ...(isKept && { save: 'yes' }) }));
    await new Checkout(server, shop.account).choose(goTo, 'visa');
    const { payment, status } = await shop.get(`invoices/${invoice.id}`);
    const { payment_method } = await shop.get(`payments/${payment}`);
    expect(status).toBe('paid');
    expect((await shop.subscription(subscription)).default_payment_method).toBe(isKept ? payment_method : undefined);
    await shop.advance(clock, '2026-03-01T02:00');
    const [, , march] = await shop.invoices(subscription);
    expect(march.status).toBe(isKept ? 'paid' : 'open');
  });

  test('is tried at once for other invoices of the subscription that are open', async () => {
    const { subscription, invoice, clock } = await unpaidRenewal('2026-01-03T02:00', 'day');
    const [, , next] = await billing.invoices(subscription);
    expect([invoice.status, next.status, invoice.id === next.id]).toEqual(['open', 'open', false]);
    await (await press(invoice)).pay({ save: 'yes' });
    await server.settled();
    await eventually(async () => expect(await invoiceOf(next)).toMatchObject({ status: 'paid' }));
    expect(await methodThatPaid(next)).toBe(await methodThatPaid(invoice));
    expect((await billing.subscription(subscription)).status).toBe('active');
    await billing.advance(clock, '2026-01-06');
    expect(await paymentsOf(next)).toHaveLength(2);
  });

  test('is not that of a subscription that has ended', async () => {
    const { subscription, invoice } = await unpaidRenewal();
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await (await press(invoice)).pay({ save: 'yes' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
    const after = await billing.subscription(subscription);
    expect(after.status).toBe('canceled');
    expect(after).not.toHaveProperty('default_payment_method');
  });

  test('pays it once, whatever its collection does at the same moment; what has paid it is what is kept', async () => {
    for (let round = 0; round < shareOf(12, 4); round++) {
      const { subscription, invoice } = await unpaidRenewal();
      const page = await press(invoice);
      // Another default: its collection tries the invoice at once.
      const { id } = await billing.method(cards.pays, invoice.customer);
      await Promise.all([
        page.pay({ save: 'yes' }),
        billing.post(`customers/${invoice.customer}`, { default_payment_method: id }),
      ]);
      await server.settled();
      expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', amount_paid: 1_000 });
      const paid = (await paymentsOf(invoice)).filter(({ status }) => status === 'succeeded');
      expect(paid).toHaveLength(1);
      const isByPage = paid[0]!.checkout_session !== null;
      const { default_payment_method, status } = await billing.subscription(subscription);
      expect(status).toBe('active');
      expect(default_payment_method).toBe(isByPage ? await methodThatPaid(invoice) : undefined);
      const { data } = await billing.get(`checkout_sessions?customer=${invoice.customer}`);
      expect(data.map((one: Shown) => one.status)).toEqual([isByPage ? 'complete' : 'expired']);
    }
  });
});
