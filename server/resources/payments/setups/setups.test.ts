import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { cards, openSetupShop, type SetupShop } from './setups.fixture.ts';

const hour = 3_600_000;
let shop: SetupShop;

beforeAll(async () => {
  shop = await openSetupShop();
});
afterAll(() => shop.stop());
// Pages are counted by address, a hundred a minute.
beforeEach(() => shop.clock.advance(60_000));

const post = (path: string, body: object = {}) => shop.account.test.post(`/v1/${path}`, body);
const cancel = (id: string) => post(`setups/${id}/cancel`);
const customerOf = async (more: object = {}) => (await post('customers', more)).json.id as string;

test('a card that approves is set up: the setup has exactly these members, and nothing is charged', async () => {
  const payment_method = await shop.method();
  const { status, json } = await post('setups', { payment_method });
  expect(status).toBe(200);
  const created = Math.floor(shop.clock.now() / 1_000);
  expect(json).toEqual({
    ...{ id: expect.stringMatching(/^set_/), object: 'setup', payment_method, status: 'succeeded', created },
  });
  expect(await shop.readSetup(json.id)).toEqual(json);
  const [event, ...more] = await shop.events(json.id);
  expect([event.type, event.data.object, more]).toEqual(['setup.succeeded', json, []]);
  expect(await shop.charges(json.id)).toEqual([]);
  expect((await shop.setupAttempts(json.id)).map(({ verb, state, payment }) => [verb, state, payment])).toEqual([
    ['setup', 'approved', null],
  ]);
});

test('customer, return_url and metadata are kept, and the list is filtered by customer, status and method', async () => {
  const customer = await customerOf();
  const attached = { payment_method: await shop.method(cards.challengesAlways, { customer }) };
  const more = { customer, return_url: 'https://shop.test/back', metadata: { order: '7' } };
  const waiting = (await post('setups', { ...attached, ...more })).json;
  expect(waiting).toMatchObject({ status: 'requires_action', customer, metadata: { order: '7' } });
  expect(waiting).not.toHaveProperty('return_url');
  shop.clock.advance(1);
  const done = (await post('setups', { payment_method: await shop.method(cards.approves, { customer }) })).json;
  expect(done.customer).toBe(customer); // that of the method
  const idsOf = async (query: string) =>
    (await shop.account.test.get(`/v1/setups?${query}`)).json.data.map(({ id }: { id: string }) => id);
  expect(await idsOf(`customer=${customer}`)).toEqual([done.id, waiting.id]);
  expect(await idsOf(`customer=${customer}&status=requires_action`)).toEqual([waiting.id]);
  expect(await idsOf(`payment_method=${done.payment_method}`)).toEqual([done.id]);
  await cancel(waiting.id);
});

test.each([
  [cards.declines, 'card_declined', 'generic_decline'],
  ['4000000000009987', 'card_declined', 'lost_card'],
  ['4000000000000069', 'expired_card', undefined],
  ['4000000000000127', 'incorrect_cvc', undefined],
  ['4000000000000119', 'processing_error', undefined],
])('%s is declined with 402 %s, stored, and setup.failed is sent', async (number, code, declineCode) => {
  const { status, json } = await shop.setUp(number);
  expect(status).toBe(402);
  const { setup, decline_code, ...error } = json.error;
  expect([error.code, error.type, decline_code]).toEqual([code, 'card_error', declineCode]);
  expect(error).not.toHaveProperty('payment');
  if (code === 'processing_error') expect(error.message).toMatch(/^The payment method could not be set up\./);
  const stored = await shop.readSetup(setup);
  expect(stored).toMatchObject({ status: 'failed', failure_code: code });
  expect(stored.failure_decline_code).toBe(declineCode);
  const events = await shop.events(setup);
  expect(events.map(({ type, data }) => [type, data.object])).toEqual([['setup.failed', stored]]);
});

test('a card that expired since is declined without asking a processor', async () => {
  const clock = (await post('test_clocks', { frozen_time: 2_000_000_000 })).json;
  const customer = await customerOf({ test_clock: clock.id });
  const card = { number: cards.approves, exp_month: 12, exp_year: 2033, cvc: '123' };
  const payment_method = (await post('payment_methods', { type: 'card', card, customer })).json.id;
  await post(`test_clocks/${clock.id}/advance`, { frozen_time: 2_030_000_000 });
  await shop.server.settled();
  const { status, json } = await post('setups', { payment_method });
  expect([status, json.error.code]).toEqual([402, 'expired_card']);
  expect(await shop.setupAttempts(json.error.setup)).toEqual([]);
  const stored = await shop.readSetup(json.error.setup);
  expect(stored).toMatchObject({ status: 'failed', failure_code: 'expired_card', created: 2_030_000_000 });
});

test('the card that only attaches is set up, and its charges are declined', async () => {
  const { payment_method, status } = await shop.made(cards.attachesOnly);
  expect(status).toBe('succeeded');
  const charge = await post('payments', { amount: 100, currency: 'eur', payment_method });
  expect([charge.status, charge.json.error.code]).toEqual([402, 'card_declined']);
});

test('the security code is discarded with the first attempt', async () => {
  const payment_method = await shop.method();
  const codes = () => shop.sql('select 1 from vault_cvcs where id = $1', [payment_method]);
  expect(await codes()).toHaveLength(1);
  await post('setups', { payment_method });
  expect(await codes()).toEqual([]);
});

test('what cannot be set up is refused: a detached method, another customer, an unknown one, a bad return_url', async () => {
  const [customer, other] = [await customerOf(), await customerOf()];
  const payment_method = await shop.method(cards.approves, { customer });
  const refused = async (body: object) => {
    const { status, json } = await post('setups', body);
    return [status, json.error.code, json.error.param];
  };
  expect(await refused({})).toEqual([400, 'parameter_missing', 'payment_method']);
  expect(await refused({ payment_method, amount: 5 })).toEqual([400, 'parameter_unknown', 'amount']);
  expect(await refused({ payment_method, customer: other })).toEqual([400, 'customer_mismatch', 'customer']);
  expect(await refused({ payment_method: 'pm_1' })).toEqual([404, 'resource_missing', 'payment_method']);
  expect(await refused({ payment_method, return_url: 'ftp://x' })).toEqual([400, 'return_url_invalid', 'return_url']);
  await post(`payment_methods/${payment_method}/detach`);
  expect(await refused({ payment_method })).toEqual([400, 'payment_method_not_usable', 'payment_method']);
});

test('a live account without a processor cannot set up', async () => {
  const { json } = await shop.account.live.post('/v1/payment_methods', {
    type: 'card',
    card: { number: cards.approves, exp_month: 12, exp_year: 2035 },
  });
  const answer = await shop.account.live.post('/v1/setups', { payment_method: json.id });
  expect([answer.status, answer.json.error.code]).toEqual([400, 'payment_method_not_usable']);
  expect(answer.json.error.message).toContain('cannot set up a payment method without a charge');
});

describe('a cardholder who is wanted', () => {
  test('approves, and goes on to the shop with the setup in the address', async () => {
    const waiting = await shop.made(cards.challengesAlways, { return_url: 'https://shop.test/back?x=1' });
    expect(waiting.next_action.type).toBe('redirect_to_url');
    const page = await shop.server.anonymous.get(new URL(waiting.next_action.redirect_to_url.url).pathname);
    expect(page.text).toContain('May the shop charge this card later?');
    const back = await shop.decide(waiting, 'approve');
    expect([back.status, back.headers.location]).toEqual([303, `https://shop.test/back?x=1&setup=${waiting.id}`]);
    const { next_action: _, ...shown } = waiting;
    expect(await shop.readSetup(waiting.id)).toEqual({ ...shown, status: 'succeeded' });
    expect(await shop.eventTypes(waiting.id)).toEqual(['setup.requires_action', 'setup.succeeded']);
  });

  test('refuses, or is declined afterwards: the setup has failed, and a page says so', async () => {
    const refused = await shop.made(cards.challengesAlways);
    expect((await shop.decide(refused, 'refuse')).text).toContain('Your card could not be confirmed');
    expect(await shop.readSetup(refused.id)).toMatchObject({
      ...{ status: 'failed', failure_code: 'card_declined', failure_decline_code: 'authentication_failed' },
    });
    const declined = await shop.made(cards.challengesThenDeclines);
    await shop.decide(declined, 'approve');
    expect(await shop.readSetup(declined.id)).toMatchObject({ status: 'failed', failure_code: 'card_declined' });
  });

  test('is canceled by request, once; what is over cannot be canceled', async () => {
    const waiting = await shop.made(cards.challengesAlways);
    const { status, json } = await cancel(waiting.id);
    expect([status, json.status]).toEqual([200, 'canceled']);
    expect(json).not.toHaveProperty('next_action');
    const again = await cancel(waiting.id);
    expect([again.status, again.json.error.code]).toEqual([400, 'setup_not_cancelable']);
    expect(again.json.error.message).toContain('its status is canceled');
    expect(await shop.eventTypes(waiting.id)).toEqual(['setup.requires_action', 'setup.canceled']);
    const states = (await shop.setupAttempts(waiting.id)).map(({ verb, state }) => `${verb} ${state}`);
    expect(states.sort()).toEqual(['cancel approved', 'setup reversed']);
  });

  test('is canceled by people who may cancel payments, and set up nothing themselves', async () => {
    const { id, payment_method } = await shop.made(cards.challengesAlways);
    const support = (await shop.server.person(shop.account.id, 'support')).client.with({ 'X-Tollgate-Mode': 'test' });
    const refused = await support.post('/v1/setups', { payment_method });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'role_missing']);
    expect((await support.post(`/v1/setups/${id}/cancel`)).json.status).toBe('canceled');
  });

  test('has an hour: then the setup is canceled', async () => {
    const { id } = await shop.made(cards.challengesAlways);
    shop.clock.advance(hour - 1_000);
    await shop.server.settled();
    expect((await shop.readSetup(id)).status).toBe('requires_action');
    shop.clock.advance(1_000);
    await shop.server.settled();
    expect((await shop.readSetup(id)).status).toBe('canceled');
    expect(await shop.eventTypes(id)).toEqual(['setup.requires_action', 'setup.canceled']);
  });
});

test('an unknown outcome is processing, without an event, and an inquiry finds it', async () => {
  const [found, lost] = [await shop.made(cards.replyLost), await shop.made(cards.neverReceived)];
  expect([found.status, lost.status]).toEqual(['processing', 'processing']);
  expect((await cancel(found.id)).json.error.code).toBe('setup_not_cancelable');
  shop.clock.advance(30_000);
  await shop.server.settled();
  expect((await shop.readSetup(found.id)).status).toBe('succeeded');
  expect(await shop.readSetup(lost.id)).toMatchObject({ status: 'failed', failure_code: 'processing_error' });
  expect([await shop.eventTypes(found.id), await shop.eventTypes(lost.id)]).toEqual([
    ['setup.succeeded'],
    ['setup.failed'],
  ]);
});

test('the timelines of a setup and of its method have its attempts and events, and a search finds it', async () => {
  const { id, payment_method } = await shop.made();
  const typesIn = async (of: string) =>
    (await shop.account.test.get(`/v1/timeline/${of}`)).json.data.map(({ summary }: { summary: string }) => summary);
  expect(await typesIn(id)).toEqual(
    expect.arrayContaining([expect.stringContaining('simulator was asked to setup: approved')]),
  );
  expect((await typesIn(payment_method)).join()).toContain('setup');
  const hits = (await shop.account.test.get(`/v1/search?q=${id}`)).json.data;
  expect(hits).toMatchObject([{ id, object: 'setup' }]);
});

test('a detached method of a setup that waits keeps its number until the setup is over', async () => {
  const waiting = await shop.made(cards.challengesAlways);
  await post(`payment_methods/${waiting.payment_method}/detach`);
  shop.clock.advance(120_000);
  await shop.server.settled();
  const sealed = () => shop.sql('select 1 from vault_cards where id = $1', [waiting.payment_method]);
  expect(await sealed()).toHaveLength(1);
  await cancel(waiting.id);
  shop.clock.advance(700_000);
  await shop.server.settled();
  expect(await sealed()).toEqual([]);
});

test('in all of this, every setup is what the simulator has', async () => {
  expect(await violationsOf(shop.server.sql, { rest: true })).toEqual([]);
});
