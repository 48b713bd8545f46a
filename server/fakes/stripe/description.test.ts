import { describe, expect, test } from 'vitest';
import { problemsOfAnswer, problemsOfRequest } from './description.fixture.ts';

/** Tests elsewhere trust the description to find what is wrong. Each kind of mistake is planted here. */

describe('a request', () => {
  const intents = '/v1/payment_intents';
  const intent = 'amount=1000&currency=eur';
  const confirm = `${intents}/pi_1/confirm`;

  test.each([
    ['POST', intents, '', `${intent}&metadata[a]=b&allowed_payment_method_types[]=card&off_session=true`],
    ['POST', confirm, '', 'off_session=recurring&expand[]=latest_charge&payment_method_options[card][network]=visa'],
    ['GET', '/v1/refunds', 'payment_intent=pi_1&limit=100&created[gte]=1', ''],
    ['GET', '/v1/refunds', 'created=1', ''],
    ['GET', `${intents}/search`, 'query=a', ''],
  ])('%s %s?%s %s is as described', (...request) => {
    expect(problemsOfRequest(...request)).toEqual([]);
  });

  test.each([
    ['a missing parameter', 'POST', intents, '', 'currency=eur', '.amount is missing'],
    ['a missing one in a query', 'GET', `${intents}/search`, '', '', '.query is missing'],
    ['an unknown one', 'POST', intents, '', `${intent}&number=42`, '.number does not exist at Stripe'],
    ['one of another endpoint', 'POST', confirm, '', 'customer=cus_1', '.customer does not exist at Stripe'],
    ['an unknown one in a query', 'GET', '/v1/refunds', 'attempt=1', '', '.attempt does not exist at Stripe'],
    [
      ...(['an unknown one in a group', 'POST', confirm, ''] as const),
      ...(['payment_method_options[card][colour]=red', '.payment_method_options.card.colour does not exist'] as const),
    ],
    ['a wrong type', 'POST', intents, '', 'amount=ten&currency=eur', '.amount is no integer: "ten"'],
    ['a wrong type in a list', 'POST', intents, '', `${intent}&expand[][a]=b`, '.expand[0] is no string'],
    ['neither of two types', 'GET', '/v1/refunds', 'created=today', '', '.created is no'],
    ['a wrong value', 'POST', confirm, '', 'setup_future_usage=always', '"always", not one of'],
    ['a text that is too long', 'POST', intents, '', `${intent}&description=${'x'.repeat(1_001)}`, 'at most 1000'],
    ['a query of a POST', 'POST', '/v1/refunds', 'amount=1', '', 'in the wrong place'],
    ['a body of a GET', 'GET', '/v1/refunds', '', 'limit=1', 'in the wrong place'],
    ['an unknown path', 'GET', '/v1/payments', '', '', 'GET /v1/payments is not in stripe_description'],
    ['an unknown method', 'POST', '/v1/account', '', '', 'POST /v1/account is not in stripe_description'],
  ])('%s is found: %s %s?%s %s', (_, method, path, query, body, expected) => {
    expect(problemsOfRequest(method, path, query, body)).toEqual([expect.stringContaining(expected)]);
  });
});

describe('an answer', () => {
  const payout = {
    ...{ id: 'po_1', object: 'payout', amount: 1, arrival_date: 1, automatic: true, balance_transaction: null },
    ...{ created: 1, currency: 'eur', description: null, destination: null, failure_balance_transaction: null },
    ...{ failure_code: null, failure_message: null, livemode: false, metadata: {}, method: 'standard' },
    ...{ original_payout: null, reversed_by: null, source_type: 'card', statement_descriptor: null, status: 'paid' },
    ...{ type: 'bank_account', reconciliation_status: 'completed' },
  };
  const { amount: _, ...withoutAmount } = payout;
  const list = { object: 'list', data: [payout], has_more: false, url: '/v1/payouts' };
  const error = { type: 'api_error', message: 'An unknown error occurred' };
  const one = '/v1/payouts/po_1';

  test.each([
    [one, 200, payout],
    ['/v1/payouts', 200, list],
    [one, 500, { error }],
    ['/v1/payment_intents/search', 200, { object: 'search_result', data: [], has_more: false, url: '/v1/search' }],
  ])('of %s with %i is as described', (path, status, body) => {
    expect(problemsOfAnswer('GET', path, status, body)).toEqual([]);
  });

  test.each([
    ['a missing member', one, 200, withoutAmount, '.amount is missing'],
    ['an unknown member', one, 200, { ...payout, tollgate: 1 }, '.tollgate does not exist at Stripe'],
    ['one in a list', '/v1/payouts', 200, { ...list, data: [withoutAmount] }, '.data[0].amount is missing'],
    ['a wrong type', one, 200, { ...payout, amount: '1' }, '.amount is no integer: "1"'],
    ['a wrong type among texts', one, 200, { ...payout, metadata: { a: 1 } }, '.metadata.a is no string: 1'],
    ['a null', one, 200, { ...payout, amount: null }, '.amount is null'],
    ['a wrong value', one, 200, { ...payout, object: 'refund' }, '.object is "refund", not one of payout'],
    ['a wrong address', '/v1/payouts', 200, { ...list, url: '/v1/refunds' }, 'not like ^/v1/payouts'],
    ['an error like an object', one, 400, error, '.error is missing'],
    [
      'an object that the extract leaves out',
      '/v1/payment_intents/pi_1',
      200,
      { shipping: {} },
      '.shipping is of shipping',
    ],
    ['an unknown path', '/v1/nothing', 200, {}, 'GET /v1/nothing is not in stripe_description'],
  ])('%s is found: %s', (_, path, status, body, expected) => {
    expect(problemsOfAnswer('GET', path, status, body)).toContainEqual(expect.stringContaining(expected));
  });
});
