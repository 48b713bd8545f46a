import { cards, type Steps } from './steps.ts';

/** What is done for an event. It returns the id of the object in the event, or of the payment that the object is about. */
type Recipe = (steps: Steps) => Promise<string>;

const dayMs = 86_400_000;

const customers: Record<string, Recipe> = {
  'customer.created': async (steps) => (await steps.customer()).id,
  'customer.updated': async (steps) => {
    const { id } = await steps.customer();
    return (await steps.post(`/customers/${id}`, { email: 'triggered@example.com' })).id;
  },
  'customer.deleted': async (steps) => (await steps.delete(`/customers/${(await steps.customer()).id}`)).id,
  // What an invoice owes the customer becomes credit.
  'customer.credit_balance_updated': async (steps) => {
    const invoice = await steps.draft(cards.pays, '-500');
    return (await steps.post(`/invoices/${invoice}/finalize`)).customer;
  },
  'payment_method.attached': async (steps) => {
    const [{ id }, customer] = [await steps.method(cards.pays), await steps.customer()];
    return (await steps.post(`/payment_methods/${id}/attach`, { customer: customer.id })).id;
  },
  'payment_method.detached': async (steps) => {
    const customer = await steps.customer();
    const { id } = await steps.method(cards.pays, { customer: customer.id });
    return (await steps.post(`/payment_methods/${id}/detach`)).id;
  },
  'payment_method.updated': async (steps) => {
    const { id } = await steps.method(cards.pays);
    return (await steps.post(`/payment_methods/${id}`, { 'card[exp_year]': '2041' })).id;
  },
};

const payments: Record<string, Recipe> = {
  'payment.succeeded': (steps) => steps.payment(cards.pays),
  'payment.failed': (steps) => steps.payment(cards.declines),
  'payment.requires_action': (steps) => steps.payment(cards.challenges, { return_url: 'https://shop.example/thanks' }),
  'payment.requires_capture': (steps) => steps.payment(cards.pays, { capture_method: 'manual' }),
  'payment.processing': (steps) => steps.payment(cards.replyLost),
  'payment.canceled': async (steps) => {
    const id = await steps.payment(cards.pays, { capture_method: 'manual' });
    return (await steps.post(`/payments/${id}/cancel`)).id;
  },
  'payment.updated': async (steps) => {
    const id = await steps.payment(cards.pays);
    return (await steps.post(`/payments/${id}`, { description: 'Triggered' })).id;
  },
  'payment.refunded': async (steps) => (await refund(steps, cards.pays)).payment,
  'refund.created': async (steps) => (await refund(steps, cards.pays)).id,
  'refund.updated': async (steps) => {
    const { id } = await refund(steps, cards.pays);
    return (await steps.post(`/refunds/${id}`, { 'metadata[triggered]': 'yes' })).id;
  },
  'refund.failed': async (steps) => (await refund(steps, cards.refundFails)).id,
  'dispute.created': (steps) => steps.dispute(),
  'dispute.updated': async (steps) => {
    const id = await steps.dispute();
    return (await steps.post(`/disputes/${id}`, { 'metadata[triggered]': 'yes' })).id;
  },
  'dispute.closed': async (steps) => (await steps.post(`/disputes/${await steps.dispute()}/close`)).id,
};

const setups: Record<string, Recipe> = {
  'setup.succeeded': (steps) => setUp(steps, cards.pays),
  'setup.failed': (steps) => setUp(steps, cards.declines),
  'setup.requires_action': (steps) => setUp(steps, cards.challenges),
  'setup.canceled': async (steps) => (await steps.post(`/setups/${await setUp(steps, cards.challenges)}/cancel`)).id,
};

async function setUp(steps: Steps, number: string): Promise<string> {
  return steps.declined('/setups', { payment_method: (await steps.method(number)).id });
}

async function refund(steps: Steps, number: string) {
  return steps.post('/refunds', { payment: await steps.payment(number) });
}

const paymentLink = (steps: Steps) =>
  steps.post('/payment_links', { amount: '2000', currency: 'eur', description: 'Triggered' });

const selling: Record<string, Recipe> = {
  'payment_link.created': async (steps) => (await paymentLink(steps)).id,
  'payment_link.updated': async (steps) => {
    const { id } = await paymentLink(steps);
    return (await steps.post(`/payment_links/${id}`, { active: 'false' })).id;
  },
};

const billing: Record<string, Recipe> = {
  'price.created': async (steps) => (await steps.price()).id,
  'price.updated': async (steps) => {
    const { id } = await steps.price();
    return (await steps.post(`/prices/${id}`, { product_name: 'Triggered twice' })).id;
  },
  'coupon.created': async (steps) => (await coupon(steps)).id,
  'coupon.deleted': async (steps) => (await steps.delete(`/coupons/${(await coupon(steps)).id}`)).id,
  'invoice_item.created': async (steps) => (await invoiceItem(steps)).id,
  'invoice_item.deleted': async (steps) => (await steps.delete(`/invoice_items/${(await invoiceItem(steps)).id}`)).id,
  'invoice.created': (steps) => steps.draft(),
  'invoice.updated': async (steps) => {
    const id = await steps.draft();
    return (await steps.post(`/invoices/${id}`, { 'metadata[triggered]': 'yes' })).id;
  },
  'invoice.finalized': (steps) => steps.openInvoice(),
  'invoice.paid': async (steps) => (await steps.post(`/invoices/${await steps.openInvoice()}/pay`)).id,
  'invoice.payment_failed': async (steps) => {
    const id = await steps.openInvoice(cards.declinesWhenCharged);
    await steps.declined(`/invoices/${id}/pay`);
    return id;
  },
  'invoice.payment_action_required': async (steps) => {
    const id = await steps.openInvoice(cards.challenges);
    return (await steps.post(`/invoices/${id}/pay`, { return_url: 'https://shop.example/thanks' })).id;
  },
  'invoice.voided': async (steps) => (await steps.post(`/invoices/${await steps.openInvoice()}/void`)).id,
  'invoice.marked_uncollectible': async (steps) =>
    (await steps.post(`/invoices/${await steps.openInvoice()}/mark_uncollectible`)).id,
};

function coupon(steps: Steps) {
  return steps.post('/coupons', { percent_off: '10', duration: 'once' });
}

async function invoiceItem(steps: Steps) {
  const { id: customer } = await steps.customer();
  return steps.post('/invoice_items', { customer, amount: '700', currency: 'eur', description: 'Triggered' });
}

const subscriptions: Record<string, Recipe> = {
  'subscription.created': (steps) => steps.subscription(),
  'subscription.updated': async (steps) => {
    const id = await steps.subscription();
    return (await steps.post(`/subscriptions/${id}`, { 'metadata[triggered]': 'yes' })).id;
  },
  // For a trial shorter than three days, the event is created immediately.
  'subscription.trial_will_end': (steps) => steps.subscription({ trial_days: '2' }),
  'subscription.paused': async (steps) => (await steps.post(`/subscriptions/${await steps.subscription()}/pause`)).id,
  'subscription.resumed': async (steps) => {
    const id = await steps.subscription();
    await steps.post(`/subscriptions/${id}/pause`);
    return (await steps.post(`/subscriptions/${id}/resume`)).id;
  },
  'subscription.canceled': async (steps) =>
    (await steps.post(`/subscriptions/${await steps.subscription()}/cancel`)).id,
  'test_clock.ready': async (steps) => {
    const now = Date.now();
    const seconds = (ms: number) => String(Math.floor(ms / 1_000));
    const { id } = await steps.post('/test_clocks', { frozen_time: seconds(now), name: 'Triggered' });
    return (await steps.post(`/test_clocks/${id}/advance`, { frozen_time: seconds(now + dayMs) })).id;
  },
};

const checkoutSessions: Record<string, Recipe> = {
  'checkout_session.created': async (steps) => (await checkoutSession(steps)).id,
  'checkout_session.expired': async (steps) =>
    (await steps.post(`/checkout_sessions/${(await checkoutSession(steps)).id}/expire`)).id,
  'checkout_session.completed': (steps) => steps.checkout(cards.pays),
  'checkout_session.payment_failed': (steps) => steps.checkout(cards.declines),
  'checkout_session.processing': (steps) => steps.checkout(cards.replyLost),
};

function checkoutSession(steps: Steps) {
  return steps.post('/checkout_sessions', { amount: '2000', currency: 'eur', description: 'Triggered' });
}

const endpoints: Record<string, Recipe> = {
  'webhook_endpoint.test': (steps) => steps.endpoint(200, async () => {}),
  // An endpoint that answers 410 is gone for good.
  'webhook_endpoint.disabled': (steps) =>
    steps.endpoint(410, async (id) => {
      await steps.find(`/webhook_endpoints/${id}`, {}, ({ status }) => (status === 'disabled' ? true : undefined));
    }),
};

/** The real operations that cause each type of event, in test mode. */
export const recipes: Readonly<Record<string, Recipe>> = {
  ...customers,
  ...setups,
  ...payments,
  ...selling,
  ...billing,
  ...subscriptions,
  ...checkoutSessions,
  ...endpoints,
};
