import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from '../../../base/sql.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { createDatabase } from '../../harness.ts';
import { card } from '../../http/objects.ts';
import { Children } from '../../processes/children.ts';

const children = new Children();
let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let anonymous: Client;
/** In live mode the office serves, in test mode the simulator, which takes no vouchers. */
let live: Client;
let simulated: Client;

beforeAll(async () => {
  database = await createDatabase();
  sql = children.keep(await connect(database.address, 'test'));
  const environment = children.serveEnvironment({ DATABASE_URL: database.url });
  const keys = await children.account(environment);
  const program = join(import.meta.dirname, 'serve.fixture.ts');
  const { client } = await children.serveBy(program, { ...environment, LIVE_CONNECTOR: 'office' });
  [anonymous, live, simulated] = [client(), client(keys.live_secret_key), client(keys.test_secret_key)];
});
afterAll(async () => {
  await children.cleanUp();
  await database.drop();
});

const rows = async (text: string, values: unknown[] = []) => (await sql.query(text, values)).rows;
const code = '77310042';
const voucher = { issuer: 'bakery', code };
const post = async (path: string, body: object = {}) => (await live.post(`/v1/${path}`, body)).json;
const attemptsOf = async (payment: string) => (await live.get(`/v1/payments/${payment}/attempts`)).json.data;
const store = (more: object = {}) => post('payment_methods', { type: 'voucher', voucher, ...more });

describe('a kind of payment method of one folder and one line', () => {
  test('is stored, sealed and shown, beside cards', async () => {
    const { text, json } = await live.post('/v1/payment_methods', { type: 'voucher', voucher });
    const shown = { type: 'voucher', voucher: { issuer: 'bakery', last4: '0042' } };
    expect(json).toEqual({
      ...{ id: json.id, object: 'payment_method', ...shown },
      ...{ billing_details: {}, created: expect.any(Number) },
    });
    expect(text).not.toContain(code);
    expect((await live.get(`/v1/payment_methods/${json.id}`)).json).toEqual(json);
    const [sealed] = await rows('select sealed from vault_secrets where id = $1', [json.id]);
    expect(sealed.sealed.toString('latin1')).not.toContain(code);
    expect(await post('payment_methods', { type: 'card', card })).toMatchObject({
      type: 'card',
      card: { brand: 'visa', last4: '4242' },
    });
    const { components } = (await anonymous.get('/openapi.json')).json;
    expect(components.schemas.PaymentMethod.properties.type.enum).toEqual(['card', 'voucher']);
  });

  test('has its own parameters, and an error that the reference explains', async () => {
    const refusal = async (body: object) => {
      const { code: name, param } = (await post('payment_methods', body)).error;
      return [name, param];
    };
    const wrong = { ...voucher, code: 'ABCD0042' };
    expect(await refusal({ type: 'voucher', voucher: wrong })).toEqual(['invalid_voucher_code', 'voucher.code']);
    expect(await refusal({ type: 'voucher' })).toEqual(['parameter_missing', 'voucher']);
    expect(await refusal({ type: 'voucher', voucher, card })).toEqual(['parameter_invalid', 'card']);
    expect(await refusal({ type: 'card', card, voucher })).toEqual(['parameter_invalid', 'voucher']);
    const processor_token = { processor_account: 'pa_1', token: 'tok_1' };
    expect(await refusal({ type: 'voucher', processor_token })).toEqual(['parameter_invalid', 'processor_token']);
    expect(await refusal({ type: 'cheque', voucher })).toEqual(['parameter_invalid', 'type']);
    expect((await anonymous.get('/docs/errors')).text).toContain('id="invalid_voucher_code"');
  });

  test('is charged by a processor that takes it, and by no other', async () => {
    const { id: payment_method } = await store();
    const payment = await post('payments', { amount: 900, currency: 'eur', payment_method });
    expect(payment).toMatchObject({ status: 'succeeded', amount_received: 900, payment_method });
    expect((await attemptsOf(payment.id))[0]).toMatchObject({ state: 'approved', reference: 'bakery_0042_900' });
    const declined = await post('payments', { amount: 9_000, currency: 'eur', payment_method });
    expect(declined.error).toMatchObject({ code: 'card_declined', decline_code: 'insufficient_funds' });

    const { id: number } = await post('payment_methods', { type: 'card', card });
    const byCard = await post('payments', { amount: 900, currency: 'eur', payment_method: number });
    expect(byCard.error.message).toContain('office: it takes no card numbers');
    const elsewhere = (await simulated.post('/v1/payment_methods', { type: 'voucher', voucher })).json.id;
    const pay = { amount: 900, currency: 'eur', payment_method: elsewhere };
    const { error } = (await simulated.post('/v1/payments', pay)).json;
    expect([error.code, error.param]).toEqual(['payment_method_not_usable', 'payment_method']);
    expect(error.message).toContain('it takes no payments by voucher');
  });

  test('is refunded', async () => {
    const { id: payment_method } = await store();
    const payment = await post('payments', { amount: 900, currency: 'eur', payment_method });
    expect(await post('refunds', { payment: payment.id, amount: 400 })).toMatchObject({ status: 'succeeded' });
    expect((await live.get(`/v1/payments/${payment.id}`)).json).toMatchObject({ amount_refunded: 400 });
    expect((await attemptsOf(payment.id)).map(({ reference }: { reference: string }) => reference)).toContain(
      'refund_400',
    );
  });

  test('is attached, listed, found, in timelines, and updated', async () => {
    const customer = (await post('customers', { name: 'Ada' })).id;
    const { id } = await store({ billing_details: { name: 'Ada' } });
    expect(await post(`payment_methods/${id}/attach`, { customer })).toMatchObject({ id, customer });
    const ofCustomer = (await live.get(`/v1/customers/${customer}/payment_methods`)).json.data;
    expect(ofCustomer).toMatchObject([{ id, type: 'voucher', voucher: { last4: '0042' } }]);
    await post(`customers/${customer}`, { default_payment_method: id });

    const csv = await live.get(`/v1/payment_methods?customer=${customer}`, { headers: { Accept: 'text/csv' } });
    const [names, values] = csv.text.split(/\r?\n/).map((line) => line.split(','));
    const cell = (name: string) => values![names!.indexOf(name)];
    expect([cell('voucher.issuer'), cell('voucher.last4'), cell('card.brand')]).toEqual(['bakery', '0042', '']);

    const payment = await post('payments', { amount: 1_234, currency: 'eur', payment_method: id, customer });
    const found = async (q: string) =>
      (await live.get(`/v1/search?q=${encodeURIComponent(q)}`)).json.data as { id: string; title: string }[];
    expect(await found(id)).toMatchObject([
      { id, title: 'bakery voucher 0042', subtitle: expect.stringMatching(/never expires$/) },
    ]);
    expect(await found('0042 12.34')).toMatchObject([
      { id: payment.id, subtitle: expect.stringMatching(/succeeded, voucher 0042$/) },
    ]);
    for (const object of [id, customer]) {
      const { data } = (await live.get(`/v1/timeline/${object}`)).json;
      const events = data.flatMap((entry: { event?: { type: string } }) => entry.event?.type ?? []);
      expect(events).toContain('payment_method.attached');
    }

    expect((await post(`payment_methods/${id}`, { card: { exp_year: 2041 } })).error).toMatchObject({ param: 'card' });
    const updated = await post(`payment_methods/${id}`, { billing_details: { email: 'ada@shop.test' } });
    expect(updated.billing_details).toEqual({ name: 'Ada', email: 'ada@shop.test' });
  });

  test('is routed by its brand', async () => {
    const simulator = { connector: 'simulator', name: 'Pretending' };
    const pa = (await simulated.post('/v1/processor_accounts', simulator)).json.id;
    const rules = [{ when: { brand: ['bakery'] }, use: [pa] }];
    expect((await simulated.post('/v1/routing', { rules })).json.rules).toEqual(rules);
    const { id: payment_method } = (await simulated.post('/v1/payment_methods', { type: 'voucher', voucher })).json;
    const paid = await simulated.post('/v1/payments', { amount: 900, currency: 'eur', payment_method });
    expect(paid.json.error.message).toContain(`${pa}: it takes no payments by voucher`);
    const byCard = (await simulated.post('/v1/payment_methods', { type: 'card', card })).json.id;
    const refused = await simulated.post('/v1/payments', { amount: 900, currency: 'eur', payment_method: byCard });
    expect(refused.json.error.message).toContain('no routing rule matches');
  });

  test('is detached for good, and what the vault has of it is destroyed', async () => {
    const { id } = await store({ customer: (await post('customers', {})).id });
    expect((await post(`payment_methods/${id}/detach`)).customer).toBeUndefined();
    await sql.query('update payment_methods set due_at = now() where id = $1', [id]);
    await eventually(async () => expect(await rows('select 1 from vault_secrets where id = $1', [id])).toEqual([]));
    const { error } = await post('payments', { amount: 900, currency: 'eur', payment_method: id });
    expect(error.code).toBe('payment_method_not_usable');
  });
});
