import type { RoutingRule } from '@tollgate/node';
import { describe, expect, test } from 'vitest';
import { textColorOn as chosenByGateway } from '../../server/resources/people/branding/branding.ts';
import { countryChoices } from '../src/kit/countries.ts';
import { queryOf, searchOf } from '../src/kit/filters.ts';
import { daysInWords, daysOf } from '../src/pages/settings_account/dunning.ts';
import { textColorOn } from '../src/pages/settings_branding/contrast.ts';
import { changesOf, fieldsOf, problemOfFile } from '../src/pages/settings_branding/fields.ts';
import { durationOf, percentOf } from '../src/pages/settings_processors/numbers.ts';
import {
  conditionInWords,
  draftOf,
  isRough,
  moved,
  positionForNew,
  ruleOf,
  withNames,
  withRule,
} from '../src/pages/settings_routing/rules.ts';

describe('days of dunning', () => {
  test.each([
    ['1, 3, 5, 7', [1, 3, 5, 7]],
    [' 1 3;5 ', [1, 3, 5]],
    ['', undefined],
    ['1, x', undefined],
    ['1.5', undefined],
    ['-1', undefined],
  ])('%o is %o', (text, days) => expect(daysOf(text)).toEqual(days));

  test.each([
    [[1], '1 day'],
    [[3], '3 days'],
    [[1, 3, 5, 7], '1, 3, 5 and 7 days'],
  ])('%o is %s', (days, words) => expect(daysInWords(days)).toBe(words));
});

test.each([
  [undefined, undefined],
  [1, '100%'],
  [0.9999, '99.9%'],
  [0.57, '57%'],
  [0.5714, '57.1%'],
  [0, '0%'],
])('a rate of %s is %s', (rate, shown) => expect(percentOf(rate)).toBe(shown));

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_240, '1.2 s'],
])('%i is %s', (ms, shown) => expect(durationOf(ms)).toBe(shown));

describe('rules', () => {
  const [first, second, all]: [RoutingRule, RoutingRule, RoutingRule] = [
    { when: { currency: ['eur'] }, use: ['pa_1'] },
    { when: { brand: ['visa', 'amex'], country: ['DE'], amount: { gte: 1_000, lt: 5_000 } }, use: ['pa_1', 'pa_2'] },
    { use: ['pa_2'] },
  ];

  test('are described in words', () => {
    expect([first, second, all].map(({ when }) => conditionInWords(when))).toEqual([
      'EUR',
      'Visa or American Express · billed in DE · amount from 10.00 to below 50.00',
      'Every payment',
    ]);
  });

  test.each([
    [
      'the rule takes amex or jcb, and the brand is visa',
      'the rule takes American Express or JCB, and the brand is Visa',
    ],
    ['the rule takes visa, and the brand is not known', 'the rule takes Visa, and the brand is not known'],
    ['the rule takes gbp or usd, and the currency is eur', 'the rule takes GBP or USD, and the currency is EUR'],
    ['the rule takes all, and the currency is top', 'the rule takes ALL, and the currency is TOP'],
    [
      'the rule takes amount below 5000, and the amount is 7000',
      'the rule takes amount below 5000, and the amount is 7000',
    ],
  ])('do not match, in the names of everything: %s', (reason, words) => expect(withNames(reason)).toBe(words));

  test('are moved, and a new one stands before the one that takes everything', () => {
    const rules = [first, second, all];
    expect(moved(rules, 0, 1)).toEqual([second, first, all]);
    expect(moved(rules, 2, 0)).toEqual([all, first, second]);
    expect(positionForNew(rules)).toBe(2);
    expect(positionForNew([first])).toBe(1);
    expect(withRule([first, all], 1, second)).toEqual(rules);
  });

  test('become drafts, and rules again; an unfinished draft is none', () => {
    for (const rule of [first, second, all]) expect(ruleOf(draftOf(rule))).toEqual(rule);
    const draft = draftOf(second);
    expect(ruleOf({ ...draft, use: [] })).toBeUndefined();
    expect(draft).toMatchObject({ gte: '10.00', lt: '50.00', country: ['DE'] });
    expect(ruleOf({ ...draft, gte: '1.555' })).toBeUndefined();
    expect(ruleOf({ ...draft, gte: 'x' })).toBeUndefined();
    expect(ruleOf({ ...draft, currency: ['eur', 'usd'], gte: '', lt: ' ', brand: [], country: [] })).toEqual({
      when: { currency: ['eur', 'usd'] },
      use: ['pa_1', 'pa_2'],
    });
  });

  test.each([
    [['jpy'], '2,000', '2000', false],
    [['jpy', 'krw'], '2,000', '2000', false],
    [['kwd'], '2.000', '2.000', false],
    [['eur', 'usd'], '20.00', '20.00', false],
    [['eur', 'jpy'], '20.00', '20.00', true],
    [[], '20.00', '20.00', true],
  ])('have amounts with the decimals of %o', (currency, words, text, isOtherElsewhere) => {
    const rule = { when: { ...(currency.length > 0 && { currency }), amount: { gte: 2_000 } }, use: ['pa_1'] };
    expect(conditionInWords(rule.when)).toMatch(new RegExp(`amount from ${words}$`));
    expect(draftOf(rule).gte).toBe(text);
    expect(ruleOf(draftOf(rule))).toEqual(rule);
    expect(isRough(currency)).toBe(isOtherElsewhere);
  });

  test('choose from all countries by name, and from no group or code that was replaced', () => {
    const choices = countryChoices('en');
    expect(choices).toContainEqual({ value: 'DE', label: 'Germany (DE)' });
    expect(countryChoices('de')).toContainEqual({ value: 'DE', label: 'Deutschland (DE)' });
    const codes = choices.map(({ value }) => value);
    expect(codes.length).toBeGreaterThan(240);
    expect(['EU', 'UK', 'SU', 'ZZ'].filter((code) => codes.includes(code))).toEqual([]);
    expect(choices.map(({ label }) => label)).toEqual(
      choices.map(({ label }) => label).toSorted((a, b) => a.localeCompare(b, 'en')),
    );
  });
});

test('a view has the filters of its page in one order, and gives back those and no others', () => {
  const names = ['status', 'customer', 'created_from'];
  expect(queryOf(names, { created_from: '2026-11-01', status: 'failed', after: 'py_1' })).toBe(
    'status=failed&created_from=2026-11-01',
  );
  expect(searchOf(names, 'status=failed&evil=1')).toEqual({
    status: 'failed',
    customer: undefined,
    created_from: undefined,
  });
});

describe('branding', () => {
  const stored = { object: 'branding', display_name: 'Corner shop', color: '#0a7d5a', text_color: '#ffffff' } as const;
  const typed = fieldsOf(stored);
  const kept = { kind: 'kept' } as const;

  test('sends what was changed, and nothing else', () => {
    expect(changesOf(stored, typed, kept)).toBeUndefined();
    expect(changesOf(stored, { ...typed, display_name: ' Corner shop ', color: '#0A7D5A' }, kept)).toBeUndefined();
    expect(changesOf(stored, { ...typed, color: '', terms_url: 'https://shop.example' }, kept)).toEqual({
      color: '',
      terms_url: 'https://shop.example',
    });
    expect(changesOf(stored, typed, { kind: 'none' })).toEqual({ logo: '' });
    const file = { kind: 'file', file: {} as File, base64: 'aGk=' } as const;
    expect(changesOf(stored, typed, file)).toEqual({ logo: 'aGk=' });
  });

  test('shows text in the colour that the gateway chooses', () => {
    const colors = Array.from({ length: 4_096 }, (_, at) => `#${(at * 4_099).toString(16).padStart(6, '0').slice(-6)}`);
    expect(colors.map(textColorOn)).toEqual(colors.map(chosenByGateway));
  });

  test.each([
    [{ type: 'image/png', size: 131_072 }, undefined],
    [{ type: 'image/png', size: 131_073 }, 'The file must have at most 128 KB.'],
    [{ type: 'image/svg+xml', size: 10 }, 'Choose a PNG, JPEG or WebP picture.'],
  ])('takes a file by what a browser knows of it: %j', (file, problem) => expect(problemOfFile(file)).toBe(problem));
});
