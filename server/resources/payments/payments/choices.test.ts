import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Secret } from '../../../base/secret.ts';
import { connect } from '../../../base/sql.ts';
import type { InquiryOutcome, ProcessorAccountId, ProcessorOutcome, Reply } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { collect } from '../../../operations/resource.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { resources } from '../../index.ts';
import { kioskSql, kiosks } from './kiosk.fixture.ts';
import { paymentJobs } from './payment_jobs.ts';
import { addAccount, openPier, type Pier } from './pier.fixture.ts';

/** Payments by what the cardholder chooses on a page, or in the fields, of the processor: the method is named by an answer. */

const hour = 3_600_000;
const clock = virtualClock(Date.now());
const url = 'https://pier.test/pay/1';
const card = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040 };
const method = { type: 'card', ...card };
const kept = { token: new Secret('pm_at_pier'), customer: 'cus_at_pier', card };
const fields = { script: 'https://js.pier.test/v1.js', hosts: [], publicConfig: {} };
let [server, account, pier, pa, tenant, drop] = [] as unknown as [
  TestServer,
  TestAccount,
  Pier,
  ProcessorAccountId,
  Tenant,
  () => Promise<void>,
];

beforeAll(async () => {
  const database = await createDatabase();
  drop = database.drop;
  const sql = await connect(database.address, 'test');
  await sql.query(kioskSql);
  await sql.end();
  pier = openPier();
  const connectors = [...registrations, pier.registration];
  server = await startServer({ clock, connectors, databaseUrl: database.url, resources: [...resources, kiosks] });
});
afterAll(async () => {
  await server.stop();
  await drop();
});
beforeEach(async () => {
  pier.forget();
  account = await server.account();
  tenant = (await rows(`select tenant from tenants where account = $1 and mode = 'test'`, [account.id]))[0].tenant;
  clock.advance(5);
  pa = await addAccount(server.gateway, tenant);
  pier.able.set(pa, { page: { minMinutes: 30, maxMinutes: 1_440 }, fields });
  answers(asks());
});

// biome-ignore lint/suspicious/noExplicitAny: rows of every table
const rows = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await server.sql.query(text, values)).rows;
const asks = (minutes = 60): ProcessorOutcome => ({
  kind: 'requires_action',
  url,
  expiresAt: clock.now() + minutes * 60_000,
});
const answers = (outcome: Reply['outcome']) => void pier.answers.set(pa, outcome);
const finds = (outcome: InquiryOutcome) => void pier.finds.set(pa, outcome);
const sell = async (more: object = {}) => (await account.test.post('/v1/kiosks', more)).json;
const read = async (id: string) => (await account.test.get(`/v1/payments/${id}`)).json;
const methodOf = async (id: string) => (await account.test.get(`/v1/payment_methods/${id}`)).json;
const kioskOf = async (payment: string) => (await rows('select status from kiosks where payment = $1', [payment]))[0];
const eventsOf = async (id: string) =>
  (await rows('select type from events where object_id = $1 order by object_version', [id])).map(({ type }) => type);
const charge = (payment_method: string) =>
  account.test.post('/v1/payments', { amount: 500, currency: 'eur', payment_method, off_session: true });
const attemptOf = async (payment: string) =>
  (await rows(`select * from attempts where payment = $1 and verb = 'authorize'`, [payment]))[0];
async function changed(payment: string): Promise<void> {
  const { id: attempt } = await attemptOf(payment);
  await pier.report({ id: `${attempt} ${clock.now()}`, tenant, account: pa, kind: 'attempt_changed', attempt });
}
const close = (payment: string) =>
  paymentJobs(server.gateway.services, collect([...resources, kiosks])).close(
    tenant,
    payment as `py_${string}`,
    'abandoned',
  );

describe('a page', () => {
  test('is asked for without a method; the payment waits as long as the page lives', async () => {
    answers(asks(300));
    const payment = await sell({ minutes: 300 });
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { redirect_to_url: { url } } });
    expect(payment).not.toHaveProperty('payment_method');
    expect(payment.checkout_session).toMatch(/^cs_/);
    const [{ request }] = pier.asked as [Pier['asked'][0]];
    expect(request).toMatchObject({ initiator: 'cardholder', storedCredential: 'none', capture: true });
    expect(request.instrument).toMatchObject({ kind: 'page', locale: 'en', save: false });
    clock.advance(4.9 * hour);
    await server.settled();
    expect((await read(payment.id)).status).toBe('requires_action');
    clock.advance(0.2 * hour);
    finds({ kind: 'requires_action', url, expiresAt: clock.now() - 1 });
    await server.settled();
    expect(await read(payment.id)).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    expect(await kioskOf(payment.id)).toEqual({ status: 'canceled' });
    expect((await attemptOf(payment.id)).page).toBeNull();
  });

  test('lives as long as its processor allows', async () => {
    for (const minutes of [1, 5_000]) await sell({ minutes });
    const lives = pier.asked.map(({ request: { instrument, now } }) =>
      instrument.kind === 'page' ? (instrument.expiresAt - now) / 60_000 : 0,
    );
    expect(lives).toEqual([30, 1_440]);
  });

  test('names a method that is not kept: it is shown, and can never be charged', async () => {
    const { id } = await sell();
    finds({ kind: 'approved', method });
    await changed(id);
    const payment = await read(id);
    expect(payment).toMatchObject({ status: 'succeeded', amount_received: 1_000 });
    expect(payment).not.toHaveProperty('customer');
    expect(await methodOf(payment.payment_method)).toMatchObject({
      card: { brand: 'visa', last4: '4242', exp_year: 2040 },
    });
    const refused = await charge(payment.payment_method);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'payment_method_not_usable']);
    expect(await eventsOf(id)).toEqual(['payment.requires_action', 'payment.succeeded']);
    expect(await kioskOf(id)).toEqual({ status: 'succeeded' });
    expect(await rows('select last4, brand from payments where id = $1', [id])).toEqual([
      { last4: '4242', brand: 'visa' },
    ]);
  });

  test('names a method that is kept: it is charged again by its token, for the customer that is made with it', async () => {
    const { id } = await sell({ save: true });
    expect(pier.asked[0]!.request).toMatchObject({ storedCredential: 'first', instrument: { save: true } });
    finds({ kind: 'approved', method, kept });
    await changed(id);
    const { customer, payment_method } = await read(id);
    expect((await account.test.get(`/v1/customers/${customer}`)).json.name).toBe('At the kiosk');
    expect(await methodOf(payment_method)).toMatchObject({ customer, processor_token: { processor_account: pa } });
    expect(await eventsOf(payment_method)).toEqual(['payment_method.attached']);
    answers({ kind: 'approved' });
    expect((await charge(payment_method)).json.status).toBe('succeeded');
    const { instrument } = pier.asked.at(-1)!.request;
    expect(instrument.kind === 'token' && [instrument.token.open(), instrument.customer]).toEqual([
      'pm_at_pier',
      'cus_at_pier',
    ]);
    expect(JSON.stringify(await attemptOf(id))).not.toContain('pm_at_pier');
  });

  test('keeps the method for the customer of the payment, unless that is deleted meanwhile', async () => {
    for (const isDeleted of [false, true]) {
      const customer = (await account.test.post('/v1/customers', {})).json.id;
      const { id } = await sell({ save: true, customer });
      if (isDeleted) await account.test.delete(`/v1/customers/${customer}`);
      finds({ kind: 'approved', method, kept });
      await changed(id);
      const { status, payment_method } = await read(id);
      const [row] = await rows('select customer, detached from payment_methods where id = $1', [payment_method]);
      expect([status, row]).toEqual(['succeeded', { customer: isDeleted ? null : customer, detached: isDeleted }]);
    }
  });

  test.each<[string, InquiryOutcome, object]>([
    ['nothing', { kind: 'approved' }, { brand: 'unknown', last4: '0000', exp_month: 12, exp_year: 9_999 }],
    ['a wallet', { kind: 'approved', method: { type: 'card', brand: 'visa', wallet: 'apple_pay' } }, { brand: 'visa' }],
    ['nonsense', { kind: 'approved', method: { type: 'card', last4: 'four' } }, { brand: 'unknown', last4: '0000' }],
  ])('every payment that has succeeded has a method, where the processor tells %s', async (_, outcome, shown) => {
    const { id } = await sell();
    finds(outcome);
    await changed(id);
    const { status, payment_method } = await read(id);
    expect([status, await methodOf(payment_method)]).toMatchObject(['succeeded', { card: shown }]);
  });

  test('with manual capture the method is known with the authorization', async () => {
    const { id } = await sell({ capture_method: 'manual' });
    finds({ kind: 'approved', method });
    await changed(id);
    expect(await read(id)).toMatchObject({ status: 'requires_capture', payment_method: expect.stringMatching(/^pm_/) });
    expect((await account.test.post(`/v1/payments/${id}/capture`)).json.status).toBe('succeeded');
    expect(await kioskOf(id)).toEqual({ status: 'succeeded' });
  });

  test('a decline fails the payment, and names the method if the processor does', async () => {
    for (const named of [{}, { method }]) {
      const { id } = await sell();
      finds({ kind: 'declined', code: 'card_declined', declineCode: 'lost_card', ...named });
      await changed(id);
      const payment = await read(id);
      expect(payment).toMatchObject({ status: 'failed', failure_decline_code: 'lost_card' });
      expect('payment_method' in payment).toBe('method' in named);
      expect(await kioskOf(id)).toEqual({ status: 'failed' });
    }
  });

  test('whose answer was lost is found by what it was asked for', async () => {
    answers({ kind: 'unknown', reason: 'no answer' });
    const { id, status } = await sell({ authentication: 'always' });
    expect([status, await kioskOf(id)]).toEqual(['processing', { status: 'processing' }]);
    finds(asks());
    clock.advance(21_000);
    await server.settled();
    expect(await read(id)).toMatchObject({ status: 'requires_action' });
    const { authorization } = pier.found.at(-1)!;
    const returnUrl = expect.stringContaining('/return/');
    expect(authorization!.page).toMatchObject({ returnUrl, authentication: 'always', lines: [{ quantity: 2 }] });
  });

  test('that never arrived is closed at the processor before the payment fails', async () => {
    answers({ kind: 'unknown', reason: 'no answer' });
    const { id } = await sell();
    finds({ kind: 'not_found' });
    clock.advance(21_000);
    await server.settled();
    expect(await read(id)).toMatchObject({ status: 'failed' });
    expect(pier.canceled.at(-1)).toMatchObject({ authorization: { page: { locale: 'en' } }, unlessPaid: false });
    expect((await attemptOf(id)).page).toBeNull();
  });

  test('no processor without pages is asked', async () => {
    pier.able.set(pa, {});
    expect((await account.test.post('/v1/kiosks', {})).json.error).toMatchObject({ code: 'payment_method_not_usable' });
    expect(pier.asked).toEqual([]);
  });
});

describe('closing', () => {
  const cancels = (outcome: ProcessorOutcome) => void pier.cancels.set(pa, outcome);

  test('closed: the payment is canceled, and nothing was given back', async () => {
    const { id } = await sell();
    expect(await close(id)).toBe('closed');
    expect(await read(id)).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(pier.canceled.at(-1)).toMatchObject({ unlessPaid: true });
    expect([await close(id), await kioskOf(id)]).toEqual(['closed', { status: 'canceled' }]);
  });

  test('paid meanwhile: the payment succeeds, with its method', async () => {
    const { id } = await sell();
    cancels({ kind: 'already_paid' });
    finds({ kind: 'approved', method });
    expect(await close(id)).toBe('paid');
    expect(await read(id)).toMatchObject({ status: 'succeeded', payment_method: expect.stringMatching(/^pm_/) });
    expect([await close(id), await kioskOf(id)]).toEqual(['paid', { status: 'succeeded' }]);
  });

  test('paid meanwhile, and the process dies before it asks: a job finds the payment', async () => {
    const { id } = await sell();
    cancels({ kind: 'already_paid' });
    finds({ kind: 'unknown', reason: 'no answer' });
    expect(await close(id)).toBe('unknown');
    finds({ kind: 'approved', method });
    clock.advance(hour);
    await server.settled();
    expect((await read(id)).status).toBe('succeeded');
  });

  test('no answer: the payment is processing, and the outcome follows', async () => {
    for (const [outcome, status] of [
      [{ kind: 'approved' }, 'canceled'],
      [{ kind: 'already_paid' }, 'succeeded'],
    ] as const) {
      const { id } = await sell();
      cancels({ kind: 'unknown', reason: 'no answer' });
      pier.finds.set(pa, { kind: 'approved', method });
      expect(await close(id)).toBe('unknown');
      expect(await kioskOf(id)).toEqual({ status: 'processing' });
      expect(await close(id)).toBe('unknown');
      cancels(outcome);
      pier.finds.set(pa, async ({ verb }) =>
        verb === 'cancel' ? { kind: 'not_found' } : { kind: 'approved', method },
      );
      clock.advance(21_000);
      await server.settled();
      clock.advance(2_000);
      await server.settled();
      expect((await read(id)).status).toBe(status);
      expect(await kioskOf(id)).toEqual({ status });
    }
  });

  test('an expiry that meets a payment finds the payment', async () => {
    const { id } = await sell();
    let looks = 0;
    pier.finds.set(pa, async () => (looks++ === 0 ? asks(0) : { kind: 'approved', method }));
    cancels({ kind: 'already_paid' });
    clock.advance(2 * hour);
    await server.settled();
    clock.advance(2_000);
    await server.settled();
    expect(await read(id)).toMatchObject({ status: 'succeeded' });
    expect(await read(id)).not.toHaveProperty('cancellation_reason');
  });

  test('by the API: a payment that is paid meanwhile is not canceled', async () => {
    const { id } = await sell();
    cancels({ kind: 'already_paid' });
    finds({ kind: 'approved', method });
    expect((await account.test.post(`/v1/payments/${id}/cancel`)).status).toBe(402);
    clock.advance(2_000);
    await server.settled();
    expect((await read(id)).status).toBe('succeeded');
  });

  test('what the processor refuses to close stays open', async () => {
    const { id } = await sell();
    cancels({ kind: 'declined', code: 'processing_error', declineCode: 'busy' });
    finds(asks());
    expect(await close(id)).toBe('unknown');
    expect((await read(id)).status).toBe('requires_action');
  });
});

describe('a confirmation token', () => {
  const pay = (more: object = {}) => sell({ token: 'ctoken_1', processor_account: pa, ...more });

  test('is charged by the account that has made it, and names the method at once', async () => {
    await addAccount(server.gateway, tenant);
    answers({ kind: 'approved', method, kept });
    const { status, payment_method, customer } = await pay({ save: true, authentication: 'always' });
    expect([status, await methodOf(payment_method)]).toMatchObject(['succeeded', { customer }]);
    const { request, account: asked } = pier.asked[0]!;
    expect([asked, request]).toMatchObject([pa, { authentication: 'always', storedCredential: 'first' }]);
    const { instrument } = request;
    expect(instrument.kind === 'confirmation' && instrument.token.open()).toBe('ctoken_1');
    expect(JSON.stringify(await rows('select * from attempts where tenant = $1', [tenant]))).not.toContain('ctoken_1');
  });

  test('is declined with what the processor tells of it', async () => {
    answers({ kind: 'declined', code: 'card_declined', method });
    const { error } = await pay();
    const [{ payment_method }] = await rows('select payment_method from payments where tenant = $1', [tenant]);
    expect([error.code, await methodOf(payment_method)]).toMatchObject(['card_declined', { card: { last4: '4242' } }]);
  });

  test('that wants the cardholder has an hour, and may be approved', async () => {
    answers({ kind: 'requires_action', url: 'https://bank.test/1' });
    const { id } = await pay();
    const [{ expires_at }] = await rows('select expires_at from payments where id = $1', [id]);
    expect(expires_at.getTime() - clock.now()).toBe(hour);
    finds({ kind: 'approved', method });
    await changed(id);
    expect((await read(id)).status).toBe('succeeded');
  });

  test('whose outcome was lost is not charged anywhere else', async () => {
    await addAccount(server.gateway, tenant);
    answers({ kind: 'unknown', reason: 'no answer' });
    const { id } = await pay();
    finds({ kind: 'declined', code: 'processing_error', advice: 'another_processor' });
    clock.advance(21_000);
    await server.settled();
    expect([(await read(id)).status, pier.asked.length]).toEqual(['failed', 1]);
  });
});

test('the rules of payments hold', async () => {
  const broken = await violationsOf(server.sql, { rest: false });
  // The pier has no books to compare with.
  expect(broken.filter((rule) => !rule.startsWith('a succeeded payment has received what'))).toEqual([]);
});
