import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dock } from '../../../connectors/dock.fixture.ts';
import { registrations } from '../../../connectors/index.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { cards, openSetupShop, type SetupShop } from './setups.fixture.ts';

/** Setups where there are processor accounts, and rules. */

let shop: SetupShop;
beforeAll(async () => {
  shop = await openSetupShop({ connectors: [...registrations, dock] });
});
afterAll(() => shop.stop());
let account: SetupShop['account'];
beforeEach(async () => {
  account = await shop.server.account();
});

const post = async (path: string, body: object = {}) => account.test.post(`/v1/${path}`, body);
const join = async (settings: object) => {
  shop.clock.advance(5);
  return (await post('processor_accounts', { connector: 'simulator', name: 'Account', settings })).json.id as string;
};
const dockAccount = async () =>
  (await post('processor_accounts', { connector: 'dock', name: 'Dock', credentials: { api_key: 'test_1' } })).json.id;
const setUp = async (number = cards.approves, more: object = {}) => {
  const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };
  const { json } = await post('payment_methods', { type: 'card', card, ...more });
  return post('setups', { payment_method: json.id });
};
const attemptsOf = async (id: string) =>
  (await shop.setupAttempts(id)).map(({ processor_account, state }) => [processor_account, state]);

test.each(['local', 'remote'])(
  'the next %s processor is asked where the first cannot be reached, or says that another may approve',
  async (place) => {
    const first = await join({ behaves: 'unreachable', place });
    const second = await join({ behaves: 'busy', place });
    const third = await join({ place });
    const { status, json } = await setUp();
    expect([status, json.status]).toEqual([200, 'succeeded']);
    expect(await attemptsOf(json.id)).toEqual([
      [first, 'not_sent'],
      [second, 'declined'],
      [third, 'approved'],
    ]);
    const { reason } = (await shop.setupAttempts(json.id)).at(-1);
    expect(reason).toContain(`${first} passed over: no connection; ${second} passed over: processor_busy`);
    expect(await shop.eventTypes(json.id)).toEqual(['setup.succeeded']);
  },
);

test('after an unknown outcome no other is asked: an inquiry finds it', async () => {
  const first = await join({ behaves: 'silent', place: 'remote' });
  await join({ place: 'remote' });
  const { json } = await setUp();
  expect(json.status).toBe('processing');
  shop.clock.advance(30_000);
  await shop.server.settled();
  expect(await attemptsOf(json.id)).toEqual([[first, 'approved']]);
});

test('an inquiry that finds that another may approve passes the setup on', async () => {
  const first = await join({ behaves: 'busy', place: 'remote' });
  const second = await join({ place: 'remote' });
  await shop.sql(`insert into simulator_faults (kind, verb) values ('lose_reply', 'setup')`);
  const { json } = await setUp();
  expect(json.status).toBe('processing');
  shop.clock.advance(30_000);
  await shop.server.settled();
  expect(await attemptsOf(json.id)).toEqual([
    [first, 'declined'],
    [second, 'approved'],
  ]);
  expect(await shop.eventTypes(json.id)).toEqual(['setup.succeeded']);
});

test('none acts: 402', async () => {
  await join({ behaves: 'unreachable' });
  const { status, json } = await setUp();
  expect([status, json.error.code, json.error.decline_code]).toEqual([402, 'processing_error', 'not_sent']);
});

test('a processor that cannot set up is passed over; where none can, the answer says so', async () => {
  const able = await join({});
  const unable = await dockAccount();
  const rules = [{ when: { currency: ['eur'], amount: { gte: 100 } }, use: [unable, able] }];
  expect((await post('routing', { rules })).status).toBe(200);
  const { json } = await setUp();
  expect(await attemptsOf(json.id)).toEqual([[able, 'approved']]); // no rule about money is in the way
  await post('routing', { rules: [{ use: [unable] }] });
  const refused = await setUp();
  expect([refused.status, refused.json.error.code]).toEqual([400, 'payment_method_not_usable']);
  await post('routing', { rules: [{ when: { brand: ['amex'] }, use: [able] }] });
  expect((await setUp()).json.error.message).toContain('no routing rule matches this setup');
});

test('charges without the cardholder carry the newest agreement, and show the setup where one made it', async () => {
  const customer = (await post('customers')).json.id;
  const card = { number: cards.challengesOnce, exp_month: 12, exp_year: 2040 };
  const payment_method = (await post('payment_methods', { type: 'card', card, customer })).json.id;
  const charge = async (more: object = { off_session: true }) =>
    post('payments', { amount: 500, currency: 'eur', payment_method, customer, ...more });
  expect((await charge()).json.error.decline_code).toBe('authentication_required');
  const setup = (await post('setups', { payment_method })).json;
  await shop.decide(setup, 'approve');
  for (let times = 0; times < 2; times++) {
    shop.clock.advance(1_000);
    const { status, json } = await charge();
    expect([status, json.status, json.setup]).toEqual([200, 'succeeded', setup.id]);
  }
  shop.clock.advance(1_000);
  const present = (await charge({})).json;
  expect(present).not.toHaveProperty('setup');
  shop.clock.advance(1_000);
  const later = (await charge()).json;
  expect(later.status).toBe('succeeded');
  expect(later).not.toHaveProperty('setup'); // the payment with the cardholder is newer
});

test('charges without the cardholder carry no charge of the merchant as an agreement, while there is one with the cardholder', async () => {
  const { charge, agree } = await cardOfCustomer();
  await agree('payments', { amount: 500, currency: 'eur' });
  const { status, json } = await charge();
  expect([status, json.status]).toEqual([200, 'succeeded']);
  await forgetNetworkId('payment', json.id);
  expect((await charge()).json.status).toBe('succeeded');
});

test('at another processor account, charges carry the newest agreement that the card network knows', async () => {
  const { charge, agree } = await cardOfCustomer();
  const [first, second] = [await join({}), await join({})];
  await post('routing', { rules: [{ use: [first] }] });
  await agree('payments', { amount: 500, currency: 'eur' });
  await post('routing', { rules: [{ use: [second] }] });
  const setup = await agree('setups');
  await forgetNetworkId('setup', setup.id); // as at a processor that does not tell it
  await post('routing', { rules: [{ use: [first] }] });
  expect((await charge()).json).toMatchObject({ status: 'succeeded', setup: setup.id });
});

/** A card whose cardholder has to agree once, with the means to agree and to charge without the cardholder. */
async function cardOfCustomer() {
  const customer = (await post('customers')).json.id;
  const card = { number: cards.challengesOnce, exp_month: 12, exp_year: 2040 };
  const payment_method = (await post('payment_methods', { type: 'card', card, customer })).json.id;
  return {
    async charge() {
      shop.clock.advance(1_000);
      return post('payments', { amount: 500, currency: 'eur', payment_method, customer, off_session: true });
    },
    /** By a payment, or by a setup. The cardholder authenticates once, and is known afterwards. */
    async agree(path: 'payments' | 'setups', more: object = {}) {
      shop.clock.advance(1_000);
      const { json } = await post(path, { payment_method, customer, ...more });
      if (json.status === 'requires_action') await shop.decide(json, 'approve');
      return json;
    },
  };
}

const forgetNetworkId = (of: 'payment' | 'setup', id: string) =>
  shop.sql(`update attempts set network_transaction_id = null where ${of} = $1`, [id]);

test('in all of this, every setup is what the simulator has', async () => {
  expect(await violationsOf(shop.server.sql, { rest: true })).toEqual([]);
});
