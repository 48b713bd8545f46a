import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { Checkout, cards } from './checkout.fixture.ts';

/** Payments whose method is kept for later charges: always, or when the customer ticks a box. */

let server: TestServer;
/** One by our own fields; one by the page of a processor. */
let own: Checkout;
let paged: Checkout;

beforeAll(async () => {
  server = await startServer();
  own = new Checkout(server, await server.account());
  const account = await server.account();
  await account.test.post('/v1/processor_accounts', { connector: 'simulator', name: 'Simulator' });
  paged = new Checkout(server, account);
});
afterAll(async () => {
  expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
  await server.stop();
});

type Made = { id: string; url: string };
const ways: [
  way: string,
  checkout: () => Checkout,
  pay: (made: Made, save: boolean, card?: string) => Promise<void>,
][] = [
  [
    'our own fields',
    () => own,
    async (made, save, card = cards.good) => {
      await own.pay(made, card, { save });
    },
  ],
  [
    'the page of a processor',
    () => paged,
    async (made, save, card = 'visa') => {
      const pressed = await paged.pay(made, '', { instrument: { kind: 'page' }, save });
      await paged.choose(pressed?.goTo, card === cards.declined ? 'chargeDeclined' : card);
    },
  ],
];

const charge = async ({ test: key }: TestAccount, { customer, payment_method }: Record<string, string>) =>
  (await key.post('/v1/payments', { amount: 700, currency: 'eur', customer, payment_method, off_session: true })).json;

describe.each(ways)('by %s', (_, checkoutOf, pay) => {
  test.each([
    ['require', false],
    ['offer', true],
  ])(
    '%s, ticked: %s: the method is kept for a customer who is made with the payment, and charged later',
    async (save_payment_method, save) => {
      const checkout = checkoutOf();
      const made = await checkout.create({ save_payment_method });
      expect(made).toMatchObject({ save_payment_method });
      await pay(made, save);
      const session = await checkout.get(made.id);
      expect(session).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
        customer: expect.stringMatching(/^cus_/),
      });
      const { customer, payment_method, payment } = session;
      const get = async (path: string) => (await checkout.account.test.get(`/v1/${path}`)).json;
      expect(await get(`customers/${customer}`)).toMatchObject({ email: 'ada@example.com' });
      expect(await get(`payment_methods/${payment_method}`)).toMatchObject({ customer });
      expect(await get(`payments/${payment}`)).toMatchObject({ customer });
      expect(await charge(checkout.account, session)).toMatchObject({ status: 'succeeded', off_session: true });
      const types = (await get(`events?object_id=${customer}`)).data.map(({ type }: { type: string }) => type);
      expect(types).toEqual(['customer.created']);
    },
  );

  test.each([
    ['none', true],
    ['offer', false],
    [null, true],
  ])('%s, ticked: %s: nothing is kept, and nobody is made', async (save_payment_method, save) => {
    const checkout = checkoutOf();
    const made = await checkout.create({ save_payment_method });
    await pay(made, save);
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({ status: 'complete', customer_details: { email: 'ada@example.com' } });
    expect(session).not.toHaveProperty('customer');
    const { json } = await checkout.account.test.get(`/v1/payment_methods/${session.payment_method}`);
    expect(json).not.toHaveProperty('customer');
  });

  test('a decline keeps nothing, and an earlier choice is forgotten', async () => {
    const checkout = checkoutOf();
    const made = await checkout.create({ save_payment_method: 'offer' });
    await pay(made, true, cards.declined);
    expect(await checkout.get(made.id)).not.toHaveProperty('customer');
    await pay(made, false);
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({ status: 'complete' });
    expect(session).not.toHaveProperty('customer');
  });

  test('a customer of the same email is not the one who is made', async () => {
    const checkout = checkoutOf();
    const { json: before } = await checkout.account.test.post('/v1/customers', { email: 'ada@example.com' });
    const made = await checkout.create({ save_payment_method: 'require' });
    await pay(made, false);
    expect((await checkout.get(made.id)).customer).not.toBe(before.id);
  });

  test('the customer of the session has the method from then on', async () => {
    const checkout = checkoutOf();
    const { json } = await checkout.account.test.post('/v1/customers', {});
    const sold = { save_payment_method: 'require', customer: json.id, customer_email: null };
    const made = await checkout.create(sold);
    await pay(made, false);
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({ customer: json.id });
    expect((await checkout.view(await checkout.create(sold)))?.saved.map(({ id }) => id)).toEqual([
      session.payment_method,
    ]);
  });

  test('only authorized, it is kept all the same', async () => {
    const checkout = checkoutOf();
    const made = await checkout.create({ save_payment_method: 'require', capture_method: 'manual' });
    await pay(made, false);
    const { customer, payment, payment_status } = await checkout.get(made.id);
    expect([payment_status, customer]).toEqual(['authorized', expect.any(String)]);
    await checkout.account.test.post(`/v1/payments/${payment}/capture`, {});
    expect(await checkout.get(made.id)).toMatchObject({ payment_status: 'paid', customer });
  });
});

describe('the page', () => {
  test.each([
    ['none', false, false],
    ['offer', true, false],
    ['require', false, true],
  ])('of %s has a box: %s, a notice: %s', async (save_payment_method, box, notice) => {
    const made = await own.create({ save_payment_method, locale: 'en' });
    const { text } = await server.anonymous.get(new URL(made.url).pathname);
    expect([text.includes('Save card for future payments'), text.includes('will save this card')]).toEqual([
      box,
      notice,
    ]);
  });

  test('offers no page of a processor that could not keep the card', async () => {
    const kinds = async (save_payment_method: string) =>
      (await own.view(await own.create({ save_payment_method })))?.ways.map(({ kind }) => kind);
    expect([await kinds('none'), await kinds('offer'), await kinds('require')]).toEqual([
      ['own', 'page'],
      ['own'],
      ['own'],
    ]);
  });
});
