import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { type Keeper, openKeeper } from '../payment_methods/keeper.fixture.ts';
import { addAccount } from '../payments/pier.fixture.ts';
import { returnPages } from './token.ts';

const clock = virtualClock(Date.now());
const keeper: Keeper = openKeeper();
const publicUrl = 'https://pay.test';
let server: TestServer;
let account: TestAccount;
let processor_account: string;

beforeAll(async () => {
  const connectors = [...registrations, keeper.registration];
  server = await startServer({
    clock,
    connectors,
    processorDeadlineMs: 300,
    isAlone: true,
    environment: { PUBLIC_URL: publicUrl },
  });
  account = await server.account();
  const { rows } = await server.sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [
    account.id,
  ]);
  processor_account = await addAccount(server.gateway, rows[0].tenant, true, 'keeper');
});
afterAll(() => server.stop());

beforeEach(() => {
  keeper.reset();
  keeper.cards.set('tok', { brand: 'visa', last4: '4242', expMonth: 1, expYear: 2040, customer: 'theirs' });
  keeper.outcome = keeper.found = { kind: 'requires_action', url: 'https://bank.test/1' };
  clock.advance(60_000); // pages are counted by address, a hundred a minute
});

const shop = { return_url: 'https://shop.test/done?order=7' };

/** A payment, and the path that its cardholder comes back to. */
async function paid(more: object = {}): Promise<{ id: string; path: string; token: string }> {
  const body = { type: 'card', processor_token: { processor_account, token: 'tok' } };
  const payment_method = (await account.test.post('/v1/payment_methods', body)).json.id;
  const { json } = await account.test.post('/v1/payments', { amount: 700, currency: 'eur', payment_method, ...more });
  const asked = keeper.asked.findLast((one) => one.verb === 'authorize')!;
  const { origin, pathname } = new URL(asked.request.returnUrl);
  expect(origin).toBe(publicUrl);
  return { id: json.id ?? json.error.payment, path: pathname, token: pathname.split('/').at(-1)! };
}

const open = (path: string) => server.anonymous.get(path);
const read = async (id: string) => (await account.test.get(`/v1/payments/${id}`)).json;
/** How often the processor was asked about this payment. Jobs ask about those of earlier tests. */
const finds = () => {
  const attempt = keeper.asked.find((one) => one.verb === 'authorize')!.request.attempt;
  return keeper.inquiries.filter((id) => id === attempt).length;
};

describe('a cardholder who comes back', () => {
  test.each<[string, InquiryOutcome, object]>([
    ['approved', { kind: 'approved' }, { status: 'succeeded', amount_received: 700 }],
    ['declined', { kind: 'declined', code: 'card_declined' }, { status: 'failed' }],
    ['not decided', { kind: 'requires_action', url: 'https://bank.test/1' }, { status: 'requires_action' }],
    ['not known', { kind: 'not_found' }, { status: 'requires_action' }],
  ])('goes on to the shop, once the processor was asked: %s', async (_, found, after) => {
    const { id, path } = await paid(shop);
    keeper.found = found;
    const { status, headers, text } = await open(path);
    expect([status, headers.location, text]).toEqual([303, `https://shop.test/done?order=7&payment=${id}`, '']);
    expect(headers).toMatchObject({
      ...{ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
    });
    expect(await read(id)).toMatchObject(after);
    expect(finds()).toBe(1);
  });

  test('is not believed: the query is neither forwarded nor logged', async () => {
    const { id, path } = await paid(shop);
    const { headers } = await open(`${path}?redirect_status=succeeded&payment_intent=pi_canary`);
    expect(headers.location).toBe(`https://shop.test/done?order=7&payment=${id}`);
    expect((await read(id)).status).toBe('requires_action');
    const row = async () =>
      (await server.sql.query('select r::text as row from anonymous_requests r where id = $1', [headers['request-id']]))
        .rows[0]?.row;
    await eventually(async () => expect(await row()).toContain('/return/:token'));
    const written = [...server.logged, await row()];
    for (const secret of ['pi_canary', path.split('/').at(-1)!])
      expect(written.filter((line) => line.includes(secret))).toEqual([]);
  });

  test('has the processor asked once in two seconds, however often the page is opened', async () => {
    const { path } = await paid(shop);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    clock.advance(1_999);
    await open(path);
    expect(finds()).toBe(1);
    clock.advance(1);
    await open(path);
    expect(finds()).toBe(2);
  });

  test('goes on when the processor does not answer', async () => {
    const { id, path } = await paid(shop);
    keeper.before = () => new Promise(() => {});
    expect((await open(path)).status).toBe(303);
    expect((await read(id)).status).toBe('requires_action');
  });

  test('has the processor asked about a payment that is pending there', async () => {
    keeper.outcome = { kind: 'pending' };
    const { id, path } = await paid(shop);
    keeper.found = { kind: 'approved' };
    await open(path);
    expect((await read(id)).status).toBe('succeeded');
  });

  test.each([
    [
      'an outcome that is unknown, which a job asks for when "not found" can be believed',
      { kind: 'unknown', reason: '' },
    ],
    ['a payment that is over', { kind: 'approved' }],
  ] as const)('has the processor asked about nothing else: %s', async (_, outcome) => {
    keeper.outcome = outcome;
    const { path } = await paid(shop);
    expect((await open(path)).status).toBe(303);
    expect(finds()).toBe(0);
  });
});

describe('without a return URL', () => {
  test.each<[string, InquiryOutcome, object, string]>([
    ['succeeded', { kind: 'approved' }, {}, 'Your payment was approved'],
    ['requires_capture', { kind: 'approved' }, { capture_method: 'manual' }, 'Your payment was approved'],
    ['failed', { kind: 'declined', code: 'card_declined' }, {}, 'Your payment failed'],
    ['requires_action', { kind: 'pending' }, {}, 'Your payment is not finished yet'],
  ])('a page says how it went: %s', async (status, found, more, title) => {
    const { id, path } = await paid(more);
    keeper.found = found;
    const { status: answered, headers, text } = await open(path);
    expect([answered, headers.location]).toEqual([200, undefined]);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(`<title>${title}</title>`);
    expect((await read(id)).status).toBe(status);
    expect(headers).toMatchObject({
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
      ...{ 'referrer-policy': 'no-referrer' },
    });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(text).not.toMatch(/<script|<form|https?:/);
  });

  test('HEAD has no body', async () => {
    const { path } = await paid();
    const { status, text } = await server.anonymous.request('HEAD', path);
    expect([status, text]).toEqual([200, '']);
  });
});

describe('a token', () => {
  test('that we have not made leads nowhere, and nobody is asked', async () => {
    const { token, id } = await paid(shop);
    const { token: other } = await paid(shop);
    const [tenant, payment, mac] = [token.split('-')[0]!, id, token.slice(token.indexOf(id) + id.length + 1)];
    const otherMac = other.slice(-22);
    const forged = [
      `${tenant}-${payment}-${otherMac}`,
      `${Number(tenant) + 1}-${payment}-${mac}`,
      `0${tenant}-${payment}-${mac}`,
      `${tenant}-${payment}-${mac.slice(1)}`,
      `${tenant}-${payment}-`,
      `${tenant}-${payment}`,
      payment,
      `99999999999-${payment}-${mac}`,
      `${token}x`,
      '%00',
      'x'.repeat(500),
    ];
    for (const each of forged) {
      const { status, headers, text } = await open(`/return/${each}`);
      expect([each, status, headers.location]).toEqual([each, 404, undefined]);
      expect(text).toContain('There is no such page');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
    expect(finds()).toBe(0);
    expect((await open(`/return/${token}`)).status).toBe(303);
  });

  test('is the same each time, and another for each tenant and payment', async () => {
    const { keyring } = server.gateway;
    const [one, two] = ['py_0000000000000000000001', 'py_0000000000000000000002'] as const;
    const tokenOf = (tenant: number, payment: typeof one | typeof two) =>
      returnPages.tokenOf(keyring, tenant as Tenant, payment);
    const macs = [tokenOf(1, one), tokenOf(2, one), tokenOf(1, two)].map((token) => token.slice(-22));
    expect(new Set(macs).size).toBe(3);
    expect(tokenOf(1, one)).toBe(tokenOf(1, one));
    expect(returnPages.read(keyring, tokenOf(2, one))).toEqual({ tenant: 2, id: one });
  });
});
