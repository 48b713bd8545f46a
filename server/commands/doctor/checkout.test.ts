import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { samplePage } from '../../resources/selling/checkout_page/sample.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { checkCheckout, compare } from './checkout.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const sent = samplePage();
const page = { status: 200, policy: sent.headers!['Content-Security-Policy']!, body: sent.body };
const address = 'https://pay.test/pay/sample';
const messages = (changed: object) =>
  compare(address, { ...page, ...changed }).map(({ state, message }) => `${state}: ${message}`);

test('the page of a running server is what this version sends', async () => {
  const { port } = new URL(server.baseUrl);
  const found = await checkCheckout(readConfig('dev', { PORT: port }));
  expect(found).toEqual([
    {
      name: 'checkout',
      state: 'ok',
      message: `the page at https://localhost:${port}/pay/sample is unchanged: 2 scripts, and its policy`,
    },
  ]);
});

test('no session has this page, and it cannot be paid', async () => {
  const { status, text } = await server.anonymous.get('/pay/sample');
  expect([status, text]).toEqual([200, sent.body]);
  expect((await server.anonymous.post('/pay/sample', 'act=pay')).status).toBe(404);
});

test.each<[string, object, RegExp]>([
  [
    'a script that was added',
    { body: page.body.replace('</body>', '<script src="//evil.test/x"></script></body>') },
    /script that is not ours: <script src="\/\/evil/,
  ],
  ['a script that was changed', { body: page.body.replace('isLuhn', 'isLuhm') }, /script that is not ours/],
  ['a weaker policy', { policy: "script-src 'unsafe-inline'" }, /another Content-Security-Policy/],
  [
    'another form',
    { body: page.body.replace('<form id="pay"', '<form id="pay" data-x') },
    /differs from what this version sends/,
  ],
  ['another answer', { status: 502 }, /answers with 502/],
])('%s is found', (_, changed, expected) => {
  expect(messages(changed)).toEqual([expect.stringMatching(expected)]);
});

test('a server that does not answer is said', async () => {
  const [found] = await checkCheckout(readConfig('dev', { PORT: '1' }));
  expect(found).toMatchObject({ state: 'wrong', message: expect.stringContaining('cannot be fetched') });
});

test('own card fields are called by their name', async () => {
  const [found] = await checkCheckout(readConfig('dev', { PORT: '1', OWN_CARD_FIELDS: 'yes' }));
  expect(found?.message).toContain('PCI SAQ D');
});
