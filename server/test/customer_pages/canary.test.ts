import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Connection, connect } from '../../base/sql.ts';
import { type FakeStripe, startFakeStripe } from '../../fakes/stripe/index.ts';
import { openBrowser } from '../browser.ts';
import { digits, type Form, formsFound, formsOf, joined, luhn, searchTables } from '../canary_search.ts';
import { eventually } from '../eventually.ts';
import { createDatabase } from '../harness.ts';
import { patienceMs, until } from '../processes/child.ts';
import { Children, type Running } from '../processes/children.ts';
import { isTorture } from '../torture.ts';
import { canReadMemory, memoryOf } from './memory.ts';

/**
 * A card number that is typed into the fields of a processor never reaches the gateway: neither its log, nor its database, nor the memory of
 * its process. One that is typed into our own fields is in the vault alone.
 */

const typedAtStripe = luhn(`4539${digits(11)}`);
const typedOnItsPage = luhn(`4556${digits(11)}`);
const typedHere = luhn(`4716${digits(11)}`);
const wrongHere = withWrongCheckDigit(luhn(`4485${digits(11)}`));
/** Typed by the customer too, and meant to arrive. */
const email = `planted.${digits(12)}@example.com`;
/** Put into the heap before the server starts. */
const planted = luhn(`4929${digits(11)}`);

const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let server: Running;
let stripe: FakeStripe;
let browser: Browser;
let snapshots: string;
/** The keys of an account that pays at Stripe, and of one that has our own fields. */
let keys: { stripe: string; own: string };
/** Everything that a browser got from the gateway. */
const answers: string[] = [];

function withWrongCheckDigit(number: string): string {
  return `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
}

const plant = () => `--import=data:text/javascript,globalThis.planted=String(${planted})+''`;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect({ connectionString: database.url }, 'test');
  const certificates = inject('certificateDir');
  const file = (name: string) => readFileSync(join(certificates, name), 'utf8');
  stripe = await startFakeStripe({ port: 0, tls: { cert: file('server.pem'), key: file('server-key.pem') } });
  const environment = children.serveEnvironment({
    DATABASE_URL: database.url,
    PROCESSOR_ALLOWED_HOSTS: new URL(stripe.url).host,
    NODE_EXTRA_CA_CERTS: join(certificates, 'ca.pem'),
  });
  snapshots = children.directory('snapshots');
  const flags = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${snapshots}`, plant()];
  server = await children.serve(environment, ['--max-semi-space-size=16', ...flags]);
  const [first, second] = [await children.account(environment), await children.account(environment)];
  keys = { stripe: first.test_secret_key, own: second.test_secret_key };
  const settings = { api_base: stripe.url, publishable_key: stripe.publishableKey };
  const credentials = { secret_key: stripe.secretKey };
  const made = await server
    .client(keys.stripe)
    .post('/v1/processor_accounts', { connector: 'stripe', name: 'Stripe', settings, credentials });
  expect(made.status).toBe(200);
  browser = await openBrowser();
}, patienceMs);
afterAll(async () => {
  await browser?.close();
  await children.cleanUp();
  await sql?.end();
  await stripe?.close();
  await database?.drop();
});

async function openTab(key: string): Promise<Tab> {
  const { json } = await server.client(key).post('/v1/checkout_sessions', { amount: 4_890, currency: 'eur' });
  const tab = await (await browser.newContext({ locale: 'en-US' })).newPage();
  tab.on('response', async (response) => {
    if (!response.url().startsWith(server.baseUrl)) return;
    const body = await response.text().catch(() => ''); // a redirect has none
    answers.push(`${response.url()}\n${JSON.stringify(await response.allHeaders().catch(() => ({})))}\n${body}`);
  });
  await tab.goto(`${server.baseUrl}${new URL(json.url).pathname}`);
  await tab.getByLabel('Email').fill(email);
  return tab;
}

const press = (tab: Tab) => tab.getByRole('button', { name: 'Pay €48.90' }).click();

async function paid(tab: Tab): Promise<void> {
  await tab.getByRole('heading', { name: 'Payment confirmed' }).waitFor();
  await tab.context().close();
}

const forms = (...numbers: string[]) => numbers.flatMap((number) => formsOf(number, number));

/** The request log is written asynchronously, in order: when this last request is in it, all earlier ones are. */
async function searchStored(sought: readonly Form[]): Promise<Record<string, string[]>> {
  const { headers } = await server.client(keys.own).get('/v1/events?limit=1');
  const last = () => sql.query('select from requests where id = $1', [headers['request-id']]);
  await eventually(async () => expect((await last()).rowCount).toBe(1));
  const { stdout, stderr } = server.child;
  return {
    ...(await searchTables(sql, (bytes) => formsFound(bytes, sought))),
    ...emptyOr('the log', formsFound(Buffer.from(`${stdout}${stderr}`), sought)),
    ...emptyOr('answers', formsFound(joined(answers), sought)),
  };
}

/** Hundreds of megabytes are searched. In every run they are for the forms in which a program has what was typed, under torture for all. */
const usual = (all: Form[]) =>
  isTorture ? all : all.filter(({ name }) => / (raw|UTF-16|in fours with " ")$/.test(name));

const emptyOr = (name: string, found: string[]) => (found.length === 0 ? {} : { [name]: found });

function searchMemory(sought: readonly Form[]): string[] {
  const found = new Set<string>();
  for (const piece of memoryOf(server.child.pid)) for (const name of formsFound(piece, sought)) found.add(name);
  return [...found];
}

/** What is referred to on the heap of the server: it writes the snapshot itself, and answers nothing meanwhile. */
async function searchSnapshot(sought: readonly Form[]): Promise<string[]> {
  server.child.signal('SIGUSR2');
  const name = await until('a heap snapshot', patienceMs, () => readdirSync(snapshots)[0]);
  await server.client().get('/healthz');
  const bytes = readFileSync(join(snapshots, name));
  expect(bytes.subarray(-3).toString().trim()).toMatch(/[\]}]$/);
  return formsFound(bytes, sought);
}

describe('a number that is typed at Stripe', () => {
  test('pays, in its fields and on its page', async () => {
    const tab = await openTab(keys.stripe);
    const card = tab.frameLocator('#fields iframe');
    await card.getByLabel('Card number').fill(typedAtStripe);
    await card.getByLabel('Expiration date').fill('12/40');
    await press(tab); // it is said that the code is missing
    await tab.getByRole('alert').filter({ hasText: 'incomplete' }).waitFor();
    await card.getByLabel('Security code').fill('123');
    await press(tab);
    await paid(tab);

    const other = await openTab(keys.stripe);
    await other.evaluate(`document.querySelector('#fields').remove(); document.querySelector('#pay').submit()`);
    await other.getByRole('heading', { name: 'Fake checkout' }).waitFor();
    await other.getByLabel('Card number').fill(typedOnItsPage);
    await other.getByLabel('Expiry').fill('12/40');
    await other.getByLabel('Security code').fill('123');
    await other.getByRole('button', { name: 'Pay' }).click();
    await paid(other);
    const charged = stripe.world.all<{ id: string; object: string; status: string }>('payment_intent');
    expect(charged.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  test('is neither in the log, nor in the database, nor in an answer', async () => {
    expect(await searchStored(forms(typedAtStripe, typedOnItsPage))).toEqual({});
  });

  test('which a search says that finds what was typed beside it', async () => {
    const [raw] = formsOf('the address', email);
    const found = await searchStored([raw!]);
    expect(Object.keys(found)).toContain('public.checkout_sessions');
    expect(found['the log']).toBeUndefined();
  });

  test('is not in the heap of the process', async () => {
    const sought = usual(forms(typedAtStripe, typedOnItsPage, planted));
    expect(await searchSnapshot(sought)).toEqual([`${planted} raw`]);
  });

  test.runIf(canReadMemory)('is nowhere in its memory, used or let go', () => {
    const found = searchMemory(
      usual([...forms(typedAtStripe, typedOnItsPage, planted), ...formsOf('the address', email)]),
    );
    expect(found).toContain(`${planted} raw`);
    expect(found).toContain('the address raw');
    expect(found.filter((name) => !name.startsWith(planted) && !name.startsWith('the address'))).toEqual([]);
  });
});

describe('a number that is typed into our own fields', () => {
  test('is in the vault alone, and pays', async () => {
    const sealed = async () => (await sql.query('select count(*)::int4 as cards from vault_cards')).rows[0].cards;
    const before = await sealed();
    const tab = await openTab(keys.own);
    const fill = async (number: string) => {
      for (const [field, value] of Object.entries({ number, expiry: '12/40', cvc: '123' }))
        await tab.locator(`#${field}`).fill(value);
    };
    // Without the check in the browser, a wrong number is refused by the gateway.
    await fill(wrongHere);
    await tab.evaluate(`document.querySelector('#pay').submit()`);
    await tab.getByRole('alert').filter({ hasText: 'Card number' }).waitFor();
    await fill(typedHere);
    await press(tab);
    await paid(tab);
    expect(await sealed()).toBe(before + 1);
    expect(await searchStored(forms(typedHere, wrongHere))).toEqual({});
    expect(answers.some((text) => text.includes('Payment confirmed') && text.includes(typedHere.slice(-4)))).toBe(true);
  });
});
