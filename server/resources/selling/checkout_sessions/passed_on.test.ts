import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import { registrations } from '../../../connectors/index.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { addAccount, openPier, type Pier } from '../../payments/payments/pier.fixture.ts';
import { Checkout, cards } from './checkout.fixture.ts';

/** A try whose request lost sight of it, and whose inquiry finds that another processor may approve. */

const clock = virtualClock(Date.now());
let server: TestServer;
let pier: Pier;

beforeAll(async () => {
  pier = openPier();
  server = await startServer({ clock, connectors: [...registrations, pier.registration] });
});
afterAll(() => server.stop());

test('it fails, and its customer can try again: no other processor is asked without them', async () => {
  const account = await server.account();
  const checkout = new Checkout(server, account);
  const tenant = await tenantOf(server.sql, account.id, 'test');
  const first = await addAccount(server.gateway, tenant);
  clock.advance(5);
  const next = await addAccount(server.gateway, tenant);
  const { customer, payment_method } = await checkout.saved(cards.good);
  pier.answers.set(first, { kind: 'unknown', reason: 'no answer' });
  const made = await checkout.create({ customer, customer_email: null });
  const pressed = await checkout.pay(made, '', { instrument: { kind: 'saved', payment_method } });
  expect(pressed?.view.status).toBe('processing');
  const busy = { code: 'processing_error', declineCode: 'busy', advice: 'another_processor' } as const;
  pier.finds.set(first, { kind: 'declined', ...busy });
  clock.advance(21_000); // the deadline of the call, and the pause before the inquiry
  await server.settled();
  expect(await checkout.get(made.id)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
  expect(pier.asked.map(({ account: one }) => one)).toEqual([first]);
  pier.answers.set(first, { kind: 'not_sent', reason: 'no connection' });
  await checkout.pay(made, '', { instrument: { kind: 'saved', payment_method } });
  expect(await checkout.get(made.id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
  expect(pier.asked.at(-1)).toMatchObject({ account: next, request: { initiator: 'cardholder' } });
});

test('a setup fails likewise', async () => {
  const account = await server.account();
  const checkout = new Checkout(server, account);
  const join = async (settings: object) => {
    clock.advance(5);
    const body = { connector: 'simulator', name: 'Simulator', settings: { place: 'remote', ...settings } };
    return (await account.test.post('/v1/processor_accounts', body)).json.id;
  };
  const busy = await join({ behaves: 'busy' });
  const ready = await join({});
  await server.sql.query(`insert into simulator_faults (kind, verb) values ('lose_reply', 'setup')`);
  const { customer, payment_method } = await checkout.saved(cards.good);
  const { json: price } = await account.test.post('/v1/prices', {
    ...{ currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } },
  });
  const trial = { mode: 'subscription', line_items: [{ price: price.id }], subscription_data: { trial_days: 7 } };
  const none = { amount: null, currency: null, customer_email: null };
  const made = await checkout.create({ ...none, ...trial, customer });
  const press = () => checkout.pay(made, '', { instrument: { kind: 'saved', payment_method } });
  expect((await press())?.view.status).toBe('processing');
  clock.advance(30_000);
  await server.settled();
  const askedOf = async () => {
    const text = `select a.processor_account from attempts a join setups s on s.tenant = a.tenant and s.id = a.setup
      where s.checkout_session = $1 order by a.id`;
    const { rows } = await server.sql.query<{ processor_account: string }>(text, [made.id]);
    return rows.map(({ processor_account }) => processor_account);
  };
  expect([await checkout.setups(made.id), await askedOf()]).toEqual([['failed'], [busy]]);
  expect(await checkout.events(made.id)).toEqual(['created', 'processing', 'payment_failed']);
  await press();
  expect([await checkout.setups(made.id), await askedOf()]).toEqual([
    ['failed', 'succeeded'],
    [busy, busy, ready],
  ]);
});
