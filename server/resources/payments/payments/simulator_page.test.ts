import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { connect } from '../../../base/sql.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { resources } from '../../index.ts';
import { kioskSql, kiosks } from './kiosk.fixture.ts';

const hour = 3_600_000;

describe.each(places)('the page of a simulator that is %s', (place) => {
  const clock = virtualClock(Date.now());
  let server: TestServer;
  let account: TestAccount;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createDatabase();
    drop = database.drop;
    const sql = await connect(database.address, 'test');
    await sql.query(kioskSql);
    await sql.end();
    server = await startServer({ clock, databaseUrl: database.url, resources: [...resources, kiosks] });
    account = await server.account();
    const settings = { place };
    await account.test.post('/v1/processor_accounts', { connector: 'simulator', name: 'Simulator', settings });
  });
  afterAll(async () => {
    expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
    await server.stop();
    await drop();
  });
  // Pages are counted by address, a hundred a minute.
  beforeEach(() => clock.advance(60_000));

  async function sell(more: object = {}) {
    const payment = (await account.test.post('/v1/kiosks', more)).json;
    const { pathname: path } = new URL(payment.next_action.redirect_to_url.url);
    return { id: payment.id as string, path };
  }
  const show = (path: string) => server.anonymous.get(path);
  const submit = (path: string, body: string) => server.anonymous.form(path, body);
  const read = async (id: string) => (await account.test.get(`/v1/payments/${id}`)).json;

  test('shows what is bought, what it costs and the test cards, and is guarded', async () => {
    const { path } = await sell();
    expect(path).toMatch(/^\/simulator\/pay\/\w{28}$/);
    const { status, text, headers } = await show(path);
    expect(status).toBe(200);
    for (const part of ['EUR 10.00', '2 × A cup of &lt;tea&gt;', 'Visa •••• 4242', 'Back to the shop'])
      expect(text).toContain(part);
    expect(text).not.toContain('<tea>');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('a payment there leads back to the shop, and has succeeded by then', async () => {
    const { id, path } = await sell({ save: true });
    const answer = await submit(path, 'card=mastercard&action=pay');
    expect([answer.status, new URL(answer.headers.location!).pathname]).toEqual([
      303,
      expect.stringMatching(/^\/return\//),
    ]);
    const { status, customer, payment_method, checkout_session } = await read(id);
    expect([status, checkout_session]).toEqual(['succeeded', expect.stringMatching(/^cs_/)]);
    const method = (await account.test.get(`/v1/payment_methods/${payment_method}`)).json;
    expect(method).toMatchObject({ customer, card: { brand: 'mastercard', last4: '4444' } });
    const again = { amount: 700, currency: 'eur', customer, payment_method, off_session: true };
    expect((await account.test.post('/v1/payments', again)).json.status).toBe('succeeded');
    expect((await show(path)).text).toContain('This is paid');
    expect((await submit(path, 'card=visa')).status).toBe(303);
    expect((await server.sql.query(`select status from kiosks where id = $1`, [checkout_session])).rows).toEqual([
      { status: 'succeeded' },
    ]);
  });

  test('a declined card fails the payment', async () => {
    const { id, path } = await sell();
    expect((await submit(path, 'card=chargeDeclined')).status).toBe(303);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      failure_decline_code: 'generic_decline',
      advice: 'later',
    });
    expect((await show(path)).text).toContain('Your bank has declined this');
  });

  test('a bank that asks first decides with the answer', async () => {
    for (const [answer, status] of [
      ['approve', 'succeeded'],
      ['refuse', 'failed'],
    ] as const) {
      const { id, path } = await sell();
      const asked = await submit(path, 'card=authenticationRequired');
      expect([asked.status, (await read(id)).status]).toEqual([200, 'requires_action']);
      expect(asked.text).toContain('value="approve"');
      await submit(path, `card=authenticationRequired&decision=${answer}`);
      expect((await read(id)).status).toBe(status);
    }
  });

  test('what is no test card, or no page, decides nothing', async () => {
    const { id, path } = await sell();
    for (const body of ['', 'card=', 'card=4242424242424242', 'card=constructor', 'decision=approve'])
      expect((await submit(path, body)).status).toBe(400);
    for (const other of [`${path}x`, '/simulator/pay/', path.replace('/pay/', '/challenge/')])
      expect((await submit(other, 'card=visa&decision=none')).status).not.toBe(303);
    expect((await read(id)).status).toBe('requires_action');
  });

  test('a customer who goes back without paying can come again, until the page is closed or has expired', async () => {
    const [one, two] = [await sell(), await sell()];
    expect((await show(one.path)).text).toContain('value="pay"');
    expect((await account.test.post(`/v1/payments/${one.id}/cancel`)).json.status).toBe('canceled');
    expect((await show(one.path)).text).toContain('This was canceled');
    await submit(one.path, 'card=visa');
    expect((await read(one.id)).status).toBe('canceled');
    clock.advance(hour);
    expect((await show(two.path)).text).toContain('The time to pay here is over');
    await submit(two.path, 'card=visa');
    clock.advance(5_000); // the processor has reported something, and is asked again
    await server.settled();
    expect(await read(two.id)).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
  });
});
