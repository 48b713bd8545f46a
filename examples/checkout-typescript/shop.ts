import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Tollgate, webhooks } from '@tollgate/node';
import { Hono } from 'hono';

const dev = process.env.TOLLGATE_DEV ?? join(import.meta.dirname, '../../.tollgate/dev.json');
const { base_url: baseUrl, test_secret_key: apiKey } = JSON.parse(readFileSync(dev, 'utf8'));
const tollgate = new Tollgate({ baseUrl, apiKey });
const port = Number(process.env.PORT ?? 3000);
const address = `http://127.0.0.1:${port}`;
const completed = 'checkout_session.completed';
const endpoint = await tollgate.webhookEndpoints.create({ url: `${address}/webhooks`, enabled_events: [completed] });
const paid = new Set<string>(); // a real shop has its orders in a database

const shop = new Hono();
shop.get('/', (c) => c.html('<h1>Teapot</h1><form method="post" action="/buy"><button>Buy for €20.00</button></form>'));
shop.post('/buy', async (c) => {
  const order = crypto.randomUUID();
  const line_items = [{ name: 'Teapot', unit_amount: 2000, currency: 'eur' }];
  const success_url = `${address}/orders/${order}`;
  const session = await tollgate.checkoutSessions.create({ line_items, reference: order, success_url });
  return c.redirect(session.url!, 303);
});
shop.post('/webhooks', async (c) => {
  const event = await webhooks.verify(await c.req.text(), c.req.header(), endpoint.secret);
  if (event.type === completed) paid.add(event.data.object.reference!);
  return c.text('received');
});
shop.get('/orders/:id', (c) => c.html(`<h1>${paid.has(c.req.param('id')) ? 'Paid' : 'Waiting for the payment'}</h1>`));
serve({ fetch: shop.fetch, port, hostname: '127.0.0.1' }, () => console.log(`The shop is at ${address}`));
