import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import { type Condition, inWords, matchingRule, type RoutedPayment, type RoutingRule, whyNever } from './rule.ts';

const use: ProcessorAccountId[] = ['pa_1'];
const rulesOf = (...conditions: Condition[]): RoutingRule[] => conditions.map((when) => ({ when, use }));
const payment: RoutedPayment = { amount: 1_000, currency: 'eur', brand: 'visa', country: 'DE' };

describe('the first rule that matches', () => {
  test.each<[string, Condition[], Partial<RoutedPayment>, number | undefined]>([
    ['no condition', [{}], {}, 1],
    ['no rule', [], {}, undefined],
    ['the currency', [{ currency: ['usd'] }, { currency: ['eur', 'gbp'] }], {}, 2],
    ['another currency', [{ currency: ['usd'] }], {}, undefined],
    ['the brand', [{ brand: ['mastercard'] }, { brand: ['visa'] }], {}, 2],
    ['the country', [{ country: ['FR'] }, { country: ['DE', 'AT'] }], {}, 2],
    ['an unknown country', [{ country: ['DE'] }], { country: undefined }, undefined],
    ['an unknown country, in a rule without one', [{ country: ['DE'] }, {}], { country: undefined }, 2],
    ['the smallest amount', [{ amount: { gte: 1_000 } }], {}, 1],
    ['less than the smallest amount', [{ amount: { gte: 1_001 } }], {}, undefined],
    ['the end of the range', [{ amount: { lt: 1_000 } }], {}, undefined],
    ['just below the end of the range', [{ amount: { gte: 1, lt: 1_001 } }], {}, 1],
    ['all conditions', [{ currency: ['eur'], brand: ['visa'], country: ['DE'], amount: { gte: 1 } }], {}, 1],
    [
      'all conditions but one',
      [{ currency: ['eur'], brand: ['amex'], country: ['DE'], amount: { gte: 1 } }],
      {},
      undefined,
    ],
    ['two rules', [{ currency: ['eur'] }, { brand: ['visa'] }], {}, 1],
  ])('%s', (_, conditions, more, expected) => {
    expect(matchingRule(rulesOf(...conditions), { ...payment, ...more })?.number).toBe(expected);
  });
});

describe('a rule that can never match', () => {
  test.each<[string, Condition[], number | undefined]>([
    ['follows one that takes everything', [{}, { currency: ['eur'] }], 1],
    ['follows one that takes its currency', [{ currency: ['eur', 'usd'] }, { currency: ['eur'], brand: ['visa'] }], 1],
    ['follows one with a wider range', [{ amount: { gte: 10 } }, { amount: { gte: 10, lt: 20 } }], 1],
    ['is equal to an earlier one', [{ brand: ['visa'] }, { brand: ['visa'] }], 1],
    ['has an empty range', [{ amount: { gte: 5, lt: 5 } }], 0],
    ['follows one that takes a part', [{ currency: ['eur'] }, { currency: ['eur', 'usd'] }], undefined],
    ['follows one that asks for more', [{ currency: ['eur'], brand: ['visa'] }, { currency: ['eur'] }], undefined],
    ['follows one with a range that ends earlier', [{ amount: { lt: 10 } }, { amount: { lt: 11 } }], undefined],
  ])('%s', (_, conditions, expected) => {
    const rules = rulesOf(...conditions);
    const never = rules.map((_rule, at) => whyNever(rules, at));
    expect(never.findIndex((why) => why !== undefined)).toBe(expected ?? -1);
  });

  const condition = fc.record(
    {
      currency: fc.subarray(['eur', 'usd'], { minLength: 1 }),
      brand: fc.subarray(['visa', 'amex'], { minLength: 1 }),
      country: fc.subarray(['DE', 'FR'], { minLength: 1 }),
      amount: fc.record(
        { gte: fc.integer({ min: 0, max: 4 }), lt: fc.integer({ min: 0, max: 4 }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const everyPayment = ['eur', 'usd', 'gbp'].flatMap((currency) =>
    ['visa', 'amex', 'jcb'].flatMap((brand) =>
      ['DE', 'FR', undefined].flatMap((country) =>
        [0, 1, 2, 3, 4, 5].map((amount): Required<RoutedPayment> => ({ currency, brand, country, amount })),
      ),
    ),
  );

  test('a setup, which has no money, meets every condition on amount and currency', () => {
    const setup = { brand: 'visa', country: 'DE' };
    const byMoney = rulesOf({ currency: ['usd'], amount: { gte: 5 } });
    expect(matchingRule(byMoney, setup)?.number).toBe(1);
    expect(matchingRule(rulesOf({ currency: ['usd'], brand: ['amex'] }), setup)).toBeUndefined();
    expect(matchingRule(rulesOf({ country: ['FR'] }), setup)).toBeUndefined();
  });

  test('matches no payment at all, and the first match is the first rule whose conditions hold', () => {
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), (conditions) => {
        const rules = rulesOf(...conditions);
        const first = everyPayment.map((one) => matchingRule(rules, one)?.number);
        const holds = ({ currency, brand, country, amount }: Condition, one: Required<RoutedPayment>) =>
          (!currency || currency.includes(one.currency)) &&
          (!brand || brand.includes(one.brand ?? '')) &&
          (!country || country.includes(one.country ?? '')) &&
          one.amount >= (amount?.gte ?? 0) &&
          one.amount < (amount?.lt ?? Infinity);
        expect(first).toEqual(
          everyPayment.map((one) => {
            const at = conditions.findIndex((each) => holds(each, one));
            return at === -1 ? undefined : at + 1;
          }),
        );
        for (const at of rules.keys()) if (whyNever(rules, at) !== undefined) expect(first).not.toContain(at + 1);
      }),
    );
  });
});

test.each<[Condition, string]>([
  [{}, 'every payment'],
  [{ currency: ['eur'], brand: ['visa'] }, 'eur, visa'],
  [{ currency: ['eur', 'usd'], country: ['DE'] }, 'eur or usd, DE'],
  [{ amount: { gte: 100, lt: 200 } }, 'amount from 100, amount below 200'],
])('%j in words: %s', (condition, words) => {
  expect(inWords(condition)).toBe(words);
});
