import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Secret } from '../../base/secret.ts';
import { CustomerInput } from '../../resources/payments/customers/schema.ts';
import { NewPaymentMethodInput, PaymentMethodInput } from '../../resources/payments/payment_methods/schema.ts';
import { comparable, wrapConfidential } from './confidential.ts';
import { hasMarker } from './schema.ts';

const number = '4242424242424242';
const values = {
  type: 'card',
  card: { number, exp_month: 12, exp_year: 2035, cvc: '739' },
  billing_details: { name: 'Ada', address: { city: 'London' } },
  metadata: { number: 'seven', list: 1 },
};
const wrap = (given: Record<string, unknown>) => wrapConfidential(given, NewPaymentMethodInput);

test('values are copied only if their schema has something confidential', () => {
  expect(hasMarker(NewPaymentMethodInput, 'confidential')).toBe(true);
  expect(hasMarker(PaymentMethodInput, 'confidential')).toBe(false);
  expect(hasMarker(CustomerInput, 'confidential')).toBe(false);
  const customer = { name: 'Ada' };
  expect(wrapConfidential(customer, CustomerInput)).toBe(customer);
  expect(comparable(customer, CustomerInput)).toBe(customer);
});

describe('a confidential value', () => {
  test('cannot be printed once it is wrapped, and all other values are unchanged', () => {
    const wrapped = wrap(values) as typeof values;
    const { card, ...others } = wrapped;
    expect(others).toEqual({ type: 'card', billing_details: values.billing_details, metadata: values.metadata });
    expect([card.exp_month, card.exp_year]).toEqual([12, 2035]);
    for (const text of [JSON.stringify(wrapped), inspect(wrapped, { depth: 9 }), `${card.number} ${card.cvc}`]) {
      expect(text).not.toContain(number);
      expect(text).not.toContain('739');
    }
    expect((card.number as unknown as Secret).open()).toBe(number);
    expect((card.cvc as unknown as Secret).open()).toBe('739');
    expect(values.card.number).toBe(number); // the original is unchanged
  });

  test('is wrapped only if it is text, and may be missing', () => {
    expect(wrap({ card: { number: 5, cvc: null } })).toEqual({ card: { number: 5, cvc: null } });
    expect(wrap({ card: null })).toEqual({ card: null });
    expect(wrap({ card: {} })).toEqual({ card: {} });
    expect(wrap({})).toEqual({});
  });

  test('is not looked for under names that every object inherits', () => {
    const odd = { constructor: 'x', toString: { number: 'y' }, metadata: { card: { number: 'z' } } };
    expect(wrap(odd)).toEqual(odd);
  });
});

describe('two requests are compared', () => {
  const compared = (change: object = {}) =>
    comparable(wrap({ ...values, card: { ...values.card, ...change } }), NewPaymentMethodInput);

  test('by the number, and by everything that is not confidential', () => {
    expect(compared()).toEqual({ ...values, card: { number, exp_month: 12, exp_year: 2035, cvc: undefined } });
    expect(compared({ number: '5555555555554444' })).not.toEqual(compared());
    expect(compared({ exp_month: 11 })).not.toEqual(compared());
  });

  test('never by the security code', () => {
    expect(JSON.stringify(compared({ cvc: '111' }))).toBe(JSON.stringify(compared({ cvc: undefined })));
    expect(JSON.stringify(compared())).not.toContain('739');
  });
});
