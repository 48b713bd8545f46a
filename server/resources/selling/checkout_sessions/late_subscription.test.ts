import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import { registrations } from '../../../connectors/index.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { checkoutViolations } from '../../../test/payment_invariants.ts';
import { addAccount, openPier, type Pier } from '../../payments/payments/pier.fixture.ts';
import { Checkout, cards } from './checkout.fixture.ts';

/** A try with a typed card that is approved when its number is gone. */
const clock = virtualClock(Date.now());
const approved = { kind: 'approved', reference: 'pier_1' } as const;
let server: TestServer;
let pier: Pier;

beforeAll(async () => {
  pier = openPier();
  const connectors = [...registrations, pier.registration];
  server = await startServer({ clock, connectors, environment: { OWN_CARD_FIELDS: 'yes' } });
});
afterAll(() => server.stop());

const hour = 3_600_000;
async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

test.each([
  ['a subscription', 'there', 'subscription', 0],
  ['a subscription', 'gone', 'subscription', 3 * hour],
  ['a payment that keeps its card', 'gone', 'payment', 3 * hour],
] as const)('%s whose approval comes when the number of its card is %s', async (_, __, mode, later) => {
  const account = await server.account();
  const checkout = new Checkout(server, account);
  const tenant = await tenantOf(server.sql, account.id, 'test');
  const pa = await addAccount(server.gateway, tenant);
  const terms = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
  const price = (await account.test.post('/v1/prices', terms)).json.id;
  const session = await checkout.create(
    mode === 'payment'
      ? { save_payment_method: 'require' }
      : { mode, amount: null, currency: null, line_items: [{ price }] },
  );
  const declined = { kind: 'declined', code: 'card_declined' } as const;
  pier.answers.set(pa, declined);
  await checkout.pay(session, cards.good);
  expect(await checkout.payments(session.id)).toEqual(['failed']);
  await pass(later);
  pier.finds.set(pa, approved as InquiryOutcome);
  const text = `select a.id from attempts a join payments p on p.tenant = a.tenant and p.id = a.payment where p.checkout_session = $1`;
  const attempt = (await server.sql.query(text, [session.id])).rows[0].id;
  await pier.report({
    id: `${attempt} report`,
    tenant,
    account: pa,
    attempt,
    kind: 'payment_settled',
    outcome: approved,
  });
  await server.settled();

  const { status, subscription, customer, payment_method, payment } = await checkout.get(session.id);
  expect([status, await checkout.payments(session.id)]).toEqual(['complete', ['succeeded']]);
  const { data: methods } = (await account.test.get(`/v1/payment_methods?customer=${customer}`)).json;
  const made = mode === 'payment' ? undefined : (await account.test.get(`/v1/subscriptions/${subscription}`)).json;
  expect((await account.test.get(`/v1/payments/${payment}`)).json.payment_method).toBe(payment_method);
  if (later === 0) {
    expect(methods.map(({ id }: { id: string }) => id)).toEqual([payment_method]);
    expect(made.default_payment_method).toBe(payment_method);
  } else {
    expect(methods).toEqual([]);
    expect(made ?? {}).not.toHaveProperty('default_payment_method');
  }
  if (made !== undefined) expect(made.status).toBe('active');
  expect(await checkoutViolations(server.sql, tenant)).toEqual([]);
});
