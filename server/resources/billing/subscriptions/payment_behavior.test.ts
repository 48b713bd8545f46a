import { afterEach, describe, expect, test } from 'vitest';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { cards, type Shown } from './billing.fixture.ts';
import { lost, serveBilling } from './served_billing.fixture.ts';

const strict = { payment_behavior: 'error_if_incomplete' };

describe.each(places)('error_if_incomplete, with a processor that is %s', (place) => {
  const billing = serveBilling({ environment: { SIMULATOR: place } });
  afterEach(async () => {
    const { server, tenant } = billing;
    expect(await violationsOf(server.sql, { rest: true, tenant })).toEqual([]);
  });

  const events = async () =>
    (
      await billing.server.sql.query<{ type: string }>('select type from events where tenant = $1', [billing.tenant])
    ).rows.map(({ type }) => type);

  const without = (all: readonly string[], known: readonly string[]) => {
    const left = [...all];
    for (const type of known) left.splice(left.indexOf(type), 1);
    return left;
  };

  /** What a merchant can see of the billing of a customer. */
  async function seen(customer: Shown): Promise<object> {
    const lists = ['subscriptions', 'invoices', 'invoice_items'].map((path) => `${path}?customer=${customer.id}`);
    const [subscriptions, invoices, items] = await Promise.all(
      lists.map(async (path) => (await billing.get(path)).data),
    );
    const { credit_balance } = await billing.get(`customers/${customer.id}`);
    return { subscriptions, invoices, items, credit_balance };
  }

  /** A declined request: 402, the same to a retry, and nothing has changed but that there is a failed payment without an invoice. */
  async function expectDeclined(customer: Shown, path: string, body: object, decline_code = 'insufficient_funds') {
    const [before, told] = [await seen(customer), await events()];
    const headers = { 'Idempotency-Key': `declined ${path}` };
    const answer = await billing.account.test.post(`/v1/${path}`, { ...body, ...strict }, headers);
    expect([answer.status, answer.json.error.decline_code], answer.text).toEqual([402, decline_code]);
    const payment = await billing.get(`payments/${answer.json.error.payment}`);
    expect(payment).toMatchObject({ status: 'failed', customer: customer.id });
    expect(payment).not.toHaveProperty('invoice');
    await billing.isAsked();
    expect(await seen(customer)).toEqual(before);
    expect(without(await events(), told)).toEqual(['payment.failed']);
    expect((await billing.account.test.post(`/v1/${path}`, { ...body, ...strict }, headers)).text).toBe(answer.text);
  }

  const numberOf = async (subscription: Shown) => (await billing.get(`invoices/${subscription.latest_invoice}`)).number;

  describe('a new subscription', () => {
    async function wished(number: string, price = 1_000): Promise<{ customer: Shown; body: Shown }> {
      const customer = await billing.customer(undefined, number);
      return { customer, body: { customer: customer.id, items: [{ price: (await billing.price(price)).id }] } };
    }

    test('is not made by a decline, and uses no number, credit, item or coupon', async () => {
      const { customer, body } = await wished(cards.declines);
      const item = { customer: customer.id, currency: 'eur', description: 'A sticker' };
      await billing.post('invoice_items', { ...item, amount: -300 });
      const { id: draft } = await billing.post('invoices', { customer: customer.id });
      await billing.post(`invoices/${draft}/finalize`);
      await billing.post('invoice_items', { ...item, amount: 700 });
      const coupon = (await billing.post('coupons', { percent_off: 50, duration: 'once' })).id;
      await expectDeclined(customer, 'subscriptions', { ...body, coupon });
      await billing.pays(customer, cards.pays);
      const made = await billing.post('subscriptions', { ...body, ...strict, coupon });
      const invoice = await billing.get(`invoices/${made.latest_invoice}`);
      expect(invoice).toMatchObject({ number: 'INV-000002', total: 1_200, credit_applied: 300, amount_paid: 900 });
      expect(await billing.get(`payments/${invoice.payment}`)).toMatchObject({ amount: 900, invoice: invoice.id });
      const items: Shown[] = (await billing.get(`invoice_items?customer=${customer.id}`)).data;
      expect(new Set(items.map((one) => one.invoice))).toEqual(new Set([draft, invoice.id]));
    });

    test.each([
      ['wants the cardholder', cards.challenges],
      ['wants the cardholder once', '4000002500003155'],
    ])('is not made where the bank %s', async (_, number) => {
      const { customer, body } = await wished(number);
      await expectDeclined(customer, 'subscriptions', body, 'authentication_required');
    });

    test('is not made with a card that has expired', async () => {
      const frozen = await billing.clock('2026-12-20');
      const customer = await billing.customer(frozen, '');
      const card = { number: cards.pays, exp_month: 12, exp_year: 2026 };
      const method = await billing.post('payment_methods', { type: 'card', card, customer: customer.id });
      await billing.advance(frozen, '2027-02-01');
      const { body } = await wished('');
      const named = { ...body, customer: customer.id, default_payment_method: method.id, ...strict };
      expect(await billing.refused('subscriptions', named)).toMatchObject({ status: 402, code: 'expired_card' });
      expect(await seen(customer)).toMatchObject({ subscriptions: [], invoices: [] });
    });

    test('is made immediately by an approval', async () => {
      const { customer, body } = await wished(cards.pays);
      const made = await billing.post('subscriptions', { ...body, ...strict });
      expect(made.status).toBe('active');
      expect(await numberOf(made)).toBe('INV-000001');
      const { id } = (await billing.get(`payments?customer=${customer.id}`)).data[0];
      expect(await billing.get(`payments/${id}`)).toMatchObject({ invoice: made.latest_invoice, status: 'succeeded' });
      expect((await events()).filter((type) => /^(subscription|invoice|payment)\./.test(type)).sort()).toEqual(
        ['invoice.created', 'invoice.finalized', 'invoice.paid', 'payment.succeeded', 'subscription.created'],
      ); // biome-ignore format: one list
    });

    test.each([
      ['found approved', lost.reply, 'active'],
      ['found never received', lost.request, 'incomplete'],
    ])('waits for an unknown outcome, %s', async (_, number, status) => {
      const { body } = await wished(number);
      const made = await billing.post('subscriptions', { ...body, ...strict });
      expect(made.status).toBe('incomplete');
      expect(await numberOf(made)).toBe('INV-000001');
      await billing.isAsked();
      expect((await billing.subscription(made)).status).toBe(status);
    });

    test('needs no payment where nothing is due, and a method where something is', async () => {
      const { body } = await wished('', 0);
      expect((await billing.post('subscriptions', { ...body, ...strict })).status).toBe('active');
      const dear = await wished('');
      expect((await billing.post('subscriptions', { ...dear.body, ...strict, trial_days: 3 })).status).toBe('trialing');
      expect(await billing.refused('subscriptions', { ...dear.body, ...strict })).toMatchObject({
        status: 400,
        code: 'parameter_missing',
        param: 'default_payment_method',
      });
    });
  });

  describe('a change', () => {
    /** An active subscription of a customer whose card is then another one. */
    async function subscribed(number: string, more: object = {}): Promise<{ subscription: Shown; customer: Shown }> {
      const customer = await billing.customer(undefined);
      const subscription = await billing.subscribe(customer, await billing.price(1_000), more);
      await billing.pays(customer, number);
      return { subscription, customer };
    }
    const dearer = ({ items }: Shown) => ({ items: [{ id: items[0].id, quantity: 3 }], proration: 'invoice_now' });

    test('of items is not made by a decline, with all that it would have taken', async () => {
      const { subscription, customer } = await subscribed(cards.declines);
      const [{ id }] = subscription.items;
      await billing.post(`subscriptions/${subscription.id}`, { items: [{ id, quantity: 2 }] }); // its lines wait
      await billing.post('invoice_items', {
        customer: customer.id,
        amount: 700,
        currency: 'eur',
        description: 'A cup',
      });
      await expectDeclined(customer, `subscriptions/${subscription.id}`, {
        ...dearer(subscription),
        metadata: { a: '1' },
      });
      await billing.pays(customer, cards.pays);
      const after = await billing.post(`subscriptions/${subscription.id}`, { ...dearer(subscription), ...strict });
      expect(after).toMatchObject({ status: 'active', items: [{ quantity: 3 }] });
      expect(await billing.get(`invoices/${after.latest_invoice}`)).toMatchObject({
        ...{ number: 'INV-000002', status: 'paid', amount_paid: 2_700 },
      });
    });

    test('of the interval is not made by a decline', async () => {
      const { subscription, customer } = await subscribed(cards.declines);
      const price = await billing.price(9_000, { interval: 'year' });
      const items = [{ id: subscription.items[0].id, price: price.id }];
      await expectDeclined(customer, `subscriptions/${subscription.id}`, { items });
    });

    test('that ends a trial is not made by a decline', async () => {
      const { subscription, customer } = await subscribed(cards.declines, { trial_days: 10 });
      await expectDeclined(customer, `subscriptions/${subscription.id}`, { trial_end: 'now' });
    });

    test('to a method that is declined is not made', async () => {
      const { subscription, customer } = await subscribed(cards.pays);
      const { id } = await billing.method(cards.challenges, customer.id);
      const body = { ...dearer(subscription), default_payment_method: id };
      await expectDeclined(customer, `subscriptions/${subscription.id}`, body, 'authentication_required');
    });

    test.each([
      ['found approved', lost.reply, 'active', 'paid'],
      ['found never received', lost.request, 'past_due', 'open'],
    ])('is made while its payment is unknown, %s', async (_, number, status, end) => {
      const { subscription } = await subscribed(number);
      const after = await billing.post(`subscriptions/${subscription.id}`, { ...dearer(subscription), ...strict });
      expect(after).toMatchObject({ status: 'active', items: [{ quantity: 3 }] });
      expect((await billing.get(`invoices/${after.latest_invoice}`)).status).toBe('open');
      await billing.isAsked();
      expect((await billing.subscription(subscription)).status).toBe(status);
      expect((await billing.get(`invoices/${after.latest_invoice}`)).status).toBe(end);
    });

    test('takes the parameter where it has no effect, and no other value', async () => {
      const { subscription } = await subscribed(cards.declines);
      const path = `subscriptions/${subscription.id}`;
      expect(await billing.post(path, { metadata: { a: '1' }, ...strict })).toMatchObject({ metadata: { a: '1' } });
      const fewer = { items: [{ id: subscription.items[0].id, quantity: 0 }], proration: 'invoice_now' };
      const credited = await billing.post(path, { ...fewer, ...strict }); // the total is below 0
      expect(await billing.get(`invoices/${credited.latest_invoice}`)).toMatchObject({ status: 'paid', total: -1_000 });
      for (const payment_behavior of ['pending_if_incomplete', null])
        expect(await billing.refused(path, { payment_behavior })).toMatchObject({
          ...{ status: 400, code: 'parameter_invalid', param: 'payment_behavior' },
        });
    });

    test('is made although its payment is declined, unless the parameter says otherwise', async () => {
      const { subscription } = await subscribed(cards.declines);
      const body = { ...dearer(subscription), payment_behavior: 'allow_incomplete' };
      expect(await billing.post(`subscriptions/${subscription.id}`, body)).toMatchObject({
        ...{ status: 'past_due', items: [{ quantity: 3 }] },
      });
    });
  });

  test('a declined change of a customer with a test clock leaves its time alone', async () => {
    const frozen = await billing.clock('2026-01-31');
    const customer = await billing.customer(frozen);
    const subscription = await billing.subscribe(customer, await billing.price(1_000));
    await billing.pays(customer, cards.declines);
    const body = { items: [{ id: subscription.items[0].id, quantity: 3 }], proration: 'invoice_now', ...strict };
    const { payment } = await billing.refused(`subscriptions/${subscription.id}`, body);
    expect((await billing.get(`payments/${payment}`)).created).toBe(frozen.frozen_time);
    expect((await billing.get(`test_clocks/${frozen.id}`)).status).toBe('ready');
    await billing.pays(customer, cards.pays);
    const after = await billing.post(`subscriptions/${subscription.id}`, body);
    expect(await billing.get(`invoices/${after.latest_invoice}`)).toMatchObject({
      ...{ number: 'INV-000002', status: 'paid', created: frozen.frozen_time, paid_at: frozen.frozen_time },
    });
  });
});
