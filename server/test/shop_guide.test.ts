import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { pressPay, typedCard } from './pay_page.ts';
import { Child } from './processes/child.ts';
import { pythonIsMissing } from './python.ts';
import { unusedPort } from './unused_port.ts';

/** The programs that sell, as they stand in the README and in docs/sell-from-a-shop.md: each sells, and delivers once. */

const root = join(import.meta.dirname, '..', '..');

type Shop = {
  name: string;
  /** The document that has the program, as its only block of this language. */
  document: string;
  language: string;
  file: string;
  port: string;
  command: string;
  args: string[];
};

const guide = join('docs', 'sell-from-a-shop.md');

const withExpress: Shop = {
  ...{ name: 'with Express', document: guide, language: 'js', file: join('shop', 'shop.mjs'), port: '3000' },
  command: process.execPath,
  args: [`--import=${join(import.meta.dirname, 'sdk_source.fixture.ts')}`],
};
const inPython: Shop = {
  ...{
    name: 'in Python',
    document: guide,
    language: 'python',
    file: 'shop.py',
    port: '3001',
    command: 'python3',
    args: ['-B'],
  },
};
const ofReadme: Shop = { ...withExpress, name: 'of the README', document: 'README.md', file: join('shop', 'sell.mjs') };
const whyNoPython = pythonIsMissing('The shop in Python of docs/sell-from-a-shop.md');

let server: TestServer;
let account: TestAccount;
let agent: Agent;
let directory: string;
const children: Child[] = [];

beforeAll(async () => {
  server = await startServer({ purpose: 'dev', environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  agent = new Agent({ connect: { ca: server.ca } });
  directory = mkdtempSync(join(tmpdir(), 'tollgate-shop-'));
  const ca_file = join(directory, '.tollgate', 'tls', 'ca.pem');
  mkdirSync(join(directory, '.tollgate', 'tls'), { recursive: true });
  writeFileSync(ca_file, server.ca);
  const dev = { base_url: server.baseUrl, ca_file, test_secret_key: account.testKey };
  writeFileSync(join(directory, '.tollgate', 'dev.json'), JSON.stringify(dev));
  mkdirSync(join(directory, 'shop'));
  symlinkSync(join(root, 'node_modules'), join(directory, 'shop', 'node_modules'));
});

afterAll(async () => {
  for (const child of children) if (child.ending === undefined) await child.stop('SIGTERM');
  await agent.close();
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Starts a program as it is shown, at another port. */
async function start({ document, language, file, port, command, args }: Shop): Promise<Child> {
  const programs = [
    ...readFileSync(join(root, document), 'utf8').matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g')),
  ];
  expect(programs).toHaveLength(1);
  writeFileSync(join(directory, file), programs[0]![1]!.replaceAll(port, String(await unusedPort())));
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(directory, '.tollgate', 'tls', 'ca.pem') };
  const child = new Child(spawn(command, [...args, file], { cwd: directory, env }));
  children.push(child);
  return child;
}

/** The address of the page to pay on. */
async function buy(address: string): Promise<string> {
  expect(await (await fetch(address)).text()).toContain('Buy a teapot');
  const bought = await fetch(`${address}/buy`, { method: 'POST', redirect: 'manual' });
  expect(bought.status).toBe(303);
  return bought.headers.get('Location')!;
}

describe.each([withExpress, inPython])('the shop $name', (shop) => {
  const isSkipped = shop === inPython && whyNoPython !== undefined;

  test.skipIf(isSkipped)('delivers what was paid once, and believes no webhook that is not signed', async () => {
    const child = await start(shop);
    const [, address = ''] = await child.prints(/The shop is at (\S+)\n/);
    const [paid, unpaid] = [await buy(address), await buy(address)];
    const forged = JSON.stringify({ type: 'checkout_session.completed', data: { object: { id: 'cs_1' } } });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${address}/webhooks`, { method: 'POST', body: forged, headers })).status).toBe(400);
    const { location } = await pressPay(paid, typedCard('4242424242424242'), agent);
    expect(location).toBe(`${address}/thanks`);
    expect(await (await fetch(location!)).text()).toContain('We deliver as soon as');
    await child.prints(/checkout_session\.completed: deliver order [\w-]{36}\n/);

    const [, id] = /\/pay\/\d+-(cs_\w+)-/.exec(paid)!;
    const { json: session } = await account.test.get(`/v1/checkout_sessions/${id}`);
    const { data: events } = (await account.test.get(`/v1/events?object_id=${id}`)).json;
    const event = events.find(({ type }: { type: string }) => type === 'checkout_session.completed');
    const hooks = (await account.test.get('/v1/webhook_endpoints?limit=100')).json.data;
    const hook = hooks.find(({ url }: { url: string }) => url === `${address}/webhooks`);
    await account.test.post(`/v1/events/${event.id}/resend`, { webhook_endpoint: hook.id });
    const attempts = async () => {
      const { data } = (await account.test.get(`/v1/events/${event.id}/deliveries`)).json;
      const ours = data.find(({ webhook_endpoint }: { webhook_endpoint: string }) => webhook_endpoint === hook.id);
      return ours.attempts.map(({ status }: { status: number }) => status);
    };
    await expect.poll(attempts, { timeout: 60_000 }).toEqual([200, 200]);
    expect(child.stdout.match(/deliver order/g)).toHaveLength(1);
    expect(child.stdout).toContain(`deliver order ${session.reference}\n`);
    expect(unpaid).not.toBe(paid);
  });
});

test('the program of the README prints the address to pay at, and the event', async () => {
  const child = await start(ofReadme);
  const [, page] = await child.prints(/^Pay at (\S+)\n/);
  await pressPay(page!, typedCard('4242424242424242'), agent);
  expect(await child.ends()).toEqual({ code: 0, signal: null });
  expect(child.stdout).toContain('\ncheckout_session.completed 2000\n');
  expect(child.stderr).toBe('');
});
