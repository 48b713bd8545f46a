import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tenantOf } from '../../../operations/tenants.ts';
import type { Answer, Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { Checkout } from '../checkout_sessions/checkout.fixture.ts';

let server: TestServer;
let shop: TestAccount;
let checkout: Checkout;

beforeAll(async () => {
  server = await startServer({ isAlone: true });
  shop = await server.account();
  checkout = new Checkout(server, shop);
});
afterAll(() => server.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const link = async (body: object): Promise<any> => (await shop.test.post('/v1/payment_links', body)).json;
const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const sessionsOf = async ({ id }: { id: string }): Promise<any[]> =>
  (await shop.test.get(`/v1/checkout_sessions?payment_link=${id}`)).json.data;

/** A browser that has opened a page. */
async function open(
  path: string,
): Promise<{ page: Answer; press: (fields: Record<string, string>) => Promise<Answer> }> {
  const page = await server.anonymous.get(path);
  const [cookie = ''] = String(page.headers['set-cookie'] ?? '').split(';');
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const browser: Client = server.anonymous.with({
    Cookie: cookie,
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  const press = (fields: Record<string, string>) =>
    browser.post(path.split('?')[0]!, new URLSearchParams({ form_token: token, ...fields }).toString());
  return { page, press };
}

/** Pays the session whose page an answer leads to, as the page does. */
function pay({ headers }: Answer, number?: string) {
  return checkout.pay({ url: String(headers.location) }, number, { details: { email: 'ada@example.com' } });
}

test('a visit shows what is sold and writes nothing; the press of the button makes the session', async () => {
  const made = await link({
    line_items: [{ name: 'Mug <b>', unit_amount: 1_200, currency: 'eur' }],
    adjustable_quantity: { min: 1, max: 3 },
  });
  const path = `${pathOf(made)}?email=ada%40example.com&reference=order-7`;
  const { page, press } = await open(path);
  expect(page.status).toBe(200);
  for (const text of ['Mug &lt;b&gt;', 'value="ada@example.com"', 'order-7', '€12.00'])
    expect(page.text).toContain(text);
  // The one script is that of the page, which its policy allows by its hash, and changes the sums with the quantity.
  expect(page.text.match(/<script/g)).toHaveLength(1);
  expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  for (const [quantity, sum] of [
    ['3', '€36.00'],
    ['4', '€12.00'],
    ['x', '€12.00'],
  ])
    expect((await server.anonymous.get(`${pathOf(made)}?quantity=${quantity}`)).text).toContain(`>${sum}<`);
  for (let visit = 0; visit < 3; visit++) await server.anonymous.get(path);
  expect(await sessionsOf(made)).toEqual([]);
  const pressed = await press({ quantity: '2', email: 'ada@example.com', reference: 'order-7' });
  expect([pressed.status, String(pressed.headers.location)]).toEqual([303, expect.stringMatching(/^\/pay\//)]);
  const [session, ...more] = await sessionsOf(made);
  expect([session, more]).toMatchObject([
    { amount_total: 2_400, reference: 'order-7', payment_link: made.id, status: 'open' },
    [],
  ]);
  expect(session.customer_details).toEqual({ email: 'ada@example.com' });
  expect(session.expires_at - session.created).toBe(86_400);
  expect((await pay(pressed))?.view.status).toBe('complete');
  expect((await shop.test.get(`/v1/payment_links/${made.id}`)).json.completed).toBe(1);
});

test('a donor chooses the amount, in the way that the currency is written', async () => {
  const made = await link({
    currency: 'eur',
    amount_choice: { min: 500, max: 10_000, suggested: [1_000] },
    description: 'Roof',
  });
  const { page, press } = await open(pathOf(made));
  expect(page.text).toMatch(/value="10\.00"/);
  for (const amount of ['4.99', '100.01', '1.000', 'ten', '', '-7'])
    expect([amount, (await press({ amount })).status]).toEqual([amount, 400]);
  expect((await press({ amount: '12,50' })).status).toBe(303);
  expect((await sessionsOf(made)).map(({ amount_total }) => amount_total)).toEqual([1_250]);
});

const wrong: [what: string, fields: Record<string, string>][] = [
  ['no quantity', {}],
  ['a quantity of none', { quantity: '0' }],
  ['more than allowed', { quantity: '4' }],
  ['a quantity that is none', { quantity: '1.5' }],
  ['an email that is none', { quantity: '1', email: 'ada' }],
  ['a long email', { quantity: '1', email: `${'x'.repeat(250)}@b.co` }],
  ['an email with what cannot be seen', { quantity: '1', email: 'a\0@b.co' }],
  ['a long quantity', { quantity: '0001' }],
];
test.each(wrong)('is said beside the field: %s', async (_, fields) => {
  const made = await link({
    line_items: [{ name: 'Mug', unit_amount: 1, currency: 'eur' }],
    adjustable_quantity: { min: 1, max: 3 },
  });
  const { press } = await open(pathOf(made));
  const answer = await press(fields);
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('aria-invalid="true"')]);
  expect(await sessionsOf(made)).toEqual([]);
});

test.each(['x'.repeat(201), 'A\0B'])('a reference that cannot be one is refused: %j', async (reference) => {
  const made = await link({ amount: 500, currency: 'eur' });
  const { press } = await open(pathOf(made));
  const answer = await press({ reference });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('role="alert"')]);
  expect(await sessionsOf(made)).toEqual([]);
});

test('what an address fills in is text, and too long a text is left out', async () => {
  const path = pathOf(await link({ amount: 500, currency: 'eur' }));
  const script = encodeURIComponent('"><script>alert(1)</script>');
  const { page } = await open(`${path}?email=${script}&reference=${script}`);
  expect(page.text).not.toContain('<script>');
  const long = await open(`${path}?reference=${'x'.repeat(201)}&email=${'y'.repeat(255)}`);
  expect(long.page.text).not.toMatch(/xxxx|yyyy/);
});

test('another site, and a browser that was shown no page, press in vain', async () => {
  const made = await link({ amount: 500, currency: 'eur' });
  const path = pathOf(made);
  const form = server.anonymous.with({ 'Content-Type': 'application/x-www-form-urlencoded' });
  expect((await form.post(path, 'email=')).status).toBe(403);
  expect((await server.anonymous.get('/l/1-plink_1-aaaaaaaaaaaaaaaaaaaaaa')).status).toBe(404);
  expect(await sessionsOf(made)).toEqual([]);
});

test('an inactive link says its message, and sells nothing to a page that was open', async () => {
  const made = await link({ amount: 500, currency: 'eur', inactive_message: 'Back in <May>.' });
  const { press } = await open(pathOf(made));
  await shop.test.post(`/v1/payment_links/${made.id}`, { active: false });
  expect((await press({})).text).toContain('Back in &lt;May&gt;.');
  expect((await open(pathOf(made))).page.text).toContain('Back in &lt;May&gt;.');
  expect(await sessionsOf(made)).toEqual([]);
});

test('a limited link sells no more than its limit: a decline gives the place back, and who comes too late finds it expired', async () => {
  const made = await link({ amount: 500, currency: 'eur', limit: 1 });
  const { press } = await open(pathOf(made));
  const [one, two, three] = [await press({}), await press({}), await press({})];
  const [session] = await sessionsOf(made);
  expect(session.expires_at - session.created).toBe(1_800);
  expect((await pay(one!, '4000000000000002'))?.view.try).toMatchObject({ state: 'declined' });
  expect((await pay(two!))?.view.status).toBe('complete');
  expect((await pay(three!))?.view.status).toBe('expired');
  expect((await open(pathOf(made))).page.text).toContain('This page is not available.');
  const statuses = (await sessionsOf(made)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['complete', 'expired', 'open']);
  const tenant = await tenantOf(server.sql, shop.id, 'test');
  const { rows } = await server.sql.query('select from payment_link_places where tenant = $1', [tenant]);
  expect(rows).toEqual([]);
});

test.each([
  ['a setup', { mode: 'setup', description: 'A card for deliveries' }, 'no_payment_required', 'A card for deliveries'],
  ['a setup without a word', { mode: 'setup', currency: 'eur' }, 'no_payment_required', 'Save card'],
  ['a payment', { amount: 2_000, currency: 'eur', save_payment_method: 'require' }, 'paid', '€20.00'],
])('%s by a link keeps the card for a customer who is made with it', async (_, body, payment_status, shown) => {
  const made = await link({ ...body, limit: 1 });
  const { page, press } = await open(pathOf(made));
  expect(page.text).toContain(shown);
  expect(page.text.includes('€')).toBe(payment_status === 'paid');
  await pay(await press({ email: 'ada@example.com' }));
  const [session] = await sessionsOf(made);
  expect(session).toMatchObject({ status: 'complete', payment_status, customer: expect.any(String) });
  const { customer, payment_method } = session;
  expect((await shop.test.get(`/v1/payment_methods/${payment_method}`)).json).toMatchObject({ customer });
  expect((await shop.test.get(`/v1/payment_links/${made.id}`)).json.completed).toBe(1);
  expect((await server.anonymous.get(pathOf(made))).text).toContain('not available');
});

test('a place of a limited link is given back when the card to keep is declined', async () => {
  const made = await link({ mode: 'setup', limit: 1 });
  const begun = await (await open(pathOf(made))).press({ email: 'ada@example.com' });
  const other = await (await open(pathOf(made))).press({ email: 'eve@example.com' });
  await pay(begun, '4000000000000002');
  await pay(other);
  expect((await sessionsOf(made)).map(({ status }) => status).sort()).toEqual(['complete', 'open']);
});

test('a subscription that begins with a trial says until when it is free, and starts without a payment', async () => {
  const body = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
  const { json: price } = await shop.test.post('/v1/prices', body);
  const sold = { mode: 'subscription', line_items: [{ price: price.id }], locale: 'en' };
  const made = await link({ ...sold, subscription_data: { trial_days: 14 } });
  expect(made).toMatchObject({ subscription_data: { trial_days: 14 } });
  const { page, press } = await open(pathOf(made));
  expect(page.text).toMatch(/€0\.00[\s\S]*Free until <bdi>[A-Z][a-z]+ \d+, \d{4}<[\s\S]*€9\.00<\/bdi> \/ month/);
  await pay(await press({}));
  const [{ subscription, payment_status }] = await sessionsOf(made);
  expect(payment_status).toBe('no_payment_required');
  expect((await shop.test.get(`/v1/subscriptions/${subscription}`)).json).toMatchObject({ status: 'trialing' });
});

test('a customer agrees only to terms that the branding has a link to', async () => {
  const setTerms = (terms_url: string | null) =>
    server.operator.run('branding.update', { account: shop.id, parameters: { terms_url } });
  const tea = { amount: 500, currency: 'eur' };
  const asking = { ...tea, collect: { terms: true } };
  const other = await link(tea);
  for (const path of ['checkout_sessions', 'payment_links', `payment_links/${other.id}`])
    expectRefusal(await shop.test.post(`/v1/${path}`, asking), 'parameter_invalid', 'collect.terms');
  expect(await link({ ...tea, collect: { terms: false } })).toMatchObject({ collect: { terms: false } });
  await setTerms('https://shop.example/terms');
  const made = await link(asking);
  const pressed = await (await open(pathOf(made))).press({});
  const path = String(pressed.headers.location);
  const checkbox = /<input[^>]*name="terms"/;
  await vi.waitFor(async () => expect((await open(path)).page.text).toMatch(checkbox));
  expect((await pay(pressed))?.problems).toEqual([{ field: 'terms', key: 'required' }]);
  // The link is removed: there is nothing to agree to, and what sells goes on selling.
  await setTerms(null);
  await vi.waitFor(async () => expect((await open(path)).page.text).not.toMatch(checkbox));
  expect((await pay(pressed))?.view.status).toBe('complete');
  const changed = await shop.test.post(`/v1/payment_links/${made.id}`, { description: 'Tea', active: false });
  expect(changed.json).toMatchObject({ active: false, collect: { terms: true } });
});
