import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { connect } from '../../../base/sql.ts';
import { collect } from '../../../operations/resource.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { resources } from '../../index.ts';
import { kioskSql, kiosks } from '../payments/kiosk.fixture.ts';
import { setupJobs } from './setup_jobs.ts';

const hour = 3_600_000;

/** Setups of what the cardholder chooses on a page of the processor: the method is named by an answer, kept and attached. */
describe.each(places)('a setup on a page of a simulator that is %s', (place) => {
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
    const body = { connector: 'simulator', name: 'Simulator', settings: { place } };
    await account.test.post('/v1/processor_accounts', body);
  });
  afterAll(async () => {
    expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
    await server.stop();
    await drop();
  });
  // Pages are counted by address, a hundred a minute.
  beforeEach(() => clock.advance(60_000));

  async function keep(more: object = {}) {
    const setup = (await account.test.post('/v1/kiosks/keep', more)).json;
    expect(setup).toMatchObject({ status: 'requires_action', checkout_session: expect.stringMatching(/^cs_/) });
    expect(setup).not.toHaveProperty('payment_method');
    return { id: setup.id as string, path: new URL(setup.next_action.redirect_to_url.url).pathname };
  }
  const submit = (path: string, body: string) => server.anonymous.form(path, body);
  const read = async (id: string) => (await account.test.get(`/v1/setups/${id}`)).json;
  const kioskOf = async (id: string) =>
    (await server.sql.query('select status from kiosks where payment = $1', [id])).rows[0].status;
  const close = async (id: string) => {
    const { rows } = await server.sql.query('select tenant from setups where id = $1', [id]);
    const jobs = setupJobs(server.gateway.services, collect([...resources, kiosks]));
    return jobs.close(rows[0].tenant, id as `set_${string}`);
  };

  test('keeps the card for a customer that is made with it, and charges nothing', async () => {
    const { id, path } = await keep();
    expect((await server.anonymous.get(path)).text).toContain('Choose a test card to keep');
    expect((await submit(path, 'card=visa')).status).toBe(303);
    const { status, customer, payment_method } = await read(id);
    expect([status, await kioskOf(id)]).toEqual(['succeeded', 'succeeded']);
    expect((await account.test.get(`/v1/payment_methods/${payment_method}`)).json).toMatchObject({ customer });
    expect((await account.test.get(`/v1/customers/${customer}`)).json.name).toBe('At the kiosk');
    const charge = { amount: 700, currency: 'eur', customer, payment_method, off_session: true };
    const payment = (await account.test.post('/v1/payments', charge)).json;
    expect(payment).toMatchObject({ status: 'succeeded', setup: id });
    expect((await server.sql.query(`select from postings where source = $1`, [id])).rowCount).toBe(0);
  });

  test('keeps the card for the customer that it was made for', async () => {
    const customer = (await account.test.post('/v1/customers', {})).json.id;
    const { id, path } = await keep({ customer });
    await submit(path, 'card=authenticationRequired&decision=approve');
    const { payment_method } = await read(id);
    expect((await account.test.get(`/v1/payment_methods/${payment_method}`)).json).toMatchObject({ customer });
  });

  test('fails with a card that is declined, which is shown and cannot be charged', async () => {
    const { id, path } = await keep();
    await submit(path, 'card=chargeDeclined');
    const { status, payment_method } = await read(id);
    expect([status, await kioskOf(id)]).toEqual(['failed', 'failed']);
    const refused = await account.test.post('/v1/payments', { amount: 700, currency: 'eur', payment_method });
    expect([refused.status, refused.json.error.code]).toEqual([400, 'payment_method_not_usable']);
  });

  test('is closed, unless the card was chosen before', async () => {
    const [one, two] = [await keep(), await keep()];
    expect([await close(one.id), await kioskOf(one.id)]).toEqual(['closed', 'canceled']);
    await submit(one.path, 'card=visa');
    expect((await read(one.id)).status).toBe('canceled');
    await submit(two.path, 'card=visa');
    expect([await close(two.id), await kioskOf(two.id)]).toEqual(['paid', 'succeeded']);
  });

  test('lives as long as its page', async () => {
    const { id } = await keep();
    clock.advance(hour - 1);
    await server.settled();
    expect((await read(id)).status).toBe('requires_action');
    clock.advance(1);
    await server.settled();
    expect([(await read(id)).status, await kioskOf(id)]).toEqual(['canceled', 'canceled']);
  });

  test('needs a processor account, which alone can keep a card', async () => {
    const other = await server.account();
    const refused = await other.test.post('/v1/kiosks/keep', {});
    expect([refused.status, refused.json.error.code]).toEqual([400, 'payment_method_not_usable']);
  });
});
