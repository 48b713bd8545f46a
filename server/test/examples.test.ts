import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Agent, fetch as fetchWith } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { Child, until } from './processes/child.ts';
import { unusedPort } from './processes/children.ts';
import { pythonIsMissing } from './python.ts';

/** The shops in examples/, started as their manuals say and used as a buyer would, against a whole gateway. */

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

/** Starts a shop; returns its address. */
async function open({ folder, command, environment }: Example): Promise<string> {
  const env = {
    ...{ ...process.env, ...environment, PORT: String(await unusedPort()) },
    ...{ TOLLGATE_DEV: join(directory, 'dev.json'), NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
  };
  const shop = new Child(spawn('sh', ['-c', command], { cwd: folder, env }));
  shops.push(shop);
  const [, address] = await shop.prints(/The shop is at (\S+)/);
  return address!;
}

/** A buyer with one order. */
class Buyer {
  readonly order: string;

  constructor(order: string) {
    this.order = order;
  }

  static async orders(address: string): Promise<Buyer> {
    const product = await fetch(address);
    expect(await product.text()).toContain('Teapot');
    return new Buyer(await locationOf(`${address}/orders`, {}));
  }

  /** Where the browser is sent. */
  pays(card: string): Promise<string> {
    return locationOf(`${this.order}/pay`, { card });
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
}

async function locationOf(url: string, form: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  expect(response.status, await response.text()).toBe(303);
  return new URL(response.headers.get('Location')!, url).href;
}

/** Decides as the cardholder, on the page of the gateway; returns where the cardholder comes back to. */
async function decide(challenge: string, decision: 'approve' | 'refuse'): Promise<string> {
  const form = { method: 'POST', body: new URLSearchParams({ decision }) };
  const decided = await fetchWith(challenge, { ...form, redirect: 'manual', dispatcher: agent });
  const back = await fetchWith(decided.headers.get('Location')!, { redirect: 'manual', dispatcher: agent });
  return back.headers.get('Location')!;
}

const orderIn = (buyer: Buyer) => buyer.order.split('/').at(-1)!;

async function paymentsOf(buyer: Buyer): Promise<{ id: string; status: string; amount_refunded?: number }[]> {
  const { json } = await account.test.get('/v1/payments?limit=100');
  return json.data.filter(({ metadata }: { metadata?: { order?: string } }) => metadata?.order === orderIn(buyer));
}

describe.each([typescript, python])('$name', (example) => {
  const isSkipped = example === python && whyNoPython !== undefined;
  let address: string;
  beforeAll(async () => {
    if (!isSkipped) address = await open(example);
  });

  test.skipIf(isSkipped)('is paid by a webhook, and refunded', async () => {
    const buyer = await Buyer.orders(address);
    expect(await buyer.pays('approved')).toBe(buyer.order);
    await buyer.sees('Paid');
    await locationOf(`${buyer.order}/refund`, {});
    await buyer.sees('Refunded');
    const [payment, ...more] = await paymentsOf(buyer);
    expect([payment, more]).toMatchObject([{ status: 'succeeded', amount_refunded: 2000 }, []]);
  });

  test.skipIf(isSkipped)('believes no webhook that is not signed', async () => {
    const buyer = await Buyer.orders(address);
    const event = {
      ...{ id: 'evt_1', object: 'event', type: 'payment.succeeded' },
      data: { object: { id: 'py_1', object: 'payment', metadata: { order: orderIn(buyer) } } },
    };
    const forged = await fetch(`${address}/webhooks`, { method: 'POST', body: JSON.stringify(event) });
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('webhook-signature')]);
    expect(await buyer.page()).toContain('<h1>Your order</h1>');
  });

  test.skipIf(isSkipped)('says why a card was declined, and takes another one', async () => {
    const buyer = await Buyer.orders(address);
    expect(await buyer.pays('insufficient funds')).toBe(buyer.order);
    expect(await buyer.page()).toMatch(/<h1>Your order<\/h1>[\s\S]*insufficient funds\./);
    await buyer.pays('approved');
    await buyer.sees('Paid');
    expect((await paymentsOf(buyer)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  test.skipIf(isSkipped)('sends the cardholder to the bank and back, and waits for the webhook', async () => {
    const buyer = await Buyer.orders(address);
    const challenge = await buyer.pays('requires 3-D Secure');
    expect(challenge).toMatch(/\/simulator\/challenge\//);
    // Coming back proves nothing.
    expect(await buyer.page()).toContain(challenge);
    const refused = await decide(challenge, 'refuse');
    expect(new URL(refused).pathname).toBe(new URL(buyer.order).pathname);
    await buyer.sees('Your order');
    const back = await decide(await buyer.pays('requires 3-D Secure'), 'approve');
    expect(back).toMatch(new RegExp(`^${buyer.order}\\?payment=py_`));
    await buyer.sees('Paid');
  });

  test.skipIf(isSkipped)(
    'takes another card while the outcome of one is open, and refunds what is paid twice',
    async () => {
      const buyer = await Buyer.orders(address);
      const challenge = await buyer.pays('requires 3-D Secure');
      await buyer.pays('approved');
      await buyer.sees('Paid');
      await decide(challenge, 'approve');
      const refundsOf = async () => (await paymentsOf(buyer)).map(({ amount_refunded }) => amount_refunded);
      // The newest is first: it has paid the order.
      await expect.poll(refundsOf).toEqual([undefined, 2000]);
      await buyer.sees('Paid');
    },
  );

  test.skipIf(isSkipped)('charges once for two clicks', async () => {
    const buyer = await Buyer.orders(address);
    await Promise.all([buyer.pays('approved'), buyer.pays('approved')]);
    await buyer.sees('Paid');
    await buyer.pays('approved');
    expect(await paymentsOf(buyer)).toHaveLength(1);
    expect((await fetch(`${address}/orders/1`)).status).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test('a teapot is bought with 3-D Secure', async () => {
    const tab = await browser.newPage();
    await tab.goto(await open(typescript));
    await tab.getByRole('button', { name: 'Buy' }).click();
    await tab.getByLabel('Test card').selectOption('requires 3-D Secure');
    await tab.getByRole('button', { name: 'Pay €20.00' }).click();
    await tab.getByRole('heading', { name: 'Is this payment yours?' }).waitFor();
    await tab.getByRole('button', { name: 'Approve' }).click();
    await tab.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(tab.url()).toMatch(/\/orders\/[\w-]+\?payment=py_/);
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
