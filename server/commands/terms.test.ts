import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serializeTerms } from '../resources/people/accounts/account.ts';
import {
  type ChangeOptions,
  dunningInWords,
  feeInWords,
  mailsInWords,
  readChanges,
  settlementInWords,
} from './terms.ts';
import { UsageError } from './usage.ts';

const terms = {
  fee_ppm: 29_000,
  fee_fixed: { usd: 30, eur: 25 },
  settlement_days: 2,
  test_settlement: 'delayed',
} as const;

describe('the options', () => {
  test.each([
    ['0', 0],
    ['2.9', 29_000],
    ['2.90', 29_000],
    ['0.57', 5_700], // 0.57 × 10,000 is 5699.999999999999 as a double
    ['0.0001', 1],
    ['100', 1_000_000],
    ['100.0000', 1_000_000],
  ])('%s per cent are %i millionths', (feePercent, fee_ppm) => {
    expect(readChanges({ feePercent })).toEqual({ fee_ppm });
  });

  test.each([
    ['usd=30', { usd: 30 }],
    ['usd=30,eur=25', { usd: 30, eur: 25 }],
    ['USD=30, jpy=0', { usd: 30, jpy: 0 }],
    ['usd=999999999999', { usd: 999_999_999_999 }],
    ['none', {}],
  ])('the fixed part %j is %j', (feeFixed, fee_fixed) => {
    expect(readChanges({ feeFixed })).toEqual({ fee_fixed });
  });

  test.each([
    ['1', [1]],
    ['1,3,5,7', [1, 3, 5, 7]],
    ['2, 90', [2, 90]],
    ['1,2,3,4,5,6,7,8,9,10', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('the days of dunning %j are %j', (dunningDays, dunning_days) => {
    expect(readChanges({ dunningDays })).toEqual({ dunning_days });
  });

  test.each([
    ['none', []],
    ['receipt', ['receipt']],
    ['receipt, trial_ending', ['receipt', 'trial_ending']],
  ])('of mails, %j switches %j on, and all others off', (mail, on) => {
    const { mail: switches } = readChanges({ mail }) as { mail: Record<string, boolean> };
    expect(Object.keys(switches)).toHaveLength(8);
    expect(Object.keys(switches).filter((kind) => switches[kind])).toEqual(on);
    expect(mailsInWords({ mail: switches })).toBe(on.join(', ') || 'none to customers');
  });

  test.each(['', 'newsletter', 'receipt,', 'none,receipt', 'toString'])('of mails, %j is refused', (mail) => {
    expect(() => readChanges({ mail })).toThrow(UsageError);
  });

  test('all options can be given together, and only what is given is set', () => {
    const terms = { feePercent: '1', feeFixed: 'none', settlementDays: '90', testSettlement: 'immediate' } as const;
    const dunning = { dunningDays: '2,4', dunningEnd: 'unpaid' } as const;
    expect(readChanges({ tier: 'enterprise', rateLimit: '999999999', ...terms, ...dunning })).toEqual({
      tier: 'enterprise',
      rate_limit: 999_999_999,
      fee_ppm: 10_000,
      fee_fixed: {},
      settlement_days: 90,
      test_settlement: 'immediate',
      dunning_days: [2, 4],
      dunning_end: 'unpaid',
    });
    expect(readChanges({ settlementDays: '0' })).toEqual({ settlement_days: 0 });
  });

  test.each<[ChangeOptions, string]>([
    [{}, 'say what to set'],
    ...['100.0001', '101', '-1', '2,9', '2.9%', '2.90001', '.5', '2.', '1e1', ' 1', ''].map(
      (feePercent): [ChangeOptions, string] => [{ feePercent }, '--fee-percent takes'],
    ),
    ...['', 'usd', 'usd=', 'usd=-1', 'usd=1.5', 'usd=1,', 'usd:1', 'usd=1000000000000', 'none,usd=1'].map(
      (feeFixed): [ChangeOptions, string] => [{ feeFixed }, '--fee-fixed takes'],
    ),
    [{ feeFixed: 'xau=1' }, '--fee-fixed names xau, which is no currency'],
    [{ feeFixed: 'constructor=1' }, 'no currency'],
    [{ feeFixed: 'usd=1,USD=2' }, '--fee-fixed names usd twice'],
    ...['0', '-1', '1.5', '', '1e3', '1000000000'].map((rateLimit): [ChangeOptions, string] => [
      { rateLimit },
      '--rate-limit takes',
    ]),
    ...['91', '-1', '1.5', '', '2d', '1000'].map((settlementDays): [ChangeOptions, string] => [
      { settlementDays },
      '--settlement-days takes',
    ]),
    ...[
      '',
      '0',
      '91',
      '1.5',
      '-1',
      '1,',
      '1;2',
      '1 2',
      '1,1',
      '3,1',
      '01',
      '1e1',
      '1,2,3,4,5,6,7,8,9,10,11',
      'none',
    ].map((dunningDays): [ChangeOptions, string] => [
      { dunningDays },
      '--dunning-days takes 1 to 10 different whole numbers from 1 to 90, ascending, such as 1,3,5,7',
    ]),
  ])('%j is refused: %s', (options, message) => {
    expect(() => readChanges(options)).toThrow(UsageError);
    expect(() => readChanges(options)).toThrow(message);
  });
});

test('every percentage that is shown sets the same value again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (fee_ppm) => {
      expect(readChanges({ feePercent: serializeTerms({ ...terms, fee_ppm }).fee_percent })).toEqual({ fee_ppm });
    }),
  );
});

describe('in words', () => {
  test.each([
    [{}, '2.9% + 30 usd or 25 eur'],
    [{ fee_ppm: 0, fee_fixed: {} }, '0%'],
    [{ fee_ppm: 10_001, fee_fixed: { jpy: 5 } }, '1.0001% + 5 jpy'],
  ])('the fee %j is %s', (more, words) => {
    expect(feeInWords(serializeTerms({ ...terms, ...more }))).toBe(words);
  });

  test.each([
    [{}, '2 days'],
    [{ settlement_days: 1 }, '1 day'],
    [{ test_settlement: 'immediate' as const }, '2 days, immediately in test mode'],
  ])('the settlement %j is %s', (more, words) => {
    expect(settlementInWords(serializeTerms({ ...terms, ...more }))).toBe(words);
  });

  test.each([
    [{ dunning_days: [1, 3, 5, 7], dunning_end: 'canceled' }, 'after 1, 3, 5, 7 days, then canceled'],
    [{ dunning_days: [1], dunning_end: 'past_due' }, 'after 1 day, then past_due'],
  ] as const)('the dunning %j is %s', (dunning, words) => {
    expect(dunningInWords(dunning)).toBe(words);
  });
});
