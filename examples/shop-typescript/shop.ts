import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import {
  type CheckoutSessionsCreateParameters,
  type Event,
  Tollgate,
  WebhookVerificationError,
  webhooks,
} from '@tollgate/node';
import { Hono } from 'hono';
import { html } from 'hono/html';

/** The gateway's `npm start` writes this file. In production, the address and the key come from the environment. */
const dev = process.env.TOLLGATE_DEV ?? join(import.meta.dirname, '..', '..', '.tollgate', 'dev.json');
const { base_url: baseUrl, test_secret_key: apiKey } = JSON.parse(readFileSync(dev, 'utf8'));
const tollgate = new Tollgate({ baseUrl, apiKey });

const port = Number(process.env.PORT ?? 3000);
const address = `http://127.0.0.1:${port}`;

type Order = {
  id: string;
  /** Only webhooks change it. */
  status: 'open' | 'paid' | 'refunded' | 'expired';
  checkout: string; // the page to pay on
  session: string;
  payment?: string | undefined; // that has paid it
  customer?: string | undefined; // of a subscription
};

/** A real shop has its orders in a database. */
const orders = new Map<string, Order>();

const orderUrl = (id: string) => `${address}/orders/${id}`;

const shop = new Hono();
shop.get('/', (c) => {
  const form = (action: string, button: string) =>
    html`<form method="post" action="${action}"><button>${button}</button></form>`;
  const club = html`<h2>Tea club</h2><p>€9.00 a month</p>${form('/subscriptions', 'Subscribe')}`;
  return c.html(page('Teapot', html`<p>€20.00</p>${form('/orders', 'Buy')}${club}`));
});

shop.post('/orders', async (c) =>
  c.redirect(await order({ line_items: [{ name: 'Teapot', unit_amount: 2000, currency: 'eur' }] }), 303),
);

shop.post('/subscriptions', async (c) =>
  c.redirect(await order({ mode: 'subscription', line_items: [{ price: club.id }] }), 303),
);

/** Makes an order; returns the address of the page on which it is paid. */
async function order(sold: CheckoutSessionsCreateParameters): Promise<string> {
  const id = crypto.randomUUID();
  const urls = { success_url: orderUrl(id), cancel_url: address };
  const { id: session, url } = await tollgate.checkoutSessions.create({ ...sold, ...urls, reference: id });
  orders.set(id, { id, status: 'open', checkout: url!, session });
  return url!;
}

/** The customer comes back here after the payment. That proves nothing: the page waits for the webhook. */
shop.get('/orders/:id', (c) => {
  const order = orders.get(c.req.param('id'));
  return order === undefined ? c.notFound() : c.html(orderPage(order));
});

shop.post('/orders/:id/refund', async (c) => {
  const order = orders.get(c.req.param('id'));
  if (order?.payment === undefined) return c.notFound();
  // However often the button is pressed, the same request is sent.
  await tollgate.refunds.create({ payment: order.payment }, { idempotencyKey: `refund-${order.id}` });
  return c.redirect(orderUrl(order.id), 303);
});

/** The customer cancels, changes cards and pays invoices in the portal. The link works once: it is made when the button is pressed. */
shop.post('/orders/:id/manage', async (c) => {
  const order = orders.get(c.req.param('id'));
  if (order?.customer === undefined) return c.notFound();
  const { customer, id } = order;
  const { url } = await tollgate.portalSessions.create({ customer, return_url: orderUrl(id) });
  return c.redirect(url, 303);
});

shop.post('/webhooks', async (c) => {
  receive(await webhooks.verify(await c.req.text(), c.req.raw.headers, secret));
  return c.body(null);
});

/** Webhooks come in any order, and more than once: each of them may only lead on. */
function receive(event: Event): void {
  if (event.type === 'payment.refunded') {
    const { id, checkout_session } = event.data.object;
    const order = orders.values().find(({ session }) => session === checkout_session);
    if (order !== undefined) Object.assign(order, { status: 'refunded', payment: id });
  } else if (event.type === 'checkout_session.completed') {
    const { reference = '', payment, subscription, customer } = event.data.object;
    const order = orders.get(reference);
    if (order === undefined || order.status === 'paid' || order.status === 'refunded') return;
    Object.assign(order, { status: 'paid', ...(subscription === undefined ? { payment } : { customer }) });
    console.log(`Deliver order ${order.id}`);
  } else if (event.type === 'checkout_session.expired') {
    const order = orders.get(event.data.object.reference ?? '');
    if (order?.status === 'open') order.status = 'expired';
  }
}

shop.onError((error, c) => {
  if (error instanceof WebhookVerificationError) return c.text(error.message, 400);
  console.error(error);
  return c.html(page('Something went wrong', 'Nothing is lost. Please go back and try again.'), 500);
});

const page = (title: string, body: unknown, head: unknown = '') => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`;

function orderPage({ id, status, checkout, customer }: Order) {
  const [verb, button] = customer === undefined ? ['refund', 'Refund'] : ['manage', 'Manage subscription'];
  if (status === 'paid')
    return page('Paid', html`<form method="post" action="/orders/${id}/${verb}"><button>${button}</button></form>`);
  if (status === 'refunded') return page('Refunded', '');
  if (status === 'expired') return page('Not paid', html`<a href="/">Order again</a>`);
  const refresh = html`<meta http-equiv="refresh" content="1">`;
  return page('Waiting for the payment', html`<a href="${checkout}">Pay</a>`, refresh);
}

/** The price of the club, which is made once. */
const prices = await tollgate.prices.list({ active: true, limit: 100 });
const club =
  prices.data.find(({ product_name }) => product_name === 'Tea club') ??
  (await tollgate.prices.create({
    product_name: 'Tea club',
    unit_amount: 900,
    currency: 'eur',
    recurring: { interval: 'month' },
  }));

/** Registers the shop anew at each start, because the secret is shown once. In production: register once, and keep the secret. */
const url = `${address}/webhooks`;
for await (const endpoint of tollgate.webhookEndpoints.list())
  if (endpoint.url === url) await tollgate.webhookEndpoints.delete(endpoint.id);
const { secret } = await tollgate.webhookEndpoints.create({
  url,
  enabled_events: ['checkout_session.completed', 'checkout_session.expired', 'payment.refunded'],
});

serve({ fetch: shop.fetch, port, hostname: '127.0.0.1' }, () => console.log(`The shop is at ${address}`));
