import { expect, test } from 'vitest';
import { violation } from './openapi.fixture.ts';

test.each([
  ['POST', '/v1/payment_intents', '', 'amount=1000&currency=eur&metadata[a]=b&payment_method_types[]=card', undefined],
  ['POST', '/v1/payment_intents', '', 'currency=eur', /amount/],
  ['POST', '/v1/payment_intents', '', 'amount=ten&currency=eur', /amount must be integer/],
  ['POST', '/v1/payment_intents', '', 'amount=1000&currency=eur&number=42', /additional properties/],
  ['POST', '/v1/payment_intents/pi_1/confirm', '', 'customer=cus_1', /additional properties/],
  ['POST', '/v1/payment_intents/pi_1/confirm', '', 'setup_future_usage=always', /allowed values/],
  ['GET', '/v1/refunds', 'payment_intent=pi_1&limit=100', '', undefined],
  ['GET', '/v1/refunds', 'attempt=att_1', '', /additional properties/],
  ['POST', '/v1/refunds', 'amount=1', '', /has a query/],
  ['GET', '/v1/payments', '', '', /is not described/],
])('the description of Stripe judges %s %s?%s %s', (method, path, query, body, expected) => {
  const found = violation(method, path, query, body);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(expected);
});
