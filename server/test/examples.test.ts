import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PortalBrowser } from '../resources/selling/portal/portal.fixture.ts';
import { openBrowser } from './browser.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { decideOn, type Pressed, pressPay, typedCard } from './pay_page.ts';
import { Child, until } from './processes/child.ts';
import { pythonIsMissing } from './python.ts';
import { unusedPort } from './unused_port.ts';

/** The shops in examples/, started as their manuals say and used as a customer would, against a whole gateway. */

const root = join(import.meta.dirname, '..', '..');
const examples = join(root, 'examples');
const textOf = (...path: string[]) => readFileSync(join(examples, ...path), 'utf8');
const manifest = JSON.parse(textOf('shop-typescript', 'package.json'));

type Example = { name: string; file: string; folder: string; command: string; environment: Record<string, string> };

const typescript: Example = {
  ...{ name: 'shop-typescript', file: 'shop.ts', folder: join(examples, 'shop-typescript') },
  command: manifest.scripts.start,
  // The client as it is written: what `npm start` builds first is the subject of sdk/test/package.test.ts.
  environment: { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'sdk_source.fixture.ts')}` },
};
const python: Example = {
  ...{ name: 'shop-python', file: 'shop.py', folder: root },
  command: `exec env ${/```sh\n(.*)\n```/.exec(textOf('shop-python', 'README.md'))![1]}`,
  environment: { PYTHONDONTWRITEBYTECODE: '1' },
};

const whyNoPython = pythonIsMissing('examples/shop-python');

let server: TestServer;
let account: TestAccount;
let agent: Agent;
let directory: string;
const shops: Child[] = [];

beforeAll(async () => {
  server = await startServer({ purpose: 'dev', environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  agent = new Agent({ connect: { ca: server.ca } });
  directory = mkdtempSync(join(tmpdir(), 'tollgate-examples-'));
  const ca_file = join(directory, 'ca.pem');
  writeFileSync(ca_file, server.ca);
  const dev = { base_url: server.baseUrl, ca_file, test_secret_key: account.testKey };
  writeFileSync(join(directory, 'dev.json'), JSON.stringify(dev));
});

afterAll(async () => {
  for (const shop of shops) await shop.stop('SIGTERM');
  await agent.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a shop; returns its address, and its process. */
async function open({ folder, command, environment }: Example): Promise<[address: string, shop: Child]> {
  const env = {
    ...{ ...process.env, ...environment, PORT: String(await unusedPort()) },
    ...{ TOLLGATE_DEV: join(directory, 'dev.json'), NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
  };
  const shop = new Child(spawn('sh', ['-c', command], { cwd: folder, env }));
  shops.push(shop);
  const [, address] = await shop.prints(/The shop is at (\S+)/);
  return [address!, shop];
}

/** A customer with one order. */
class Customer {
  readonly session: string;
  /** The page to pay on. */
  readonly checkout: string;
  /** The page of the order, to which the customer comes back. */
  readonly order: string;

  constructor(session: string, checkout: string, order: string) {
    this.session = session;
    this.checkout = checkout;
    this.order = order;
  }

  static async orders(address: string, what = 'orders', amount_total = 2_000): Promise<Customer> {
    const product = await fetch(address);
    expect(await product.text()).toContain('Teapot');
    const checkout = await locationOf(`${address}/${what}`);
    const [, id] = /\/pay\/\d+-(cs_\w+)-[\w-]+$/.exec(checkout)!;
    const { json } = await account.test.get(`/v1/checkout_sessions/${id}`);
    expect(json).toMatchObject({ status: 'open', amount_total, currency: 'eur', cancel_url: address });
    return new Customer(id!, checkout, `${address}/orders/${json.reference}`);
  }

  pays(number: string): Promise<Pressed> {
    return pressPay(this.checkout, typedCard(number), agent);
  }

  async page(): Promise<string> {
    return (await fetch(this.order)).text();
  }

  async sees(title: string): Promise<string> {
    const heading = `<h1>${title}</h1>`;
    return until(`the page says ${title}`, 60_000, async () => {
      const page = await this.page();
      return page.includes(heading) && page;
    });
  }

  async payments(): Promise<{ id: string; status: string; amount_refunded?: number }[]> {
    const { json } = await account.test.get('/v1/payments?limit=100');
    return json.data.filter(({ checkout_session }: { checkout_session?: string }) => checkout_session === this.session);
  }
}

async function locationOf(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual' });
  expect(response.status, await response.text()).toBe(303);
  return new URL(response.headers.get('Location')!, url).href;
}

const orderIn = ({ order }: Customer) => order.split('/').at(-1)!;

describe.each([typescript, python])('$name', (example) => {
  const isSkipped = example === python && whyNoPython !== undefined;
  let address: string;
  let shop: Child;
  beforeAll(async () => {
    if (!isSkipped) [address, shop] = await open(example);
  });

  test.skipIf(isSkipped)('is paid on the page of a session, by a webhook, and refunded once', async () => {
    const customer = await Customer.orders(address);
    expect(await customer.page()).toContain('<h1>Waiting for the payment</h1>'); // to come back proves nothing
    const { status, location } = await customer.pays('4242424242424242');
    expect([status, location]).toEqual([303, customer.order]);
    await customer.sees('Paid');
    await Promise.all([locationOf(`${customer.order}/refund`), locationOf(`${customer.order}/refund`)]);
    await customer.sees('Refunded');
    const [payment, ...more] = await customer.payments();
    expect([payment, more]).toMatchObject([{ status: 'succeeded', amount_refunded: 2000 }, []]);
    expect((await account.test.get(`/v1/refunds?payment=${payment!.id}`)).json.data).toHaveLength(1);
  });

  test.skipIf(isSkipped)('believes no webhook that is not signed', async () => {
    const customer = await Customer.orders(address);
    const event = {
      ...{ id: 'evt_1', object: 'event', type: 'checkout_session.completed' },
      data: { object: { id: customer.session, object: 'checkout_session', reference: orderIn(customer) } },
    };
    const forged = await fetch(`${address}/webhooks`, { method: 'POST', body: JSON.stringify(event) });
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('webhook-signature')]);
    expect(await customer.page()).toContain('<h1>Waiting for the payment</h1>');
  });

  test.skipIf(isSkipped)('is paid by another card after a decline', async () => {
    const customer = await Customer.orders(address);
    expect((await customer.pays('4000000000000002')).location).toBe(customer.checkout);
    expect(await customer.page()).toContain(`<a href="${customer.checkout}">Pay</a>`);
    await customer.pays('4242424242424242');
    await customer.sees('Paid');
    expect((await customer.payments()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  test.skipIf(isSkipped)('is paid after 3-D Secure, from which the customer comes back to the order', async () => {
    const customer = await Customer.orders(address);
    const { location: challenge } = await customer.pays('4000000000003220');
    expect(challenge).toMatch(/\/simulator\/challenge\//);
    expect(await decideOn(challenge!, 'approve', agent)).toBe(customer.order);
    await customer.sees('Paid');
  });

  test.skipIf(isSkipped)('gives up an order whose session has expired', async () => {
    const customer = await Customer.orders(address);
    await account.test.post(`/v1/checkout_sessions/${customer.session}/expire`, {});
    await customer.sees('Not paid');
  });

  test.skipIf(isSkipped)('delivers once, however often the webhook comes', async () => {
    const customer = await Customer.orders(address);
    await customer.pays('4242424242424242');
    await customer.sees('Paid');
    const { data } = (await account.test.get(`/v1/events?object_id=${customer.session}`)).json;
    const { id } = data.find(({ type }: { type: string }) => type === 'checkout_session.completed');
    const hooks = (await account.test.get('/v1/webhook_endpoints')).json.data;
    const { id: webhook_endpoint } = hooks.find(({ url }: { url: string }) => url === `${address}/webhooks`);
    await account.test.post(`/v1/events/${id}/resend`, { webhook_endpoint });
    await until('the webhook has come again', 60_000, async () => {
      const { data: deliveries } = (await account.test.get(`/v1/events/${id}/deliveries`)).json;
      const ours = deliveries.find((one: { webhook_endpoint: string }) => one.webhook_endpoint === webhook_endpoint);
      return ours.status === 'delivered' && ours.attempts.length === 2;
    });
    expect(shop.stdout.split(`Deliver order ${orderIn(customer)}\n`)).toHaveLength(2);
  });

  test.skipIf(isSkipped)('leads a subscriber to the portal, signed in, and back', async () => {
    const customer = await Customer.orders(address, 'subscriptions', 900);
    await customer.pays('4242424242424242');
    expect(await customer.sees('Paid')).toContain('Manage subscription');
    const portal = new PortalBrowser(server.anonymous);
    await portal.signIn({ url: await locationOf(`${customer.order}/manage`) });
    expect(portal.text).toContain('Tea club');
    expect(portal.text).toContain(`href="${customer.order}"`);
    // Each press makes another link, and each link works once.
    await portal.signIn({ url: await locationOf(`${customer.order}/manage`) });
    expect(portal.text).toContain('Tea club');
  });

  test.skipIf(isSkipped)('knows its own orders alone', async () => {
    expect((await fetch(`${address}/orders/1`)).status).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a teapot is bought on a telephone, with 3-D Secure', async () => {
    const context = await browser.newContext({ viewport: { width: 375, height: 812 }, locale: 'en-US' });
    const tab = await context.newPage();
    await tab.goto((await open(typescript))[0]);
    await tab.getByRole('button', { name: 'Buy' }).click();
    for (const [field, value] of Object.entries(typedCard('4000000000003220')))
      await tab.locator(`#${field}`).fill(value);
    await tab.getByRole('button', { name: 'Pay €20.00' }).click();
    await tab.getByRole('heading', { name: 'Is this payment yours?' }).waitFor();
    await tab.getByRole('button', { name: 'Approve' }).click();
    await tab.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(tab.url()).toMatch(/\/orders\/[\w-]+$/);
  });
});

test('each shop has less than 150 lines, and its manual says how it is started', () => {
  for (const { name, file } of [typescript, python]) {
    expect(textOf(name, file).split('\n').length).toBeLessThanOrEqual(150);
    const [, command] = /```sh\n(.*)\n```/.exec(textOf(name, 'README.md'))!;
    expect(textOf('README.md')).toContain(`\`${command}\``);
  }
});

test('the shop in TypeScript names the packages that the checkout has', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { '@tollgate/node': _, ...packages } = manifest.dependencies;
  expect(devDependencies).toMatchObject(packages);
});
