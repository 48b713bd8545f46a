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
