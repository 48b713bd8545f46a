import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { CardError, Tollgate, WebhookVerificationError, webhooks } from '@tollgate/node';
import { Hono } from 'hono';
import { html } from 'hono/html';

/** The gateway's `npm start` writes this file. In production, the address and the key come from the environment. */
const dev = process.env.TOLLGATE_DEV ?? join(import.meta.dirname, '..', '..', '.tollgate', 'dev.json');
const { base_url: baseUrl, test_secret_key: apiKey } = JSON.parse(readFileSync(dev, 'utf8'));
const tollgate = new Tollgate({ baseUrl, apiKey });

const port = Number(process.env.PORT ?? 3000);
const address = `http://127.0.0.1:${port}`;

/** In test mode the number decides the outcome. The buyer picks a card by its name: no number comes from the browser. */
const testCards: Record<string, string> = {
  approved: '4242424242424242',
  'requires 3-D Secure': '4000000000003220',
  'insufficient funds': '4000000000009995',
};

type Order = {
  id: string;
  /** `pending`: a payment is under way. Only webhooks make an order `paid` or `refunded`. */
  status: 'open' | 'pending' | 'paid' | 'refunded';
  payment?: string; // that has paid it
  challenge?: string | undefined; // where the cardholder authenticates
  problem?: string;
  failed: Set<string>; // payments; after each of them the order can be paid again
};

/** A real shop has its orders in a database. */
const orders = new Map<string, Order>();

/** The response to a request and a webhook both report it: in any order, and more than once. */
function noteFailure(order: Order, payment: string, problem: string): void {
  if (!order.failed.has(payment)) reopen(order, problem);
  order.failed.add(payment);
}

function reopen(order: Order, problem?: string): void {
  if (order.status === 'pending') Object.assign(order, { status: 'open', problem, challenge: undefined });
}

const orderUrl = ({ id }: Order) => `${address}/orders/${id}`;
const refund = (payment: string) => tollgate.refunds.create({ payment }, { idempotencyKey: `refund-${payment}` });

async function pay(order: Order, card: string, number: string): Promise<string> {
  order.status = 'pending';
  // A second click repeats the same request: it is charged once. Another card, or a try after a failure, has another key.
  const key = `${order.id}-${order.failed.size}-${card}`;
  try {
    const { id: payment_method } = await tollgate.paymentMethods.create(
      { type: 'card', card: { number, exp_month: 12, exp_year: 2040 } },
      { idempotencyKey: `card-${key}` },
    );
    const payment = await tollgate.payments.create(
      { amount: 2000, currency: 'eur', payment_method, metadata: { order: order.id }, return_url: orderUrl(order) },
      { idempotencyKey: `payment-${key}` },
    );
    order.challenge = payment.next_action?.redirect_to_url.url;
  } catch (error) {
    if (!(error instanceof CardError)) {
      reopen(order); // the outcome may be unknown: the next try with this card has the same key
      throw error;
    }
    noteFailure(order, error.payment!, error.message);
  }
  return order.challenge ?? orderUrl(order);
}

const shop = new Hono();
const orderOf = (id: unknown) => orders.get(String(id));
const buyForm = html`<p>€20.00</p><form method="post" action="/orders"><button>Buy</button></form>`;
shop.get('/', (c) => c.html(page('Teapot', buyForm)));

shop.post('/orders', (c) => {
  const order: Order = { id: crypto.randomUUID(), status: 'open', failed: new Set() };
  orders.set(order.id, order);
  return c.redirect(orderUrl(order), 303);
});

/** The cardholder comes back here from the bank. That proves nothing: the page waits for the webhook. */
shop.get('/orders/:id', (c) => {
  const order = orderOf(c.req.param('id'));
  return order === undefined ? c.notFound() : c.html(orderPage(order));
});

shop.post('/orders/:id/pay', async (c) => {
  const order = orderOf(c.req.param('id'));
  const card = String((await c.req.parseBody()).card);
  const number = testCards[card];
  if (order === undefined || number === undefined) return c.notFound();
  return c.redirect(order.payment === undefined ? await pay(order, card, number) : orderUrl(order), 303);
});

shop.post('/orders/:id/refund', async (c) => {
  const order = orderOf(c.req.param('id'));
  if (order?.payment === undefined) return c.notFound();
  await refund(order.payment);
  return c.redirect(orderUrl(order), 303);
});

shop.post('/webhooks', async (c) => {
  const event = await webhooks.verify(await c.req.text(), c.req.raw.headers, secret);
  const payment = event.data.object;
  const order = payment.object === 'payment' ? orderOf(payment.metadata?.order) : undefined;
  if (payment.object !== 'payment' || order === undefined) return c.body(null);
  // Webhooks come in any order, and more than once. The first payment that succeeds pays the order; another one is refunded.
  const isPaid = event.type === 'payment.succeeded';
  if (isPaid || event.type === 'payment.refunded') order.payment ??= payment.id;
  if (isPaid && order.payment !== payment.id) await refund(payment.id);
  else if (isPaid && order.status !== 'refunded') order.status = 'paid';
  else if (event.type === 'payment.refunded' && order.payment === payment.id) order.status = 'refunded';
  if (event.type === 'payment.failed' || event.type === 'payment.canceled')
    noteFailure(order, payment.id, payment.failure_message ?? 'The payment was canceled.');
  return c.body(null);
});

shop.onError((error, c) => {
  if (error instanceof WebhookVerificationError) return c.text(error.message, 400);
  console.error(error);
  return c.html(page('Something went wrong', 'Nothing is lost. Please go back and try again.'), 500);
});

const page = (title: string, body: unknown, head: unknown = '') => html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`;

function orderPage({ id, status, challenge, problem }: Order) {
  const options = Object.keys(testCards).map((name) => html`<option>${name}</option>`);
  const refresh = html`<meta http-equiv="refresh" content="1">`;
  const refundForm = html`<form method="post" action="/orders/${id}/refund"><button>Refund</button></form>`;
  const link = challenge ? html`<a href="${challenge}">Go to your bank</a>` : '';
  if (status === 'refunded') return page('Refunded', '');
  if (status === 'paid') return page('Paid', refundForm);
  if (status === 'pending') return page('Waiting for the payment', link, refresh);
  const form = html`<p role="alert">${problem ?? ''}</p><form method="post" action="/orders/${id}/pay">
<label>Test card <select name="card">${options}</select></label> <button>Pay €20.00</button></form>`;
  return page('Your order', form);
}

/** Registers the shop anew at each start, because the secret is shown once. In production: register once, and keep the secret. */
const url = `${address}/webhooks`;
for await (const endpoint of tollgate.webhookEndpoints.list())
  if (endpoint.url === url) await tollgate.webhookEndpoints.delete(endpoint.id);
const { secret } = await tollgate.webhookEndpoints.create({ url, enabled_events: ['payment.*'] });

serve({ fetch: shop.fetch, port, hostname: '127.0.0.1' }, () => console.log(`The shop is at ${address}`));
