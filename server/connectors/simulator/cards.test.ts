import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { places } from '../../test/torture.ts';
import { cardOf, openWorld, type World } from '../processor.fixture.ts';
import { cards } from './cards.ts';

const approved = { kind: 'approved' };
const declined = (code: string, declineCode?: string) => ({
  kind: 'declined',
  code,
  ...(declineCode === undefined ? {} : { declineCode }),
});
const action = { kind: 'requires_action' };
const unknown = { kind: 'unknown' };

/** The number, the first answer, and the answer to a later inquiry. */
const table: [string, object, object][] = [
  ['4242424242424242', approved, approved],
  ['5555555555554444', approved, approved],
  ['378282246310005', approved, approved],
  ['6011111111111117', approved, approved],
  ['3056930009020004', approved, approved],
  ['3566002020360505', approved, approved],
  ['6200000000000005', approved, approved],
  ['4000000000000002', declined('card_declined', 'generic_decline'), declined('card_declined', 'generic_decline')],
  ['4000000000009995', declined('card_declined', 'insufficient_funds'), declined('card_declined')],
  ['4000000000009987', declined('card_declined', 'lost_card'), declined('card_declined')],
  ['4000000000009979', declined('card_declined', 'stolen_card'), declined('card_declined')],
  ['4000000000006975', declined('card_declined', 'card_velocity_exceeded'), declined('card_declined')],
  ['4000000000000069', declined('expired_card'), declined('expired_card')],
  ['4000000000000127', declined('incorrect_cvc'), declined('incorrect_cvc')],
  ['4000000000000119', declined('processing_error'), declined('processing_error')],
  ['4000000000000341', declined('card_declined', 'generic_decline'), declined('card_declined')],
  ['4000000000003220', action, action],
  ['4000008400001629', action, action],
  ['4000002500003155', action, action],
  ['4000000000000259', approved, approved],
  ['4000000000002685', approved, approved],
  ['4000000000007726', approved, approved],
  ['4000000000005126', approved, approved],
  ['4000000000000408', unknown, approved],
  ['4000000000000416', unknown, { kind: 'not_found' }],
  ['4111111111111111', approved, approved], // not in the table
];

test('every card of the table is tested', () => {
  const tested = new Set(table.map(([number]) => number));
  expect(Object.keys(cards).filter((number) => !tested.has(number))).toEqual([]);
});

describe.each(places)('a simulator that is %s', (place) => {
  const name = `simulator, ${place}` as const;
  let world: World;
  beforeAll(async () => {
    world = await openWorld(name);
  });
  afterAll(() => world.stop());

  test.each(table)('card %s', async (number, told, found) => {
    const processor = world.processor();
    const reply = await processor.authorize({ number });
    expect(reply.outcome).toMatchObject(told);
    expect((await processor.find(reply.attempt)).outcome).toMatchObject(found);
    const isCharged = found === approved;
    const [charge] = await processor.charges();
    expect(charge?.net ?? 0).toBe(isCharged ? 1_000 : 0);
  });

  test.each(table)('card %s, set up', async (number, told, found) => {
    const processor = world.processor();
    const isAttached = number === '4000000000000341';
    const { attempt, outcome } = await processor.setup({ number });
    expect(outcome).toMatchObject(isAttached ? approved : told);
    expect((await processor.find(attempt, 'setup')).outcome).toMatchObject(isAttached ? approved : found);
    expect([await processor.charges(), await processor.news()]).toEqual([[], []]);
  });

  test('a plain approval is one row and reads nothing', async () => {
    const processor = world.processor();
    const { writes } = await processor.authorize();
    expect(writes?.length).toBe(name === 'simulator, local' ? 1 : undefined);
    expect(await processor.entries()).toHaveLength(1);
  });

  test.each([
    ['4000000000000259', 'dispute_fraudulent'],
    ['4000000000002685', 'dispute_product_not_received'],
  ])('card %s leaves its scenario in the ledger', async (number, scenario) => {
    const processor = world.processor();
    await processor.authorize({ number });
    expect(await processor.entries()).toMatchObject([{ scenario, last4: number.slice(-4), payment: 'pay_1' }]);
  });

  test('a refund is pending, then succeeds', async () => {
    const processor = world.processor();
    const { attempt: of } = await processor.authorize({ number: '4000000000007726' });
    const { outcome, attempt } = await processor.refund({ of, amount: 400 });
    expect(outcome.kind).toBe('pending');
    expect((await processor.find(attempt, 'refund')).outcome.kind).toBe('approved');
    expect((await processor.refund({ of, amount: 400, attempt })).outcome).toEqual(outcome);
    expect(await processor.charges()).toMatchObject([{ refunded: 400, net: 600 }]);
  });

  test('a refund succeeds, then bounces: the money was never given back', async () => {
    const processor = world.processor();
    const { attempt: of } = await processor.authorize({ number: '4000000000005126' });
    const { outcome, attempt } = await processor.refund({ of });
    expect(outcome.kind).toBe('approved');
    const found = await processor.find(attempt, 'refund');
    expect(found.outcome).toMatchObject({ kind: 'declined', declineCode: 'refund_bounced' });
    expect(await processor.charges()).toMatchObject([{ refunded: 0, net: 1_000 }]);
  });

  test('traces are the same in every answer, and hold the results of the checks', async () => {
    const processor = world.processor();
    const address = { postal_code: '1010' };
    const { attempt, outcome } = await processor.authorize({
      instrument: cardOf('4242424242424242', { holder: { address } }),
    });
    expect(outcome).toMatchObject({ avsResult: 'Y', cvcResult: 'M', reference: expect.stringMatching(/^sim_\w{22}$/) });
    expect(outcome).toMatchObject({ networkTransactionId: expect.stringMatching(/^\d{15}$/) });
    expect(outcome).toMatchObject({ authorizationCode: expect.stringMatching(/^[0-9A-Z]{6}$/) });
    expect((await processor.find(attempt)).outcome).toEqual(outcome);
    const bare = await processor.authorize({ instrument: cardOf('4242424242424242', { cvc: undefined }) });
    expect(bare.outcome).toMatchObject({ avsResult: 'U', cvcResult: 'U' });
    const wrong = await processor.authorize({ number: '4000000000000127' });
    expect(wrong.outcome).toMatchObject({ cvcResult: 'N' });
  });
});

test('without a live processor every payment is declined, and attempts of the simulator are still found there', async () => {
  const world = await openWorld('none');
  const { connectors, authorize } = world.processor();
  expect((await authorize()).outcome).toMatchObject({ kind: 'declined', code: 'processing_error' });
  expect(connectors.forMode('live').name).toBe('none');
  expect(connectors.byName('simulator')).toBe(connectors.forMode('test'));
  expect(() => connectors.byName('acme')).toThrow('acme');
  await world.stop();
});
