import { expect } from 'vitest';
import { dashboard, inbox, people } from './people.ts';
import { day, type Recorder, type Shown } from './recorder.ts';

/** A shop over some days, in which every operation is called. */
export async function tell(shop: Recorder, receivers: { works: string; gone: string }): Promise<void> {
  await people(shop);
  const endpoint = await shop.call('webhook_endpoints.create', {
    request: {
      ...{ url: receivers.works, enabled_events: ['refund.*', 'payment.succeeded'], description: 'Order system' },
      metadata: { team: 'orders' },
    },
  });
  const account = await processors(shop);
  const customer = await customers(shop);
  const card = await cards(shop, customer, account);
  await setups(shop, customer, card);
  await checkout(shop, customer);
  await payments(shop, customer, card);
  const refunded = await refunds(shop, card);
  await lookBack(shop, refunded);
  await disputes(shop);
  await balance(shop);
  await books(shop, account);
  await selling(shop);
  await invoices(shop, customer, card);
  const { clock, price, coupon } = await subscriptions(shop);
  await events(shop, endpoint, receivers.gone);
  await dashboard(shop, customer);
  await mails(shop);
  await inbox(shop);
  await shop.follow('changes.follow', () => shop.call('customers.create', { request: { name: 'Grace Hopper' } }));
  await shop.call('customers.retrieve_summary', { id: customer.id });
  await shop.call('customers.delete', { id: customer.id });
  await shop.call('coupons.delete', { id: coupon.id });
  await shop.call('prices.update', {
    id: price.id,
    request: { active: false, metadata: { replaced_by: 'seat-2028' } },
  });
  await shop.call('test_clocks.delete', { id: clock.id });
}

/** In test mode, a member of the account can play the customer who gets them. */
async function mails(shop: Recorder): Promise<void> {
  const { id: customer } = await shop.call('customers.create', { request: { email: 'ada@shop.example' } });
  const request = { amount: 2_900, currency: 'eur', customer, description: 'Three posters' };
  await shop.call('payments.create', {
    request: { ...request, payment_method: await stored(shop, '4242424242424242') },
  });
  const { data } = await shop.call('mails.list', { query: { customer, limit: 1 } });
  await shop.call('mails.retrieve', { id: data[0].id });
  await shop.call('mails.content', { id: data[0].id });
  await shop.call('mails.sample', { query: { kind: 'receipt', locale: 'en' } });
  await shop.call('mails.setup');
  await shop.call('mails.resend', { id: data[0].id });
}

async function selling(shop: Recorder): Promise<void> {
  const request = {
    line_items: [{ name: 'Mug', unit_amount: 1_200, currency: 'eur' }],
    adjustable_quantity: { min: 1, max: 5 },
  };
  const { id } = await shop.call('payment_links.create', { request });
  await shop.call('payment_links.retrieve', { id });
  await shop.call('payment_links.list', { query: { active: true, limit: 1 } });
  await shop.call('payment_links.update', { id, request: { active: false, inactive_message: 'Sold out until May.' } });
  const { id: customer } = await shop.call('customers.create', { request: { email: 'ada@shop.example' } });
  await shop.call('portal_sessions.create', { request: { customer, return_url: 'https://shop.example/account' } });
  await shop.call('portal_codes.shown');
  await shop.call('portal_settings.retrieve');
  await shop.call('portal_settings.update', { request: { cancel: 'period_end', pause: true } });
}

async function processors(shop: Recorder): Promise<Shown> {
  const request = { connector: 'simulator', name: 'Main', settings: { behaves: 'normal' } };
  const account = await shop.call('processor_accounts.create', { request });
  const { id } = account;
  await shop.call('processor_accounts.verify', { id });
  await shop.call('processor_accounts.retrieve', { id });
  await shop.call('processor_accounts.update', { id, request: { name: 'Main, Europe' } });
  const spare = await shop.call('processor_accounts.create', { request: { ...request, name: 'Spare' } });
  await shop.call('processor_accounts.list', { query: { limit: 2 } });
  const rules = [{ when: { currency: ['eur', 'usd'], amount: { lt: 100_000 } }, use: [id, spare.id] }, { use: [id] }];
  await shop.call('routing.update', { request: { rules } });
  await shop.call('routing.retrieve');
  await shop.call('routing.update', { request: { rules: [] } });
  await shop.call('processor_accounts.delete', { id: spare.id });
  await shop.call('processor_accounts.connectors');
  await shop.call('routing.preview', { query: { amount: 2_000, currency: 'eur', brand: 'visa', country: 'DE' } });
  return account;
}

async function customers(shop: Recorder): Promise<Shown> {
  const customer = await shop.call('customers.create', {
    request: {
      ...{ email: 'ada@example.com', name: 'Ada Lovelace', phone: '+44 20 7946 0958' },
      metadata: { plan: 'gold', seats: 3 },
    },
  });
  const { id } = customer;
  await shop.call('customers.update', { id, request: { phone: '+44 20 7946 0959', metadata: { plan: 'platinum' } } });
  await shop.call('customers.retrieve', { id });
  await shop.call('customers.list', { query: { limit: 1 } });
  return customer;
}

const expiry = { exp_month: 12, exp_year: 2050 };
const cardOf = (number: string) => ({ type: 'card', card: { number, ...expiry } });

async function cards(shop: Recorder, customer: Shown, account: Shown): Promise<Shown> {
  const address = { line1: '12 St James Square', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' };
  const card = await shop.call('payment_methods.create', {
    request: {
      ...{ type: 'card', card: { number: '4242424242424242', ...expiry, cvc: '123' } },
      billing_details: { name: 'Ada Lovelace', email: 'ada@example.com', address },
    },
  });
  const { id } = card;
  await shop.call('payment_methods.attach', { id, request: { customer: customer.id } });
  await shop.call('payment_methods.update', { id, request: { card: { exp_year: 2051 }, metadata: { slot: 'first' } } });
  await shop.call('payment_methods.retrieve', { id });
  await shop.call('customers.update', { id: customer.id, request: { default_payment_method: id } });
  const processor_token = { processor_account: account.id, token: 'card_mastercard' };
  const kept = { type: 'card', processor_token, customer: customer.id };
  const other = await shop.call('payment_methods.create', { request: kept });
  await shop.call('payment_methods.list', { query: { customer: customer.id, limit: 2 } });
  await shop.call('customers.list_payment_methods', { id: customer.id, query: { limit: 2 } });
  await shop.call('payment_methods.detach', { id: other.id });
  return card;
}

/** A card with a number that the simulator knows. */
const stored = async (shop: Recorder, number: string): Promise<string> =>
  (await shop.call('payment_methods.create', { request: cardOf(number) })).id;

async function checkout(shop: Recorder, customer: Shown): Promise<void> {
  const line_items = [{ name: 'Poster', unit_amount: 1_500, currency: 'eur', quantity: 2 }];
  const urls = {
    success_url: 'https://shop.example/thanks?session={CHECKOUT_SESSION}',
    cancel_url: 'https://shop.example/cart',
  };
  const save_payment_method = 'offer';
  const request = { line_items, customer: customer.id, ...urls, save_payment_method, reference: 'A-17' };
  const { id } = await shop.call('checkout_sessions.create', { request });
  await shop.call('checkout_sessions.retrieve', { id });
  await shop.call('checkout_sessions.update', { id, request: { metadata: { basket: '7' } } });
  await shop.call('checkout_sessions.list', { query: { reference: 'A-17', limit: 1 } });
  await shop.call('checkout_sessions.expire', { id });
  await shop.call('checkout_sessions.redact', { id });
}

async function setups(shop: Recorder, customer: Shown, card: Shown): Promise<void> {
  const setUp = (payment_method: string, more: object = {}) =>
    shop.call('setups.create', { request: { payment_method, ...more } });
  const { id } = await setUp(card.id, { customer: customer.id, metadata: { page: 'account' } });
  await shop.call('setups.retrieve', { id });
  await shop.call('setups.list', { query: { customer: customer.id, limit: 1 } });
  const waiting = await setUp(await stored(shop, '4000000000003220'), { return_url: 'https://shop.example/account' });
  await shop.call('setups.cancel', { id: waiting.id });
  const poor = await stored(shop, '4000000000009995');
  await shop.declined('setups.create', { request: { payment_method: poor } });
}

async function payments(shop: Recorder, customer: Shown, card: Shown): Promise<void> {
  const charge = { amount: 2_000, currency: 'eur', payment_method: card.id };
  const pay = (more: object) => shop.call('payments.create', { request: { ...charge, ...more } });
  const details = { customer: customer.id, description: 'Order 7', metadata: { order: '7' } };
  const { id } = await pay(details);
  await shop.call('payments.update', { id, request: { description: 'Order 7, in two parcels' } });
  await shop.call('payments.retrieve', { id });
  await shop.call('payments.list_attempts', { id });
  const held = await pay({ capture_method: 'manual' });
  await shop.call('payments.capture', { id: held.id, request: { amount: 1_500 } });
  const unwanted = await pay({ capture_method: 'manual' });
  await shop.call('payments.cancel', { id: unwanted.id, request: { reason: 'requested_by_customer' } });
  await shop.call('payments.list', { query: { customer: customer.id, status: 'succeeded', limit: 1 } });
  const challenged = await pay({
    payment_method: await stored(shop, '4000000000003220'),
    return_url: 'https://shop.example/thanks',
  });
  await shop.authenticate(challenged);
  const poor = await stored(shop, '4000000000009995');
  await shop.declined('payments.create', { request: { ...charge, payment_method: poor } });
  await pay({ payment_method: await stored(shop, '4000000000000408') });
  await shop.pass(60);
}

async function refunds(shop: Recorder, card: Shown): Promise<string> {
  const paid = async (payment_method: string) =>
    (await shop.call('payments.create', { request: { amount: 3_000, currency: 'eur', payment_method } })).id;
  const request = { payment: await paid(card.id), amount: 500, reason: 'requested_by_customer' };
  const { id } = await shop.call('refunds.create', { request });
  await shop.call('refunds.update', { id, request: { metadata: { ticket: '4711' } } });
  await shop.call('refunds.retrieve', { id });
  await shop.call('refunds.list', { query: { payment: request.payment } });
  for (const number of ['4000000000007726', '4000000000005126'])
    await shop.call('refunds.create', { request: { payment: await paid(await stored(shop, number)) } });
  await shop.pass(60);
  return request.payment;
}

/** What was done so far, as the request log, the timeline and the search show it. */
async function lookBack(shop: Recorder, payment: string): Promise<void> {
  // The log is written, postings are sealed and events are delivered a moment later.
  const entries = async () => (await shop.client.get(`/v1/timeline/${payment}?limit=100`)).json.data as Shown[];
  await expect.poll(async () => (await entries()).filter(({ type }) => type === 'request')).toHaveLength(3);
  await expect.poll(async () => (await entries()).every(({ posting }) => posting?.sealed ?? true)).toBe(true);
  const isDelivered = ({ event }: Shown) =>
    event?.deliveries.every(({ attempts }: Shown) => attempts.length > 0) ?? true;
  await expect.poll(async () => (await entries()).every(isDelivered)).toBe(true);
  await shop.call('timeline.list', { id: payment, query: { limit: 20 } });
  await shop.call('search.query', { query: { q: '4242 3000' } });
  const { data } = await shop.call('request_logs.list', { query: { status: '4xx', limit: 1 } });
  await shop.call('request_logs.retrieve', { id: data[0].id });
  await shop.call('request_logs.list_errors', { query: { 'created[gte]': shop.now - day } });
}

async function disputes(shop: Recorder): Promise<void> {
  const payment_method = await stored(shop, '4000000000000259');
  const { id: payment } = await shop.call('payments.create', {
    request: { amount: 4_500, currency: 'eur', payment_method },
  });
  await shop.pass(5);
  const { data } = await shop.call('disputes.list', { query: { payment } });
  const [{ id }] = data;
  await shop.call('disputes.retrieve', { id });
  const evidence = { customer_name: 'Ada Lovelace', receipt: 'No. 7, paid in the shop' };
  await shop.call('disputes.update', { id, request: { evidence, submit: true } });
  await shop.call('disputes.close', { id });
}

async function balance(shop: Recorder): Promise<void> {
  await shop.call('balance.retrieve');
  await shop.call('balance.retrieve_breakdown');
  const { data } = await shop.call('balance.list_transactions', { query: { type: 'payment', limit: 1 } });
  await shop.call('balance.retrieve_transaction', { id: data[0].id });
}

async function books(shop: Recorder, account: Shown): Promise<void> {
  await shop.compared(account.id);
  const { data: days } = await shop.call('reconciliations.list', { query: { status: 'open', limit: 1 } });
  await shop.call('reconciliations.retrieve', { id: days[0].id });
  const query = { reconciliation: days[0].id, limit: 1 };
  const { data } = await shop.call('reconciliation_differences.list', { query });
  const { id } = data[0];
  await shop.call('reconciliation_differences.retrieve', { id });
  await shop.call('reconciliation_differences.follow_up', { id, request: { note: 'Asked the processor, case 4711.' } });
  await shop.call('reconciliation_differences.accept', { id, request: { note: 'A charge by hand at the processor.' } });
}

const beginning = Date.UTC(2040, 0, 1) / 1_000;

/** A customer that lives by a clock, with a card as the default. */
async function subscriber(shop: Recorder, clock: Shown, number: string): Promise<Shown> {
  const { id } = await shop.call('customers.create', { request: { name: 'Grace Hopper', test_clock: clock.id } });
  await changeCard(shop, id, number);
  return { id };
}

async function changeCard(shop: Recorder, customer: string, number: string): Promise<void> {
  const method = await shop.call('payment_methods.create', { request: { ...cardOf(number), customer } });
  await shop.call('customers.update', { id: customer, request: { default_payment_method: method.id } });
}

async function subscriptions(shop: Recorder) {
  const request = { frozen_time: beginning, name: 'A year of seats' };
  const clock = await shop.call('test_clocks.create', { request });
  const price = await shop.call('prices.create', {
    request: {
      ...{ currency: 'eur', unit_amount: 3_000, recurring: { interval: 'month' }, product_name: 'Seat' },
    },
  });
  await shop.call('prices.retrieve', { id: price.id });
  await shop.call('prices.list', { query: { active: true, limit: 1 } });
  const coupon = await shop.call('coupons.create', {
    request: { percent_off: 20, duration: 'repeating', duration_in_months: 6, name: 'Launch' },
  });
  await shop.call('coupons.retrieve', { id: coupon.id });
  await shop.call('coupons.list', { query: { limit: 1 } });
  const customer = await subscriber(shop, clock, '4242424242424242');
  await changeOfMind(shop, clock, customer, price);
  await firstYear(shop, clock, { customer, price, coupon });
  return { clock, price, coupon };
}

async function advance(shop: Recorder, clock: Shown, to: number): Promise<void> {
  await shop.call('test_clocks.advance', { id: clock.id, request: { frozen_time: to } });
  const { status } = await shop.call('test_clocks.retrieve', { id: clock.id });
  expect(status).toBe('ready');
}

/** The card of a second customer wants its holder, and nobody is there. */
async function changeOfMind(shop: Recorder, clock: Shown, { id }: Shown, price: Shown): Promise<void> {
  const holder = await subscriber(shop, clock, '4000000000003220');
  const items = [{ price: price.id }];
  const { latest_invoice } = await shop.call('subscriptions.create', {
    request: {
      ...{ customer: id, items: [{ price: price.id, quantity: 2 }], trial_days: 14 },
      metadata: { channel: 'web' },
    },
  });
  expect(latest_invoice).toBeUndefined();
  const return_url = 'https://shop.example/welcome';
  const { status } = await shop.call('subscriptions.create', {
    request: { customer: holder.id, items, return_url },
  });
  expect(status).toBe('incomplete');
}

async function firstYear(shop: Recorder, clock: Shown, has: { customer: Shown; price: Shown; coupon: Shown }) {
  const query = { customer: has.customer.id, limit: 1 };
  const { data } = await shop.call('subscriptions.list', { query });
  const [{ id, items }] = data;
  await advance(shop, clock, beginning + 20 * day);
  const change = [{ id: items[0].id, quantity: 3 }];
  await shop.call('invoices.preview', { request: { subscription: id, items: change } });
  await shop.call('subscriptions.update', { id, request: { items: change, coupon: has.coupon.id } });
  await shop.call('subscriptions.retrieve', { id });
  await shop.call('subscriptions.pause', { id });
  await advance(shop, clock, beginning + 30 * day);
  await shop.call('subscriptions.resume', { id });
  await changeCard(shop, has.customer.id, '4000000000009995');
  await advance(shop, clock, beginning + 47 * day);
  await shop.call('customers.list_credit_transactions', { id: has.customer.id, query: { limit: 1 } });
  await shop.call('subscriptions.cancel', { id, request: { proration: 'none' } });
  await shop.call('test_clocks.list', { query: { limit: 1 } });
}

async function invoices(shop: Recorder, customer: Shown, card: Shown): Promise<void> {
  const draft = async (amount: number, description: string) => {
    const request = { customer: customer.id, amount, currency: 'eur', description };
    const item = await shop.call('invoice_items.create', { request });
    const invoice = await shop.call('invoices.create', { request: { customer: customer.id } });
    return { item, ...(await shop.call('invoices.finalize', { id: invoice.id })) };
  };
  const { item, id } = await draft(2_500, 'Setup');
  await shop.call('invoice_items.retrieve', { id: item.id });
  await shop.call('invoice_items.list', { query: { customer: customer.id } });
  await shop.call('invoices.pay', { id, request: { payment_method: card.id } });
  await shop.call('invoices.update', { id, request: { metadata: { order: '8' } } });
  await shop.call('invoices.retrieve', { id });
  await shop.call('invoices.list', { query: { customer: customer.id, limit: 1 } });
  const wrong = await draft(900, 'Training');
  await shop.call('invoices.void', { id: wrong.id });
  const lost = await draft(1_200, 'Support');
  await shop.call('invoices.mark_uncollectible', { id: lost.id });
  const request = { customer: customer.id, amount: 700, currency: 'eur', description: 'By mistake' };
  const mistake = await shop.call('invoice_items.create', { request });
  await shop.call('invoice_items.delete', { id: mistake.id });
}

async function events(shop: Recorder, { id }: Shown, gone: string): Promise<void> {
  const { data } = await shop.call('events.list', { query: { type: 'invoice.paid', limit: 1 } });
  await shop.call('events.retrieve', { id: data[0].id });
  await shop.call('events.resend', { id: data[0].id, request: { webhook_endpoint: id } });
  await shop.call('events.list_deliveries', { id: data[0].id });
  await shop.call('webhook_endpoints.retrieve', { id });
  await shop.call('webhook_endpoints.test', { id });
  await shop.call('webhook_endpoints.list_deliveries', { id, query: { limit: 1 } });
  await shop.call('webhook_endpoints.list_all_deliveries', { query: { limit: 1 } });
  const families = ['payment.*', 'refund.*'];
  await shop.call('webhook_endpoints.update', { id, request: { enabled_events: families } });
  await shop.call('webhook_endpoints.list', { query: { limit: 1 } });
  await shop.call('webhook_endpoints.rotate_secret', { id, request: { overlap_hours: 48 } });
  await shop.call('webhook_endpoints.recover', { id, request: { since: shop.now - 60 } });
  const old = await shop.call('webhook_endpoints.create', { request: { url: gone, enabled_events: ['dispute.*'] } });
  await shop.call('webhook_endpoints.test', { id: old.id });
  await shop.call('webhook_endpoints.delete', { id: old.id });
}
